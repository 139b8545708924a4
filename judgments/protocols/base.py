"""How judges answer: the class that protocols subclass, with everything that depends on the protocol."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from inspect import getfile
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from django.db.models import Model, QuerySet
from django.utils.functional import Promise
from rest_framework import serializers

from judgments.models import Assignment, Campaign, Judgment, Slot
from judgments.models.answers import OnCandidate
from judgments.models.campaign import SETTINGS
from judgments.protocols.form import AnswerForm, FormSpecification, letter
from judgments.protocols.rows import (
    AnswerRow,
    AnswerScale,
    Columns,
    Merit,
    below_their_source,
    by_judgment,
    candidate_columns,
    empty_cells,
)
from judgments.rules.authored.categories import categories_of
from judgments.rules.authored.tutorials import Example, ExampleRules
from judgments.rules.datasheet.sheet import NO_INSTRUMENT
from judgments.rules.files.csv_tables import cells
from judgments.rules.majority import Sides, sides_of
from judgments.rules.texts.marking import MarkedUsage

# What judges judge: a sentence and its corrections, a whole text and its corrections, or usages in sentences.
TEXTS, ESSAYS, USAGES = "texts", "essays", "usages"
# The time for a ranking of five in the campaign of Grundkiewicz et al. (2015).
PUBLISHED_SECONDS = 49.0
SPECIAL_SETTINGS = frozenset(name for name, setting in SETTINGS.items() if setting.is_special)


class Instrument(NamedTuple):
    """How an answer is given, in the terms of questions 4.3.3 to 4.3.8 of a datasheet.

    The number of values is None if there is no scale; then `task` says what judges do.
    """

    elicitation: str
    form: str = NO_INSTRUMENT
    size: int | None = None
    values: str = ""
    task: str = ""


class Opinion(NamedTuple):
    """The rank or score of each candidate, or the answer in words; and the side taken on each question."""

    values: Mapping[int, float]
    text: str
    sides: Sides


@dataclass(frozen=True, eq=False)
class Objects:
    """A list of objects that a program may send in an answer: their fields, and the most objects."""

    name: str
    about: str
    fields: Mapping[str, serializers.Field]
    most: int


class Protocol(ExampleRules):
    """How judges answer. To add a protocol, subclass this in a folder of its own and name it in `__init__.py` here.

    The folder also has `answer.html`, the fields of one answer, `keys.html`, the help for the keys, `static/screen.js`,
    which passes `setUp(screen)`, `isAnswered(card)` and `missing(number, card)` to `drive`, and, if it needs them,
    `static/screen.css`, `guidance/` with ready-made texts for judges, and `prompt.txt` for programs.
    """

    # Its label in forms and pages, a clause for the help text ("asks which version is better"), the heading of each
    # screen, and how its examples are answered, with the keys for those who have them.
    name: str
    label: str | Promise
    explanation: str
    task: str | Promise
    # Of the card that offers it for new campaigns: its title and a sentence, with the picture in `card.html`; without
    # them it is among the other ways to judge.
    card: ClassVar[tuple[str, str] | None] = None
    how: str | Promise = ""
    how_by_key: str | Promise = ""
    # The form of an answer, the table that stores it, and the fields that a program may send, by their names in the
    # form without their places; all protocols share one namespace in the API.
    form: type[AnswerForm]
    answer_model: type[Model]
    inputs: ClassVar[Mapping[str, serializers.Field | Objects]]
    # Texts of the script, by the names under which it reads them.
    words: ClassVar[Mapping[str, str | Promise]] = {}
    # The column by which candidates are compared, if they are.
    scale: AnswerScale | None = None

    # Screens: texts, essays or usages; whether they show candidates, and whether a single one can be judged; whether
    # they keep the order of the text; how many sentences on each side a judge can open; the seconds a screen takes,
    # until the campaign has its own times; and whether versions stand beside their source, in `versions.html`.
    material = TEXTS
    has_candidates = True
    allows_single = True
    in_order = False
    context_sentences = 5
    seconds = PUBLISHED_SECONDS
    is_beside = False

    # Whether judges who fail controls get no more screens.
    stops_failing_judges = False
    # Settings of a campaign: the special ones that it uses, the others that it does not, and those in which the preset
    # "recommended" differs.
    special_settings: frozenset[str] = frozenset()
    unused_settings: frozenset[str] = frozenset()
    recommended: ClassVar[Mapping[str, object]] = {}
    # The names of the kinds of reports, beginning with that of the board and of plans of analysis; whether reports have
    # one number for each judge's agreement with the others; and whether experts can be distinguished from the crowd.
    report_kinds: tuple[str, ...] = ()
    has_others_kappa = False
    has_experts = False

    def specification(self, assignment: Assignment, slots: Sequence[Slot] | None = None) -> FormSpecification:
        """Describe the form of an assignment, given the candidates shown if they are at hand: a place for each one, or
        for the sentence itself.
        """
        return FormSpecification(len(assignment.order) or 1)

    def specification_of_example(self, campaign: Campaign, example: Example) -> FormSpecification:
        categories = categories_of(campaign.category_list, campaign.categories)
        return FormSpecification(len(example.versions), example.source, categories)

    def store(self, judgment: Judgment, slots: Sequence[Slot], answers: Sequence[Any]) -> None:
        """Store what `form.answers` returned."""
        raise NotImplementedError

    def load(self, judgment: Judgment, slots: Sequence[Slot]) -> dict[str, Any]:
        """The fields of the form as they were sent."""
        raise NotImplementedError

    def store_rows(self, judgment: Judgment, slots: Sequence[Slot], rows: Iterable[Mapping[str, Any]]) -> None:
        """Store a row of columns for each candidate shown."""
        self.answer_model._default_manager.bulk_create(
            self.answer_model(judgment=judgment, screen_id=slot.screen_id, candidate_id=slot.candidate_id, **row)
            for slot, row in zip(slots, rows, strict=True)
        )

    def rows_by_place(self, judgment: Judgment, slots: Sequence[Slot]) -> list[tuple[int, Any]]:
        """What was stored for candidates, with their places, from 1."""
        rows: Any = self.answer_model._default_manager.filter(judgment=judgment)
        stored = {row.candidate_id: row for row in rows}
        return [
            (place, stored[slot.candidate_id]) for place, slot in enumerate(slots, 1) if slot.candidate_id in stored
        ]

    # Tutorials: the rules of `ExampleRules` and these.

    def differences(self, example: Example, given: Sequence[Any]) -> list[str]:
        """Sentences that say where what `form.tutorial_answers` returned differs from what is expected."""
        raise NotImplementedError

    def marked_usage(self, source: str) -> MarkedUsage | None:
        """The usage that is marked in an example's sentence."""
        return None

    # What judgments say.

    def merits(self, judgments: QuerySet[Judgment]) -> Iterable[Merit]:
        """Yield the merits of candidates; where none are compared, of the usage or the sentence: opposite answers
        differ in sign.
        """
        if self.scale is None:
            return
        rows = self.answer_model._default_manager.filter(judgment__in=judgments)
        rows = rows.exclude(**{self.scale.column: None})  # where judges do not rank
        for judgment, candidate, value in rows.values_list("judgment", "candidate", self.scale.column):
            yield Merit(judgment, candidate, self.scale.merit(value))

    def descriptions(self, judgments: QuerySet[Judgment]) -> Mapping[int, str]:
        """Answers in words for their judge, by judgment: the value of each version, in the order shown."""
        given = by_judgment(self.merits(judgments))
        slots = Slot.objects.filter(screen__in=judgments.values("screen"))
        candidates = {
            (screen, place): one for screen, place, one in slots.values_list("screen", "position", "candidate")
        }
        described = {}
        for answered in judgments.select_related("assignment"):
            shown = [candidates[answered.screen_id, place] for place in answered.assignment.shown_positions()]
            values = given[answered.pk]
            said = [f"{letter(place)} {abs(values[one]):g}" for place, one in enumerate(shown, 1) if one in values]
            described[answered.pk] = ", ".join(said)
        return described

    def opinions(self, judgments: QuerySet[Judgment]) -> dict[int, Opinion]:
        """What judgments with answers say, and the sides that they take."""
        if self.scale is None:
            texts = self.descriptions(judgments)
            return {pk: Opinion({}, texts[pk], {(): int(merit)}) for pk, _, merit in self.merits(judgments)}
        return {
            pk: Opinion({candidate: abs(merit) for candidate, merit in merits.items()}, "", sides_of(merits))
            for pk, merits in by_judgment(self.merits(judgments)).items()
        }

    def answers_by_question(self, judgments: QuerySet[Judgment]) -> Mapping[int, Mapping[Any, Any]]:
        """What judgments answer to each question of their screens, to compare with others."""
        return {pk: opinion.sides for pk, opinion in self.opinions(judgments).items()}

    def describe_program_answer(self, answers: Mapping[str, Any], place: int) -> str:
        """What a program answered at a place (from 1), in words for judges, given the fields of its answer."""
        raise NotImplementedError

    # Controls.

    def passed_controls(self, judgments: QuerySet[Judgment]) -> Mapping[int, bool]:
        """For each of these judgments of controls, whether it is right."""
        return dict(below_their_source(self.merits(judgments))) if self.scale else {}

    def feedback(self, judgment: Judgment) -> str:
        """What the judge of a control is told."""
        return ""

    # Files.

    def columns(self, campaign: Campaign) -> Columns:
        """The columns of judgments.csv, by default those of the table of answers."""
        names = self.answer_columns
        if self.answers_on_candidates:
            return candidate_columns(campaign, names, _plain)
        return Columns(names, lambda head, number, answer: _plain(answer), empty_cells(names))

    def fault_of_answers(self, answers: Sequence[Mapping[str, Any]], length: int) -> str | None:
        """Why the answers of a judgment in an archive are invalid, given the length of its sentence; or None."""
        return None

    def instrument(self, campaign: Campaign) -> Instrument | None:
        """What datasheets say about its answers; otherwise they ask the organiser."""
        return None

    # What follows from the above; not to be overridden.

    @cached_property
    def folder(self) -> Path:
        return Path(getfile(type(self))).parent

    @property
    def guidance(self) -> Path | None:
        """The folder of its ready-made texts for judges, see `judgments.protocols.guidance`."""
        folder = self.folder / "guidance"
        return folder if folder.is_dir() else None

    @property
    def prompt(self) -> str:
        """The ready-made prompt for programs; empty if there is none."""
        path = self.folder / "prompt.txt"
        return path.read_text(encoding="utf-8").strip() if path.is_file() else ""

    @property
    def fragment(self) -> str:
        return f"protocols/{self.name}/answer.html"

    @property
    def picture(self) -> str:
        return f"protocols/{self.name}/card.html"

    @property
    def keys(self) -> str:
        return f"protocols/{self.name}/keys.html"

    @property
    def versions(self) -> str:
        return f"protocols/{self.name}/versions.html" if self.is_beside else "judgments/_candidates.html"

    @property
    def script(self) -> str:
        return f"protocols/{self.name}/screen.js"

    @cached_property
    def styles(self) -> str:
        return f"protocols/{self.name}/screen.css" if (self.folder / "static" / "screen.css").is_file() else ""

    def uses(self, setting: str) -> bool:
        """Whether a setting of campaigns applies."""
        if setting in SPECIAL_SETTINGS:
            return setting in self.special_settings
        return setting not in self.unused_settings

    def form_for(
        self, assignment: Assignment, given: Any = None, slots: Sequence[Slot] | None = None, **options: Any
    ) -> AnswerForm:
        """The form of an assignment, given what was sent and the candidates shown if they are at hand."""
        return self.form(given, specification=self.specification(assignment, slots), **options)

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
    def has_compact_view(self) -> bool:
        return self.uses("compact_view")

    @property
    def has_sides(self) -> bool:
        """Whether two judges can answer the opposite."""
        return self.uses("majority_feedback")

    @property
    def answers_on_candidates(self) -> bool:
        return issubclass(self.answer_model, OnCandidate)

    @cached_property
    def answer_columns(self) -> tuple[str, ...]:
        fields = self.answer_model._meta.concrete_fields
        return tuple(one.name for one in fields if not (one.primary_key or one.is_relation))

    def ranks(self, answers: Iterable[AnswerRow]) -> list[int]:
        """Rank answers; with scores, 1 is the highest, and equal scores share a rank."""
        if self.scale is None:
            return []
        place = self.answer_columns.index(self.scale.column)
        given = [answer.values[place] for answer in answers]
        if not self.scale.more_is_better:
            return given
        places = {score: place for place, score in enumerate(sorted(set(given), reverse=True), 1)}
        return [places[score] for score in given]


def _plain(answer: AnswerRow) -> str:
    return cells({True: "yes", False: "no"}[value] if isinstance(value, bool) else value for value in answer.values)
