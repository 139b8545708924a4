"""Deals that are too large to be made while somebody waits."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from judgments.models.campaign import Campaign
from judgments.models.work import Work, WorkQuerySet


class Deal(Work):
    """What is to be dealt, and how far it is."""

    campaign = models.ForeignKey(Campaign, models.CASCADE)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    settings = models.JSONField(help_text="What of the campaign is to be set before.")
    screens = models.PositiveIntegerField(null=True, blank=True, help_text="How many to draw, where they are drawn.")
    with_controls = models.BooleanField(default=False)
    dealt = models.JSONField(default=dict, help_text="What was dealt, in numbers.")

    objects = WorkQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [models.Index(fields=["state", "heartbeat"], name="deal_state")]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign"], condition=Q(state__in=["queued", "running"]), name="one_deal_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"deal {self.pk} in {self.campaign}"
