"""Retention times of temporary rows; all others stay until they are deleted by hand (docs/data.md)."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from celery import shared_task
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.utils import timezone

from judgments.judges import signing_in
from judgments.models import Draft, Heartbeat, ImportJob, MailJob, RequestCount, StoredResponse, Upload
from judgments.models.heartbeats import FORGOTTEN_AFTER as HEARTBEATS_KEPT_FOR
from judgments.models.jobs import KEPT_FOR as JOBS_KEPT_FOR
from judgments.models.requests import KEPT_FOR as RESPONSES_KEPT_FOR


class RetentionRule(NamedTuple):
    """Rows to delete or change after a time; `expired` finds those older than a given moment."""

    what: str
    after: timedelta
    expired: Callable[[datetime], QuerySet]
    changes: Mapping[str, Any] | None = None


# Mail jobs keep unreached addresses only while an organiser may act on them.
RULES = (
    RetentionRule("uploads that were never stored", JOBS_KEPT_FOR, Upload.objects.over_before),
    RetentionRule("finished imports, with their files", JOBS_KEPT_FOR, ImportJob.objects.over_before),
    RetentionRule(
        "stored API responses",
        RESPONSES_KEPT_FOR,
        lambda moment: StoredResponse.objects.filter(kept_at__lt=moment),
    ),
    RetentionRule("abandoned drafts", timedelta(days=180), lambda moment: Draft.objects.filter(saved_at__lt=moment)),
    RetentionRule(
        "addresses that could not be reached by mail",
        timedelta(days=90),
        lambda moment: MailJob.objects.over_before(moment).exclude(problems=[]),
        {"problems": []},
    ),
    RetentionRule("failed sign-ins", signing_in.KEPT_FOR, signing_in.expired_attempts),
    RetentionRule("counts of requests", timedelta(0), lambda moment: RequestCount.objects.filter(until__lt=moment)),
    RetentionRule(
        "heartbeats of dead workers",
        HEARTBEATS_KEPT_FOR,
        lambda moment: Heartbeat.objects.filter(seen_at__lt=moment),
    ),
    RetentionRule("expired sessions", timedelta(0), lambda moment: Session.objects.filter(expire_date__lt=moment)),
)


@shared_task(name="judgments.forget_old")
def forget_old(now: datetime | None = None) -> None:
    """Delete all rows past their retention time."""
    for rule in RULES:
        rows = rule.expired((now or timezone.now()) - rule.after)
        rows.update(**rule.changes) if rule.changes else rows.delete()
