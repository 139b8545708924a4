"""Heartbeats of workers, and of the scheduler that queues periodic tasks."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import models
from django.utils import timezone

SECONDS_BETWEEN_HEARTBEATS = 20
SILENT_AFTER = timedelta(seconds=90)
# A process that has been silent for so long has been replaced.
FORGOTTEN_AFTER = timedelta(days=1)
BEAT = "beat"


class Heartbeat(models.Model):
    name = models.CharField(max_length=200, unique=True, help_text="The worker's name; `beat` is the scheduler.")
    queues = models.CharField(max_length=200, blank=True, help_text="The queues that the worker serves.")
    since = models.DateTimeField(help_text="When it started.")
    seen_at = models.DateTimeField()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return f"heartbeat of {self.name}"

    def is_silent(self, now: datetime) -> bool:
        """Whether the next heartbeat is overdue."""
        return self.seen_at < now - SILENT_AFTER


def queues_served(workers: Iterable[Heartbeat], now: datetime) -> set[str]:
    """The queues that live workers serve."""
    return {name for worker in workers if not worker.is_silent(now) for name in worker.queues.split(", ")}


def is_served(queue: str, now: datetime) -> bool:
    return queue in queues_served(Heartbeat.objects.all(), now)


def beat(name: str, queues: str = "", since: datetime | None = None) -> None:
    now = timezone.now()
    seen = {"queues": queues, "seen_at": now}
    Heartbeat.objects.update_or_create(
        name=name, defaults=seen | ({"since": since} if since else {}), create_defaults=seen | {"since": since or now}
    )


def withdraw(name: str) -> None:
    """Remove the heartbeat of a process that shuts down properly."""
    Heartbeat.objects.filter(name=name).delete()
