from django.db import models
from django.db.models import Q
from django.utils import timezone

from judgments.models.campaign import Campaign
from judgments.models.constraints import unique
from judgments.models.members import Membership


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
