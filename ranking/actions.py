"""What organisers do to the metrics and the reports of a campaign, and predictions of what screens would resolve."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.urls import reverse

from judgments.actions.base import Action, Subject
from judgments.actions.campaigns import PlanAction, settings_fields
from judgments.actions.fields import FilesField, WordsField
from judgments.models import Campaign
from judgments.models.campaign import PLAN_SETTINGS
from judgments.rules.errors import Refused
from ranking.metrics.catalogue import canonical
from ranking.metrics.material import MetricError
from ranking.models import Metric, Publication, Report
from ranking.numbers.tables import Table, to_markdown
from ranking.power.predicting import (
    CAMPAIGNS,
    JUDGES,
    MOST_CAMPAIGNS,
    MOST_JUDGES,
    RECOMMENDED,
    AnyAssumptions,
    Wanted,
    assumptions_of,
    predict,
    request_prediction,
)
from ranking.power.predicting import compare as compare_ways
from ranking.publishing.facts import LICENCE_CHOICES, ReleaseForm
from ranking.publishing.public_page import publish, withdraw
from ranking.reports import plans
from ranking.reports.kinds.kind import kind_for
from ranking.scores.stored import add_metrics, cancel_scoring, request_scoring
from ranking.scores.texts import usual_metrics
from ranking.stats.choices import ParametersError
from ranking.stats.comparisons.study import PRESETS as ANALYSES
from ranking.stats.power.verdicts import VerdictAssumptions
from ranking.stats.power.worlds import Assumptions
from ranking.stats.rankings.stopping import Goal

MOST_JUDGMENTS = 100_000_000


class ScoreOutputs(Action):
    """Have workers score the outputs by metrics; without any, by the usual ones of the language."""

    address = "metrics/score/"
    page = "metrics"
    has_own_page = True
    metrics = WordsField(required=False, help_text="Names, with settings after a colon, such as m2:beta=0.2.")

    def clean_metrics(self) -> list[str]:
        try:
            return list(map(canonical, self.cleaned_data["metrics"]))
        except MetricError as reason:
            raise forms.ValidationError(str(reason)) from reason

    def do(self, metrics: list[str], **_: Any) -> str:
        jobs = request_scoring(self.campaign, metrics or usual_metrics(self.campaign), self.user)
        self.outcome = {"jobs": [job.pk for job in jobs]}
        if not jobs:
            return "All of these are already being scored."
        return f"Workers score the outputs by {', '.join(job.metric for job in jobs)}."


class AddMetrics(Action):
    """Store scores from files, which reports compare with people; they replace those of the same name and level."""

    address = "metrics/add/"
    page = "metrics"
    has_own_page = True
    files = FilesField(  # type: ignore[assignment] # a form has its files under this name once it is made
        label="Files of scores",
        help_text="Lines with a system and its score, or a table with a column for each system and a row for each "
        "sentence. Every system that takes part needs a score.",
    )
    columns = forms.CharField(
        required=False,
        max_length=1000,
        label="Names of the score columns",
        help_text="Only for files without a header. Separate names by spaces, such as F P R. Precision and recall, "
        "named P and R, also give the curve of F over beta.",
    )

    def do(self, files: list[UploadedFile], columns: str) -> str:
        earlier = dict(Metric.objects.of(self.campaign).values_list("pk", "name"))
        added = [
            metric.name
            for file in files
            for metric in add_metrics(self.campaign, file.name or "", file.read(), tuple(columns.split()), self.user)
        ]
        left = set(Metric.objects.of(self.campaign).values_list("pk", flat=True))
        gone = sorted({name for pk, name in earlier.items() if pk not in left})
        instead = f" in place of the earlier ones by {', '.join(gone)}" if gone else ""
        return f"Added scores by {', '.join(added)}{instead}. The next report will use them."


class RemoveMetric(Action):
    """Remove the scores of a metric, at one level or at all; existing reports keep their numbers."""

    address = "metrics/remove/"
    page = "metrics"
    name = forms.CharField(max_length=100)
    level = forms.ChoiceField(required=False, choices=[("", "all"), *Metric.Level.choices])

    def do(self, name: str, level: str) -> str:
        scores = Metric.objects.of(self.campaign).filter(name=name)
        if not (scores.filter(level=level) if level else scores).delete()[0]:
            raise Refused(f"There are no scores by {name}, or they have already been removed.")
        return f"Removed the scores by {name}."


class CancelScorings(Action):
    """Cancel all unfinished scorings; stored scores stay."""

    address = "scorings/cancel/"
    page = "metrics"

    def do(self) -> str:
        cancel_scoring(self.campaign)
        return "The scorings were cancelled; stored scores stay."


def _assumed(about: str, usual: float) -> forms.FloatField:
    return forms.FloatField(required=False, help_text=f"{about} ({usual}).")


class Predict(PlanAction):
    """Simulate judges to say what a plan of screens would resolve, under assumptions or as judgments so far suggest."""

    address = "power/predict/"
    page = "power"
    has_own_page = True
    may_take_long = True
    is_atomic = False
    from_judgments = forms.BooleanField(required=False, help_text="Take the judgments so far instead of assumptions.")
    spread = forms.FloatField(
        required=False,
        help_text=f"Standard deviation of the systems' Expected Wins ({Assumptions.spread}), or of precision and "
        f"recall ({VerdictAssumptions.spread}).",
    )
    ties = _assumed("Share of compared pairs that tie", Assumptions.ties)
    agreement = _assumed("How often two judges who both prefer one of two versions agree", Assumptions.agreement)
    errors = _assumed("Verdicts: share of usages that are errors", VerdictAssumptions.errors)  # type: ignore[assignment]
    precision = _assumed("Verdicts: of systems, on average", VerdictAssumptions.precision)
    recall = _assumed("Verdicts: of systems, on average", VerdictAssumptions.recall)
    accuracy = _assumed("Verdicts: how often one other than unknown is right", VerdictAssumptions.accuracy)
    unknown = _assumed("Verdicts: share of unknown ones", VerdictAssumptions.unknown)
    judges = forms.IntegerField(
        required=False, min_value=1, max_value=MOST_JUDGES, help_text=f"Number of judges ({JUDGES})."
    )
    campaigns = forms.IntegerField(
        required=False, min_value=1, max_value=MOST_CAMPAIGNS, help_text=f"Number of simulated campaigns ({CAMPAIGNS})."
    )
    analysis = forms.ChoiceField(
        required=False,
        choices=[("", RECOMMENDED), *((name, name) for name in ANALYSES)],
        help_text="Preset of reports.",
    )
    compare = forms.BooleanField(required=False, help_text="Compare ways of choosing sentences, too.")

    def do(self, screens: int | None, from_judgments: bool, compare: bool, **given: Any) -> str:
        assumed = None if from_judgments else assumptions_of(self.campaign, given)
        wanted = Wanted(self.plan(), screens, assumed, given["judges"] or JUDGES, given["campaigns"] or CAMPAIGNS,
                        given["analysis"] or RECOMMENDED, compare)  # fmt: skip
        if self.user:
            self.job = request_prediction(self.campaign, self.user, wanted)
            return "A worker simulates these campaigns."
        table = predict(self.campaign, wanted, lambda _, done: self.progress(done, wanted.campaigns))
        said = describe_curves(table, assumed)
        if compare:
            ways = compare_ways(self.campaign, wanted, lambda done: self.progress(done, wanted.campaigns))
            said += f"\n\n{to_markdown(ways)}\nScores and tau are compared with the truth of the whole collection."
        return said


Predict.base_fields |= settings_fields(PLAN_SETTINGS)


def describe_curves(table: Table, assumptions: AnyAssumptions | None) -> str:
    if not isinstance(assumptions, Assumptions):
        return to_markdown(table)
    lines = [
        f"If the systems' scores have a standard deviation of {assumptions.spread:g}, {assumptions.ties:.0%} of pairs "
        f"tie and judges agree on {assumptions.agreement:.0%} of the others:",
        "judgments  hours  pairs separated (80% of campaigns)  best is first  ranks a system  detects",
    ]
    for point in table.dicts():
        least = "nothing" if point["detectable"] is None else f"{point['detectable']:.3f}"
        band = f"({point['resolved_low']:.0f} to {point['resolved_high']:.0f})"
        lines.append(
            f"{point['judgments']:>9,}  {point['hours']:>5.1f}  {point['resolved']:>15.1f} {band:<19}  "
            f"{point['best_found']:>12.0%}  {point['ranks']:>14.1f}  {least:>7}"
        )
    lines.append("It detects a difference of scores that is separated in four of five campaigns.")
    return "\n".join(lines)


def _reports(campaign: Campaign) -> QuerySet[Report]:
    return Report.objects.of(campaign).select_related("campaign")


class ReportAction(Action):
    about = Subject("report", _reports)
    page = "publication"
    subject: Report

    def return_address(self) -> str:
        return reverse(self.page, args=[self.subject.pk])


class PublishReport(ReportAction, ReleaseForm):
    """Show a report to everybody who knows the address of its public page; publishing it again keeps the address."""

    address = "reports/<int:pk>/publish/"
    has_own_page = True
    title = description = None  # type: ignore[assignment] # the report has its own
    licence = forms.ChoiceField(
        required=False,
        choices=[("", "No licence"), *LICENCE_CHOICES],
        help_text="The terms under which everybody may use the page and its files; the page names them.",
    )
    with_texts = forms.BooleanField(
        required=False,
        label="Publish the source texts and outputs too",
        help_text="They are added as texts.csv; tick this only if their licence allows it.",
    )

    def do(self, **_: Any) -> str:
        if not Publication.objects.filter(report=self.subject).exists():
            self.undone_by(WithdrawReport, self.subject)
        publication = publish(self.subject, self.choices())
        self.outcome = {"address": publication.url}
        return "The report is published; the address is below."


class WithdrawReport(ReportAction):
    """Delete the public page of a report; its address leads nowhere from now on."""

    address = "reports/<int:pk>/withdraw/"

    def do(self) -> str:
        withdraw(self.subject)
        return "The report is no longer public."


class AnalysisPlanForm(forms.Form):
    """The part of a plan that is not about the report's numbers."""

    wanted = forms.IntegerField(
        min_value=1, max_value=MOST_JUDGMENTS, label="Judgments at most", help_text="Judging ends with this number."
    )
    until = forms.DateField(
        required=False,
        label="Last day",
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text="Such as 2027-01-31; leave blank for none.",
    )
    goal = forms.ChoiceField(
        required=False,
        label="Goal that ends judging earlier",
        choices=[(goal.value, goal.label) for goal in Goal],
        help_text="You may look at the board every day: its intervals, and those of reports by this plan, hold however "
        "often you look, and are about half as wide again as those of a single look.",
    )
    stopping = forms.CharField(
        required=False,
        max_length=2000,
        label="What else ends judging",
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="For example: when the money is spent. Leave blank for nothing.",
    )


class FixPlan(Action, AnalysisPlanForm):
    """Fix a plan of analysis: how many judgments, what ends judging, and the analysis. Earlier plans stay on record."""

    address = "plan/fix/"
    page = "analysis_plan"
    has_own_page = True
    preset = forms.CharField(required=False, max_length=40, help_text="Of reports (recommended).")
    changes = WordsField(
        required=False, help_text="Choices of the report that differ from the preset, such as unit=sentence."
    )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        kind, fault = kind_for(self.campaign.protocol), "preset"
        try:
            chosen = kind.preset_for(self.campaign, given.get("preset") or RECOMMENDED)
            fault = "changes"
            self.parameters = chosen.with_words(given.get("changes", []))
        except ParametersError as reason:
            self.add_error(fault, str(reason))
        return given

    def do(self, preset: str, changes: list[str], **given: Any) -> str:
        plans.fix_plan(self.campaign, self.requester, preset or RECOMMENDED, self.parameters, **given)
        return plans.FIXED


ACTIONS = (FixPlan, Predict, ScoreOutputs, AddMetrics, RemoveMetric, CancelScorings, PublishReport, WithdrawReport)
