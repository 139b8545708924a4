"""Processes say that they live, and that they go."""

from datetime import datetime

from django.utils import timezone

from judgments.models.heartbeats import FORGOTTEN_AFTER, Sign


def give(name: str, queues: str = "", since: datetime | None = None) -> None:
    """Say that a process lives."""
    now = timezone.now()
    told = {"queues": queues, "seen_at": now}
    Sign.objects.update_or_create(
        name=name, defaults=told | ({"since": since} if since else {}), create_defaults=told | {"since": since or now}
    )


def withdraw(name: str) -> None:
    """Say that a process ends as it should."""
    Sign.objects.filter(name=name).delete()


def forget(now: datetime) -> None:
    """What has been silent for a day was replaced by another one."""
    Sign.objects.filter(seen_at__lt=now - FORGOTTEN_AFTER).delete()
