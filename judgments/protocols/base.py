"""The interface of a protocol: one object that holds everything that depends on how judges answer."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from django.db.models import Model, QuerySet
from django.utils.functional import Promise
from rest_framework import serializers

from judgments.models import Assignment, Campaign, Judgment, Slot
from judgments.models.answers import OnCandidate
from judgments.models.campaign import SETTINGS
from judgments.protocols.candidates import Merit, Scale, below_their_source, candidate_columns
from judgments.protocols.form import AnswerForm, FormSpecification, one_place_per_candidate, one_place_per_version
from judgments.protocols.rows import Answer, Columns, empty_cells
from judgments.rules.authored.tutorials import Example, Kind
from judgments.rules.datasheet.questions import NO_INSTRUMENT
from judgments.rules.files.csv_tables import cells
from judgments.rules.files.values import Check
from judgments.rules.majority import Sides, sides_of
from judgments.rules.texts.marking import Marked

# What judges judge: a sentence and its corrections, a whole text and its corrections, or usages in sentences.
TEXTS, ESSAYS, USAGES = "texts", "essays", "usages"
# The time for a ranking of five in the campaign of Grundkiewicz et al. (2015).
PUBLISHED_SECONDS = 49.0
SPECIAL = frozenset(name for name, setting in SETTINGS.items() if setting.is_special)
Row = Mapping[str, Any]


@dataclass(frozen=True)
class AnswerTable:
    """The table of the answers, and checks of answers in an archive.

    The model's fields limit each column; `limits` restricts columns further. `fault` returns what is wrong with all
    answers of one judgment together, given the length of the sentence.
    """

    model: type[Model]
    fault: Callable[[Sequence[Row], int], str | None] = lambda answers, length: None
    limits: Mapping[str, Check] = field(default_factory=dict)

    @property
    def of_candidates(self) -> bool:
        return issubclass(self.model, OnCandidate)

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.model._meta.concrete_fields if not (one.primary_key or one.is_relation))


@dataclass(frozen=True)
class Teaching:
    """The format of tutorial examples, and how given and expected answers are compared and described.

    `usage` finds the marked usage in an example's sentence.
    """

    kind: Kind
    agree: Callable[[Sequence[str], Sequence[Any]], list[bool]]
    describe: Callable[[Any], str] = str
    describe_expected: Callable[[str], str] = str
    usage: Callable[[str], Marked | None] = lambda source: None


@dataclass(frozen=True)
class Instrument:
    """How an answer is given, in the terms of questions 4.3.3 to 4.3.8 of a datasheet.

    Without a `size`, which may depend on the size of the screen, there is no scale, and `task` says what judges do.
    """

    elicitation: str
    form: str = NO_INSTRUMENT
    size: Callable[[Campaign], int] | None = None
    values: Callable[[Campaign], str] = lambda campaign: ""
    task: str = ""


class Stance(NamedTuple):
    """The rank or score of each candidate, or what is said of the usage; and the side taken on each question."""

    values: Mapping[int, float]
    said: str
    sides: Sides


@dataclass(frozen=True, eq=False)
class Objects:
    """A list of objects that a program may send in an answer: their fields, and the most objects."""

    name: str
    about: str
    fields: Mapping[str, serializers.Field]
    most: int


@dataclass(frozen=True)
class Protocol:
    """How judges answer. To add a protocol, create one of these and `register` it; nothing else refers to it by name.

    Its templates are `judgments/protocols/NAME/answer.html`, the fields of one answer, and `keys.html`, the help for
    the keys. Its script passes `setUp(screen)`, `isAnswered(card)` and `missing(number, card)` to `drive`.
    """

    # Its label in forms and pages, a clause for the help text ("asks which version is better"), and the heading of each
    # screen.
    name: str
    label: str | Promise
    explanation: str
    task: str | Promise

    # The form of an answer, the table that stores it, and the conversions between them: `store` gets the return value
    # of `form.answers`, and `load` returns the fields of the form as they were sent. `specification` describes the form
    # of an assignment, given the candidates shown if they are at hand; in a preview neither is stored.
    # `specification_of_example` describes that of an example of the tutorial.
    form: type[AnswerForm]
    answers: AnswerTable
    store: Callable[[Judgment, Sequence[Slot], Sequence[Any]], None]
    load: Callable[[Judgment, Sequence[Slot]], dict[str, Any]]
    specification: Callable[[Assignment, Sequence[Slot] | None], FormSpecification] = field(
        kw_only=True, default=one_place_per_candidate
    )
    specification_of_example: Callable[[Campaign, Example], FormSpecification] = field(
        kw_only=True, default=one_place_per_version
    )
    # The fields that a program may send, by the names of the form's fields without their places; all protocols share
    # one namespace in the API.
    inputs: Mapping[str, serializers.Field | Objects]
    teaching: Teaching
    # The folder of its ready-made texts for judges, see `judgments.protocols.guidance`.
    guidance: Path | None = None
    # What a program said at a place (from 1), in words for judges, given the fields of its answer.
    said: Callable[[Mapping[str, Any], int], str] | None = None
    # What judgments answer to each question of their screens, if that is more than the sides that they take.
    answered: Callable[[QuerySet[Judgment]], Mapping[int, Mapping[Any, Any]]] | None = None
    # The column by which candidates are compared, if they are.
    scale: Scale | None = None
    # The columns of judgments.csv, if not those of the table; and descriptions of answers for their judge, by judgment.
    columns: Callable[[Campaign], Columns] | None = None
    described: Callable[[QuerySet[Judgment]], Mapping[int, str]] = lambda judgments: {}
    # What datasheets say about its answers; without it, they ask the organiser.
    instrument: Instrument | None = None
    # Texts of the script, by the names under which it reads them.
    words: Mapping[str, str | Promise] = field(default_factory=dict)

    # Screens: texts, essays or usages; whether they show candidates, and whether a single one can be judged; whether
    # they keep the order of the text; how many sentences on each side a judge can open; and the seconds a screen takes,
    # until the campaign has its own times.
    material: str = TEXTS
    has_candidates: bool = True
    alone: bool = True
    in_order: bool = False
    wider: int = 5
    seconds: float = PUBLISHED_SECONDS
    # Whether the versions stand beside their source, in a template of their own, rather than under it.
    is_beside: bool = False

    # Where no candidates are compared, answers as merits of the usage or the sentence; opposite ones differ in sign.
    marks: Callable[[QuerySet[Judgment]], Iterable[Merit]] = lambda judgments: ()

    # Controls: which judgments of them are right, if the scale does not decide that; the feedback to the judge; and
    # whether judges who fail them get no more screens.
    passed: Callable[[QuerySet[Judgment]], Mapping[int, bool]] | None = None
    feedback: Callable[[Judgment], str] = lambda judgment: ""
    dismisses: bool = False

    # Settings of a campaign: the special ones that apply, the others that do not apply, and those in which the preset
    # "recommended" differs.
    special: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()
    recommended: Mapping[str, object] = field(default_factory=dict)

    # The names of the kinds of reports, beginning with that of the board and of plans of analysis; whether reports have
    # one number for each judge's agreement with the others; and whether experts can be distinguished from the crowd.
    report_kinds: tuple[str, ...] = ()
    has_others_kappa: bool = False
    has_experts: bool = False

    @property
    def lacks(self) -> frozenset[str]:
        """The settings that do not apply."""
        return self.without | (SPECIAL - self.special)

    @property
    def has_outputs(self) -> bool:
        """Whether systems produce texts, which metrics can score."""
        return self.material != USAGES

    @property
    def unit(self) -> str:
        """What organisers' pages call a segment."""
        return "text" if self.material == ESSAYS else "sentence"

    @property
    def has_lines(self) -> bool:
        """Whether each line of a file is a text, as in the files of teams."""
        return self.material == TEXTS

    @property
    def can_be_simulated(self) -> bool:
        """Whether it is known how judges answer who are simulated: by comparing texts, or by verdicts on usages."""
        return self.scale is not None or self.material == USAGES

    @property
    def has_scores(self) -> bool:
        """Whether candidates get scores on a bounded scale rather than ranks."""
        return self.scale is not None and self.scale.ends is not None

    @property
    def fragment(self) -> str:
        return f"judgments/protocols/{self.name}/answer.html"

    @property
    def versions(self) -> str:
        return f"judgments/protocols/{self.name}/versions.html" if self.is_beside else "judgments/_candidates.html"

    @property
    def keys(self) -> str:
        return f"judgments/protocols/{self.name}/keys.html"

    @property
    def script(self) -> str:
        return f"js/protocols/{self.name}.js"

    @property
    def prompt(self) -> str:
        """The ready-made prompt for programs; empty if there is none."""
        path = self.guidance and self.guidance.parent / "prompt.txt"
        return path.read_text(encoding="utf-8").strip() if path and path.exists() else ""

    def merits(self, judgments: QuerySet[Judgment]) -> Iterable[Merit]:
        """Yield the merits of candidates; none if the protocol compares no candidates."""
        if self.scale is None:
            return
        rows = self.answers.model._default_manager.filter(judgment__in=judgments)
        rows = rows.exclude(**{self.scale.column: None})  # where judges do not rank
        for judgment, candidate, value in rows.values_list("judgment", "candidate", self.scale.column):
            yield Merit(judgment, candidate, self.scale.merit(value))

    @property
    def has_sides(self) -> bool:
        """Whether two judges can answer the opposite."""
        return "majority_feedback" not in self.lacks

    def stances(self, judgments: QuerySet[Judgment]) -> dict[int, "Stance"]:
        """What judgments with answers say, and the sides that they take."""
        if self.scale is None:
            said = self.described(judgments)
            return {pk: Stance({}, said[pk], {(): int(mark)}) for pk, _, mark in self.marks(judgments)}
        given: dict[int, dict[int, float]] = defaultdict(dict)
        for judgment, candidate, merit in self.merits(judgments):
            given[judgment][candidate] = merit
        return {
            pk: Stance({candidate: abs(merit) for candidate, merit in merits.items()}, "", sides_of(merits))
            for pk, merits in given.items()
        }

    def compared(self, judgments: QuerySet[Judgment]) -> Mapping[int, Mapping[Any, Any]]:
        """What judgments answer to each question of their screens, to compare with others."""
        if self.answered is not None:
            return self.answered(judgments)
        return {pk: stance.sides for pk, stance in self.stances(judgments).items()}

    def ranks(self, answers: Iterable[Answer]) -> list[int]:
        """Rank answers; with scores, 1 is the highest, and equal scores share a rank."""
        if self.scale is None:
            return []
        place = self.answers.columns.index(self.scale.column)
        given = [answer.values[place] for answer in answers]
        if not self.scale.more_is_better:
            return given
        places = {score: place for place, score in enumerate(sorted(set(given), reverse=True), 1)}
        return [places[score] for score in given]

    def passed_controls(self, judgments: QuerySet[Judgment]) -> Mapping[int, bool]:
        """For each of these judgments of controls, whether it is right."""
        if self.passed:
            return self.passed(judgments)
        return dict(below_their_source(self.merits(judgments))) if self.scale else {}

    def exported(self, campaign: Campaign) -> Columns:
        if self.columns:
            return self.columns(campaign)
        names = self.answers.columns
        if self.answers.of_candidates:
            return candidate_columns(campaign, names, _plain)
        return Columns(names, lambda head, number, answer: _plain(answer), empty_cells(names))

    def fault_of_answers(self, answers: Sequence[Row], length: int) -> str | None:
        """Why the answers of a judgment in an archive are invalid, given the length of its sentence; or None."""
        for answer in answers:
            for name, check in self.answers.limits.items():
                if fault := check(answer[name]):
                    return f"holds a {name} that {fault}"
        return self.answers.fault(answers, length)


def _plain(answer: Answer) -> str:
    return cells({True: "yes", False: "no"}[value] if isinstance(value, bool) else value for value in answer.values)
