"""The answers inside a judgment, in one table per protocol."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q

from judgments.models.campaign import LARGEST_SCREEN, between
from judgments.models.constraints import BelongsTo, check, in_range, unique
from judgments.models.judgments import Judgment
from judgments.models.material import Candidate
from judgments.models.screens import Screen
from judgments.rules.authored.rubrics import fault_of_reasons, fault_of_said
from judgments.rules.texts.edits import fault_of_judged
from judgments.rules.texts.marking import fault_of_spans

BEST_SCORE = 100


def check_said(stored: Any) -> None:
    if fault := fault_of_said(stored):
        raise ValidationError(fault)


def check_reasons(stored: Any) -> None:
    if fault := fault_of_reasons(stored):
        raise ValidationError(fault)


def check_spans(stored: Any) -> None:
    if fault := fault_of_spans(stored):
        raise ValidationError(fault)


class OnCandidate(models.Model):
    """An answer about one candidate of the judged screen.

    The constraints below check screen and candidate through the judgment and the slot; ordinary foreign keys would
    check less and cost two more indexes on the largest tables.
    """

    judgment = models.ForeignKey(Judgment, models.CASCADE, db_index=False)
    screen = models.ForeignKey(Screen, models.DO_NOTHING, db_index=False, db_constraint=False)
    candidate = models.ForeignKey(Candidate, models.DO_NOTHING, db_index=False, db_constraint=False)

    class Meta:
        abstract = True
        # Lets the database check quickly that a deleted slot has no answer.
        indexes = [models.Index(fields=["screen", "candidate"], name="%(class)s_of_slot")]
        constraints = [
            unique("one_%(class)s_per_candidate", "judgment", "candidate"),
            BelongsTo(
                fields=["judgment", "screen"],
                to="judgments.Judgment",
                to_fields=["id", "screen"],
                name="%(class)s_has_the_screen_of_its_judgment",
            ),
            BelongsTo(
                fields=["screen", "candidate"],
                to="judgments.Slot",
                to_fields=["screen", "candidate"],
                name="%(class)s_candidate_belongs_to_screen",
            ),
        ]


class Placement(OnCandidate):
    """A candidate's rank; 1 is best, ties are allowed, gaps mean nothing."""

    rank = models.PositiveSmallIntegerField(validators=between(1, LARGEST_SCREEN))

    class Meta(OnCandidate.Meta):
        constraints = [*OnCandidate.Meta.constraints, in_range("placement", "rank", 1, LARGEST_SCREEN)]

    def __str__(self) -> str:
        return f"rank {self.rank}"


class ScoreField(models.FloatField):
    """A number, read as an int if it is whole: judges give whole scores, and only imported means have fractions."""

    def from_db_value(self, value: float | None, *_: Any) -> float | None:
        return int(value) if value is not None and value.is_integer() else value


class Rating(OnCandidate):
    """A candidate's score from 0 to 100, and whether it changed the meaning."""

    score = ScoreField(validators=between(0, BEST_SCORE))
    meaning_changed = models.BooleanField(default=False)

    class Meta(OnCandidate.Meta):
        constraints = [*OnCandidate.Meta.constraints, in_range("rating", "score", 0, BEST_SCORE)]

    def __str__(self) -> str:
        return f"score {self.score}"


def check_judged_edits(edits: Any) -> None:
    if fault := fault_of_judged(edits):
        raise ValidationError(fault)


class EditVerdicts(OnCandidate):
    """A verdict on each edit of a candidate, the errors that it leaves, and its rank where judges rank."""

    edits = models.JSONField(validators=[check_judged_edits], blank=True, default=list)
    rank = models.PositiveSmallIntegerField(null=True, blank=True, validators=between(1, LARGEST_SCREEN))

    class Meta(OnCandidate.Meta):
        constraints = [
            *OnCandidate.Meta.constraints,
            check("edit_verdicts_rank_in_range", Q(rank=None) | Q(rank__gte=1, rank__lte=LARGEST_SCREEN)),
        ]

    def __str__(self) -> str:
        return f"{len(self.edits)} edits"


class EssayRating(OnCandidate):
    """What a judge says of a whole text: a number on each scale of the rubric, and the errors marked in it.

    Null stands for a judge who could not say; `reasons` are words in which files of other tools say so. `score` is the
    mean of the scales that were answered, each stretched to 0 to 100.
    """

    scores = models.JSONField(validators=[check_said])
    reasons = models.JSONField(default=dict, blank=True, validators=[check_reasons])
    spans = models.JSONField(default=list, blank=True, validators=[check_spans])
    score = ScoreField(validators=between(0, BEST_SCORE))

    class Meta(OnCandidate.Meta):
        constraints = [*OnCandidate.Meta.constraints, in_range("essayrating", "score", 0, BEST_SCORE)]

    def __str__(self) -> str:
        return ", ".join(f"{name}: {'–' if value is None else value}" for name, value in self.scores.items())


class Verdict(models.Model):
    """Whether the marked span is an error."""

    class Finding(models.TextChoices):
        ERROR = "error", "Error"
        OK = "ok", "OK"
        UNKNOWN = "unknown", "Unknown"

    judgment = models.OneToOneField(Judgment, models.CASCADE)
    finding = models.CharField(max_length=10, choices=Finding)

    class Meta:
        constraints = [check("verdict_finding_known", Q(finding__in=["error", "ok", "unknown"]))]

    def __str__(self) -> str:
        return self.finding


class Edit(models.Model):
    """A stretch of the source, by characters, and its replacement."""

    judgment = models.ForeignKey(Judgment, models.CASCADE, db_index=False)
    position = models.PositiveSmallIntegerField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    replacement = models.TextField(blank=True)
    category = models.CharField(max_length=40, blank=True)

    class Meta:
        ordering = ["judgment", "position"]
        constraints = [
            unique("one_edit_per_position", "judgment", "position"),
            check("edit_span_in_order", Q(start__lte=F("end"))),
            check("edit_changes_something", Q(start__lt=F("end")) | ~Q(replacement="")),
        ]

    def __str__(self) -> str:
        return f"{self.start}-{self.end}: {self.replacement}"
