"""The rule of exclusion applied to so many judgments that it takes a while."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from judgments.models.campaign import Campaign
from judgments.models.work import Work, WorkQuerySet


class Ruling(Work):
    """How far the judges are looked at, and how many were excluded and included again."""

    campaign = models.ForeignKey(Campaign, models.CASCADE)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    excluded = models.PositiveIntegerField(default=0)
    included = models.PositiveIntegerField(default=0)

    objects = WorkQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [models.Index(fields=["state", "heartbeat"], name="ruling_state")]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign"], condition=Q(state__in=["queued", "running"]), name="one_ruling_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"ruling {self.pk} in {self.campaign}"
