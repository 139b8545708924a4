"""Batches, their screens, and the places of candidates on screens."""

from django.db import models

from judgments.models.campaign import Campaign
from judgments.models.constraints import unique
from judgments.models.material import Candidate, Segment, Usage
from judgments.rules.texts.marking import MarkedUsage, mark_usage

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class Batch(models.Model):
    """A run of screens meant for one sitting; each of its rounds is for another judge."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, db_index=False)
    number = models.PositiveIntegerField()
    domain = models.CharField(max_length=100, blank=True)

    class Meta:
        ordering = ["campaign", "number"]
        constraints = [unique("one_batch_per_number", "campaign", "number")]

    def __str__(self) -> str:
        return f"batch {self.number} of {self.campaign}"


class Screen(models.Model):
    """One segment with the candidates shown together, or with the usage to judge.

    An automatic screen is a tie that no judge needs to see; controls measure how careful judges are.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE)
    segment = models.ForeignKey(Segment, models.CASCADE)
    batch = models.ForeignKey(Batch, models.CASCADE, null=True, blank=True)
    automatic = models.BooleanField(default=False)
    has_control = models.BooleanField(default=False)
    usage = models.ForeignKey(
        Usage, models.CASCADE, null=True, blank=True, help_text="The usage that a verdict is about."
    )
    weight = models.FloatField(
        null=True, blank=True,
        help_text="How much its judgments count: its probability if all were drawn alike, over that with which it was "
        "drawn. Empty if that is not known.",
    )  # fmt: skip
    candidates = models.ManyToManyField(Candidate, through="Slot")

    def __str__(self) -> str:
        return f"screen {self.pk}"

    @property
    def marked_usage(self) -> MarkedUsage | None:
        """The sentence with its usage; None if it shows candidates."""
        usage = self.usage
        return mark_usage(self.segment.text or "", usage.start, usage.end) if usage else None


class Slot(models.Model):
    """A candidate's place on a screen; an assignment's order says where a judge sees it."""

    screen = models.ForeignKey(Screen, models.CASCADE, db_index=False)
    candidate = models.ForeignKey(Candidate, models.RESTRICT)
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["screen", "position"]
        constraints = [
            unique("one_slot_per_candidate_and_screen", "screen", "candidate"),
            unique("one_slot_per_position_and_screen", "screen", "position"),
        ]

    def __str__(self) -> str:
        return f"slot {self.position} of {self.screen}"


def shown_positions(order: str) -> list[int]:
    return [DIGITS.index(digit) for digit in order]


def written_order(positions: tuple[int, ...]) -> str:
    return "".join(DIGITS[position] for position in positions)
