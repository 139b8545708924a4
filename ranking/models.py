"""A report and its lines."""

from django.conf import settings
from django.db import models

from judgments.models import Campaign, Work
from judgments.models.work import WorkQuerySet


class Report(Work):
    """One computed analysis of a campaign with its parameters, signature and state."""

    campaign = models.ForeignKey(Campaign, models.CASCADE)
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    method = models.CharField(max_length=40, default="expected-wins")
    signature = models.TextField(blank=True)
    judgments = models.PositiveIntegerField(default=0)

    objects = WorkQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [models.Index(fields=["state", "heartbeat"], name="report_state")]

    def __str__(self) -> str:
        return f"report {self.pk} of {self.campaign}"


class Standing(models.Model):
    """One system's line in a report."""

    report = models.ForeignKey(Report, models.CASCADE, db_index=False)
    rank = models.PositiveSmallIntegerField()
    system = models.CharField(max_length=80)
    score = models.FloatField()

    class Meta:
        ordering = ["report", "rank", "system"]
        constraints = [models.UniqueConstraint(fields=["report", "system"], name="one_standing_per_system")]

    def __str__(self) -> str:
        return f"{self.rank}. {self.system}"


class ComparisonCount(models.Model):
    """How many rankings a judge gave in a report, and the comparisons they make."""

    report = models.ForeignKey(Report, models.CASCADE, db_index=False)
    judge = models.CharField(max_length=80)
    rankings = models.PositiveIntegerField()
    skipped = models.PositiveIntegerField()
    unexpanded = models.PositiveIntegerField()
    unexpanded_ties = models.PositiveIntegerField()
    expanded = models.PositiveIntegerField()
    expanded_ties = models.PositiveIntegerField()

    class Meta:
        ordering = ["report", "judge"]
        constraints = [models.UniqueConstraint(fields=["report", "judge"], name="one_comparison_count_per_judge")]

    def __str__(self) -> str:
        return f"{self.judge}: {self.expanded}"
