"""The statistics of judges, counted at the end of each batch, the batches they have finished, and alarms about them."""

from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

from django.db import models
from django.db.models import Q
from django.utils import timezone

from judgments.models.campaign import Campaign
from judgments.models.constraints import unique
from judgments.models.members import Membership
from judgments.models.screens import Batch

LEVEL = 0.95


class ShareInterval(NamedTuple):
    low: float
    high: float


def wilson(passed: float, seen: float, level: float = LEVEL) -> ShareInterval | None:
    """The score interval of a share (Wilson 1927); None if nothing was seen.

    With z the normal quantile of the level and p = passed / seen,

        (p + z^2 / 2n  -+  z sqrt(p (1 - p) / n + z^2 / 4n^2)) / (1 + z^2 / n)

    Toy: 8 of 10 at 95 %: z = 1.96, (0.8 + 0.192 -+ 0.277) / 1.384, from 0.490 to 0.943.
    """
    if not seen:
        return None
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = passed / seen
    middle = share + z**2 / (2 * seen)
    reach = z * sqrt(share * (1 - share) / seen + z**2 / (4 * seen**2))
    scale = 1 + z**2 / seen
    # Exact at the ends in spite of rounding.
    low = (middle - reach) / scale if passed else 0.0
    return ShareInterval(low, (middle + reach) / scale if passed < seen else 1.0)


class JudgeStatistics(models.Model):
    """A judge's statistics as of the last batch, stored because counting reads all answers of the judge."""

    judge = models.OneToOneField(Membership, models.CASCADE, primary_key=True, related_name="statistics")
    screens = models.PositiveIntegerField()
    timed = models.PositiveIntegerField(help_text="Screens whose time is known.")
    total_seconds = models.FloatField()
    median_seconds = models.FloatField(null=True)
    pairs = models.PositiveIntegerField(help_text="Pairs of candidates on one screen.")
    ties = models.PositiveIntegerField()
    scores = models.PositiveIntegerField()
    extremes = models.PositiveIntegerField(help_text="Scores at an end of the scale.")
    controls = models.PositiveIntegerField()
    controls_passed = models.PositiveIntegerField(help_text="Controls that were answered correctly.")
    counted_up_to = models.DateTimeField(null=True, help_text="When the newest of the screens was submitted.")
    # These compare all judges and come from the newest report.
    others_kappa = models.FloatField(null=True, help_text="Agreement with all other judges.")
    self_kappa = models.FloatField(null=True, help_text="Agreement with the judge's own repeats.")
    position_p_value = models.FloatField(null=True, help_text="The p-value of the test for a preference by position.")
    compared_at = models.DateTimeField(null=True, help_text="When the report with these values was made.")

    def __str__(self) -> str:
        return f"statistics of {self.judge}"

    @property
    def pace(self) -> float | None:
        """Screens an hour of active time."""
        return 3600 * self.timed / self.total_seconds if self.total_seconds else None

    @property
    def hours(self) -> float:
        return self.total_seconds / 3600

    @property
    def tie_share(self) -> float | None:
        return self.ties / self.pairs if self.pairs else None

    @property
    def extreme_share(self) -> float | None:
        return self.extremes / self.scores if self.scores else None

    @property
    def control_interval(self) -> ShareInterval | None:
        return wilson(self.controls_passed, self.controls)


class Completion(models.Model):
    """A judge's finished batch: how much of it they judged, whether controls were passed, and if it earns a code."""

    judge = models.ForeignKey(Membership, models.CASCADE, db_index=False)
    batch = models.ForeignKey(Batch, models.CASCADE, db_index=False)
    screens = models.PositiveSmallIntegerField()
    earns_code = models.BooleanField(help_text="False if others judged part of the batch while the judge was away.")
    passed = models.BooleanField(null=True, help_text="Whether enough controls were answered correctly.")
    finished_at = models.DateTimeField(auto_now_add=True)
    feedback_at = models.DateTimeField(
        null=True, help_text="When the judge first saw where most others answered the opposite."
    )

    class Meta:
        ordering = ["judge", "finished_at"]
        constraints = [unique("one_completion_per_judge_and_batch", "judge", "batch")]

    def __str__(self) -> str:
        return f"{self.batch} by {self.judge}"

    @property
    def code(self) -> str:
        campaign = self.judge.campaign
        if not self.earns_code:
            return ""
        return campaign.failed_code if self.passed is False and campaign.failed_code else campaign.completion_code


class AlarmQuerySet(models.QuerySet["Alarm"]):
    def open_in(self, campaign: Campaign) -> "AlarmQuerySet":
        """Alarms that wait for an organiser, newest first; an exclusion answers all about its judge."""
        judges = Membership.objects.filter(campaign=campaign, excluded_at=None, removed_at=None)
        return self.filter(judge__in=judges, dismissed_at=None).select_related("judge")


class Alarm(models.Model):
    """Why an organiser should look at a judge; `judgments.judges.rules.alarms` has its rule and its sentence."""

    judge = models.ForeignKey(Membership, models.CASCADE)
    kind = models.CharField(max_length=20)
    figures = models.JSONField(help_text="The numbers in its sentence.")
    first = models.PositiveIntegerField(help_text="The first screen it is about, counted among the judge's from 1.")
    last = models.PositiveIntegerField(help_text="The last screen it is about.")
    raised_at = models.DateTimeField(default=timezone.now)
    dismissed_at = models.DateTimeField(null=True, blank=True, help_text="When an organiser found nothing wrong.")

    objects = AlarmQuerySet.as_manager()

    class Meta:
        ordering = ["-raised_at", "-pk"]
        constraints = [unique("one_open_alarm_per_judge_and_kind", "judge", "kind", where=Q(dismissed_at=None))]

    def __str__(self) -> str:
        return f"{self.kind} of {self.judge}"
