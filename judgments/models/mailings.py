"""Personal links on their way by mail."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from judgments.models.campaign import Campaign
from judgments.models.work import Work, WorkQuerySet

LONGEST_SUBJECT = 150


class Mailing(Work):
    """What is written to those who were invited by an address, and whom it did not reach."""

    campaign = models.ForeignKey(Campaign, models.CASCADE)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    subject = models.CharField(max_length=LONGEST_SUBJECT)
    text = models.TextField()
    site = models.CharField(max_length=300, help_text="What stands before the path of a link.")
    sent = models.PositiveIntegerField(default=0)
    unreached = models.JSONField(default=list, help_text="Addresses that got no mail, each with the reason.")

    objects = WorkQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [models.Index(fields=["state", "heartbeat"], name="mailing_state")]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign"], condition=Q(state__in=["queued", "running"]), name="one_mailing_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"mailing {self.pk} of {self.campaign}"
