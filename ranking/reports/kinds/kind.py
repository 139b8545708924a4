"""Kinds of reports: an object holds all that differs between them, and the form of its parameters is made from it.

The protocol of a campaign decides which kinds are offered.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from math import isinf
from typing import Any, NamedTuple

from django import forms
from django.utils.module_loading import import_string

from judgments.charts.numbers import quantity
from judgments.charts.svg import Chart
from judgments.models import Campaign, Membership
from judgments.protocols import protocol_named, protocol_of
from judgments.rules.errors import Refused
from ranking.charts.shown_tables import SentencesLink
from ranking.models import Report
from ranking.numbers.tables import Table
from ranking.reports.answers import COUNT_FIRST, Answer, counts_of, describe_excluded
from ranking.stats.analysis import Sections, Study
from ranking.stats.choices import (
    ANSWERS,
    FEWEST_REPLICATES,
    INDEPENDENT,
    JUDGED_BY,
    LARGEST_SEED,
    MOST_REPLICATES,
    PEOPLE,
    PROGRAMS,
    RECOMMENDED,
    Choices,
    ParametersError,
)

UNCHANGED = ("", "as in the preset")


class NumbersField(forms.CharField):
    """Numbers separated by commas or spaces."""

    def clean(self, value: str) -> tuple[float, ...] | None:
        try:
            return tuple(map(float, super().clean(value).replace(",", " ").split())) or None
        except ValueError as reason:
            raise forms.ValidationError("Write numbers separated by commas, such as 0.5, 0.75, 0.9, 1.") from reason


def _field_for(choice: Field) -> forms.Field:
    """A field that may stay empty, which keeps the value of the preset."""
    known = choice.metadata
    shared: dict[str, Any] = {"required": False, "label": known["label"] or None, "help_text": known["says"]}
    names = [(name, name) for name in known["among"]]
    if choice.type == tuple[str, ...]:
        return forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple, choices=names, **shared)
    if choice.type is str:
        return forms.ChoiceField(choices=[UNCHANGED, *names], **shared)
    if choice.type == tuple[float, ...]:
        return NumbersField(max_length=200, **shared)
    if choice.type is float:
        return forms.FloatField(**shared)  # the parameters' own message says what to choose
    bounds = {"min_value": known["least"], "max_value": known["most"]}
    return forms.IntegerField(**{name: bound for name, bound in bounds.items() if not isinf(bound)}, **shared)


class ReportForm(forms.Form):
    """A preset and changes to it; empty fields keep the preset's values."""

    preset = forms.ChoiceField(required=False, initial=RECOMMENDED)
    replicates = forms.IntegerField(
        required=False,
        min_value=FEWEST_REPLICATES,
        max_value=MOST_REPLICATES,
        help_text="How many bootstrap replicates are drawn; leave blank for 1000.",
    )
    level = forms.FloatField(
        required=False, min_value=0.5, max_value=0.9999, help_text="The level of intervals, such as 0.95 (95%)."
    )
    judged_by = forms.ChoiceField(
        required=False,
        choices=[("", "people"), *((name, name) for name in JUDGED_BY if name != PEOPLE)],
        help_text="Whose judgments count: those of people, of programs, or of everybody.",
    )
    answers = forms.ChoiceField(
        required=False,
        choices=[("", "independent"), *((name, name) for name in ANSWERS if name != INDEPENDENT)],
        help_text="Revised: those that judges changed after feedback replace their first ones. Adjudicated: the "
        "organiser's answers replace those of the judges on the same screens.",
    )
    seed = forms.IntegerField(
        required=False, min_value=0, max_value=LARGEST_SEED, help_text="The same seed gives the same numbers."
    )

    def __init__(self, kind: Any, campaign: Campaign, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.kind, self.campaign = kind, campaign
        choices = {choice.name: choice for choice in fields(kind.parameters)}
        if not protocol_of(campaign).has_sides or "answers" not in choices:
            del self.fields["answers"]
        if kind.needs_programs:  # people and programs are both read
            del self.fields["judged_by"]
        own = {name: _field_for(choice) for name, choice in choices.items() if choice.metadata}
        self.fields = {"preset": self.fields["preset"]} | own | self.fields
        self.fields["preset"].choices = [  # type: ignore[attr-defined]
            (name, self.kind.presets_say[name]) for name in self.presets()
        ]

    def presets(self) -> list[str]:
        """Those that suit the campaign."""
        return list(self.kind.presets)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if self.errors:
            return given
        given["preset"] = given["preset"] or RECOMMENDED
        names = {field.name for field in fields(self.kind.parameters)}
        changes = {name: value for name, value in given.items() if name in names and value not in (None, "", [])}
        try:
            given["parameters"] = self.kind.preset_for(self.campaign, given["preset"]).with_changes(**changes)
        except ParametersError as reason:
            raise forms.ValidationError(str(reason)) from reason
        return given


class SystemScore(NamedTuple):
    """A score of a system, the higher the better, as other programs compare it; `interval` says how that was made."""

    system: str
    metric: str
    label: str
    bounds: tuple[float, float]
    score: float | None
    low: float | None
    high: float | None
    interval: str
    details: Mapping[str, Any] = {}


class Extracted(NamedTuple):
    """A study, the newest judgment that counts in it, and how many count, of which the study may analyse fewer.

    A report is out of date when another number of judgments counts in the campaign.
    """

    study: Any
    newest: int
    judgments: int


class Chapter(NamedTuple):
    """The charts of a chapter, which bring their tables, and its tables without a chart.

    Its words appear if any figure named in `about` exists; always if `about` is empty. `sentences` is the part of the
    address at which the sentences behind its numbers are.
    """

    key: str
    title: str
    words: str
    charts: tuple[str, ...]
    tables: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    has_other_rankings: bool = False
    sentences: str = ""


@dataclass(frozen=True, repr=False, eq=False)
class ReportKind:
    """A kind of report, from the rows of a campaign to the page.

    Its numbers are a list of functions, the `sections`, of a study, `at_a_glance` the few, fast ones of the live
    board; all of them are independent of Django. `does` completes the sentence "A report ..."; `headline` is the
    most important table, and `presets_say` names the presets. `extract` builds a study from the judgments that
    count now; `other_inputs` summarises the other inputs, to detect that a report is out of date. `answer` gives
    the first screenful from tables and parameters, or nothing before these suffice. `charts` and `chapters` are in
    the order of the page; `titles` name tables and gaps whose own names are unclear, and `links` lead from rows of
    tables to their sentences. `output_scores` packs what people thought of each output, for pages on sentences, and
    `system_scores` gives those of systems to other programs, if the kind has any. A kind on programs is offered where
    one judges. `for_papers` names the tables in the ZIP for a paper, all if it is empty. Several workers may draw the
    replicates of a splittable kind; reports of a comparable kind can be compared.
    """

    study: type[Study]
    presets: Mapping[str, Any]
    presets_say: Mapping[str, str]
    sections: Sections
    does: str
    headline: str
    extract: Callable[[Campaign, Any], Extracted]
    charts: tuple[Callable[[Mapping[str, Table]], list[Chart]], ...]
    chapters: tuple[Chapter, ...]
    form: type[ReportForm] = ReportForm
    at_a_glance: Sections = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    links: Mapping[str, SentencesLink] = field(default_factory=dict)
    answer: Callable[[Mapping[str, Table], Mapping[str, Any]], Answer | None] = lambda tables, parameters: None
    other_inputs: Callable[[Campaign], dict[str, Any]] = lambda campaign: {}
    output_scores: Callable[[Any], bytes] | None = None
    system_scores: Callable[[Mapping[str, Table], Mapping[str, Any]], Iterable[SystemScore]] = (
        lambda tables, parameters: ()
    )
    for_papers: tuple[str, ...] = ()
    needs_programs: bool = False
    is_splittable: bool = False
    is_comparable: bool = False

    def __post_init__(self) -> None:
        if self.links and self.output_scores is None:
            raise TypeError(
                "Rows link to their sentences, but the kind keeps no output_scores, which these pages show."
            )

    @property
    def name(self) -> str:
        return self.study.kind

    @property
    def parameters(self) -> type[Choices]:
        return type(self.presets[RECOMMENDED])

    @property
    def module(self) -> str:
        """Where the study and the sections are, for the script that reproduces a report."""
        return self.study.__module__.removesuffix(".study")

    def preset(self, name: str) -> Any:
        if name not in self.presets:
            names = ", ".join(self.presets)
            raise ParametersError(f"There is no preset {name!r} for reports on {self.name}; choose from {names}.")
        return self.presets[name]

    def preset_for(self, campaign: Campaign, name: str) -> Any:
        """Recommended are weights where judgments decided which screens were drawn, and means of ratings, too."""
        chosen = self.preset(name)
        if name != RECOMMENDED or "weights" not in {one.name for one in fields(chosen)}:
            return chosen
        methods = (*chosen.methods, *(["mean-score"] if protocol_of(campaign).has_scores else []))
        return chosen.with_changes(methods=methods, weights="design" if campaign.is_adaptive else chosen.weights)

    def form_for(self, campaign: Campaign, *given: Any) -> ReportForm:
        return self.form(self, campaign, *given)

    def charts_of(self, tables: Mapping[str, Table]) -> dict[str, Chart]:
        """Draw the charts whose tables exist, by name."""
        return {chart.name: chart for make in self.charts for chart in make(tables)}

    def title_of(self, name: str) -> str:
        """Return the title of a table or a section."""
        return self.titles.get(name, name[:1].upper() + name[1:].replace("_", " "))


# Where each kind is. Its statistics are imported with it, which commands and pages for judges need not wait for.
KINDS = {
    name: f"ranking.reports.kinds.{name}.{name.upper()}"
    for name in ("comparisons", "verdicts", "corrections", "edits", "essays", "programs")
}


class NoReportKind(Refused):
    pass


def kind_named(name: str) -> ReportKind:
    return import_string(KINDS[name])


def kinds_for(protocol: str) -> list[ReportKind]:
    """The kinds of reports on campaigns of a protocol, the most important first; refused if there are none."""
    kinds = [kind_named(name) for name in protocol_named(protocol).report_kinds if name in KINDS]
    if not kinds:
        raise NoReportKind(
            "There is no report for campaigns of this protocol yet. Export the judgments to analyse them with other "
            "programs."
        )
    return kinds


def kinds_offered(campaign: Campaign) -> list[ReportKind]:
    """The kinds for a campaign's protocol, those on programs only where a program has a place."""
    has_programs = Membership.objects.filter(campaign=campaign, role=Membership.Role.PROGRAM).exists()
    return [kind for kind in kinds_for(campaign.protocol) if has_programs or not kind.needs_programs]


def kind_for(protocol: str, name: str = "") -> ReportKind:
    """The kind of this name, or the most important one."""
    kinds = kinds_for(protocol)
    if not name:
        return kinds[0]
    found = next((kind for kind in kinds if kind.name == name), None)
    if found is None:
        offered = ", ".join(kind.name for kind in kinds)
        raise Refused(f"Campaigns of this protocol have no report on {name}; choose from {offered}.")
    return found


def kind_of(report: Report) -> ReportKind:
    return kind_named(report.study)


def answer_of(report: Report, tables: Mapping[str, Table]) -> Answer | None:
    """What a report answers first; if programs judged, it says so before anything else.

    Text for a paper also says how screens were drawn, which answers count, and who was excluded by which rule.
    """
    answer = kind_of(report).answer(tables, report.parameters)
    if answer is None:
        return None
    about = report.exclusion
    by_programs = [about[PROGRAMS]] if about.get(PROGRAMS) else []
    excluded = describe_excluded(about, counts_of(tables).get("judges", 0)) or "No judge was excluded."
    if kept := about.get("included_by_hand"):
        excluded += f" The organisers included {quantity(kept, 'judge')} again."
    given = (*report.course, *(about.get(what) for what in ("about", "answers", "systems", "rule")), excluded)
    paper = answer.paper
    if paper:
        others = (COUNT_FIRST.sub("In all, ", said) for said in given if said)
        paper = replace(paper, methods=" ".join([*by_programs, paper.methods, *others]))
    return replace(answer, sentence=" ".join([*by_programs, answer.sentence]), paper=paper)


def parameters_of(report: Report) -> Any:
    return kind_of(report).parameters.of(report.parameters)
