"""Heartbeats of processes: written while they live, withdrawn when they end."""

from datetime import datetime

from django.utils import timezone

from judgments.models import Heartbeat
from judgments.models.heartbeats import FORGOTTEN_AFTER


def beat(name: str, queues: str = "", since: datetime | None = None) -> None:
    now = timezone.now()
    seen = {"queues": queues, "seen_at": now}
    Heartbeat.objects.update_or_create(
        name=name, defaults=seen | ({"since": since} if since else {}), create_defaults=seen | {"since": since or now}
    )


def withdraw(name: str) -> None:
    """Remove the heartbeat of a process that ends as it should."""
    Heartbeat.objects.filter(name=name).delete()


def forget(now: datetime) -> None:
    """A process that has been silent for a day was replaced by another one."""
    Heartbeat.objects.filter(seen_at__lt=now - FORGOTTEN_AFTER).delete()
