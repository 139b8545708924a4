"""Signs of life of the processes that nobody visits."""

from datetime import datetime, timedelta

from django.db import models

SECONDS_BETWEEN_SIGNS = 20
SILENT_AFTER = timedelta(seconds=90)
FORGOTTEN_AFTER = timedelta(days=1)
BEAT = "beat"


class Sign(models.Model):
    """When a worker, or the clock that asks for what recurs, was last heard of."""

    name = models.CharField(max_length=200, unique=True, help_text="Of the worker; `beat` is the clock.")
    queues = models.CharField(max_length=200, blank=True, help_text="From which it takes work.")
    since = models.DateTimeField(help_text="When it came up.")
    seen_at = models.DateTimeField()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return f"sign of {self.name}"

    def is_silent(self, now: datetime) -> bool:
        """Whether it should have been heard of since."""
        return self.seen_at < now - SILENT_AFTER
