"""Retention: how long temporary rows are kept; all others stay until somebody deletes them (docs/data.md)."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple

from celery import shared_task
from django.contrib.sessions.models import Session
from django.utils import timezone

from judgments.judges import signing_in
from judgments.models import Draft, ImportJob, Job, MailJob, RequestCount, StoredResponse, Upload, heartbeats
from judgments.models.heartbeats import FORGOTTEN_AFTER as HEARTBEATS_KEPT_FOR
from judgments.models.jobs import KEPT_FOR as JOBS_KEPT_FOR
from judgments.models.requests import KEPT_FOR as ANSWERS_KEPT_FOR

DRAFTS_KEPT_FOR = timedelta(days=180)
ADDRESSES_KEPT_FOR = timedelta(days=90)


class Rule(NamedTuple):
    """Which rows are deleted, when, and by which function."""

    what: str
    after: timedelta
    forget: Callable[[datetime], object]


def _drafts(now: datetime) -> None:
    Draft.objects.filter(saved_at__lt=now - DRAFTS_KEPT_FOR).delete()


def _answers(now: datetime) -> None:
    StoredResponse.objects.filter(kept_at__lt=now - ANSWERS_KEPT_FOR).delete()


def _addresses(now: datetime) -> None:
    """Mail jobs keep the addresses they did not reach only while an organiser may act on them."""
    old = MailJob.objects.filter(state__in=Job.OVER, finished_at__lt=now - ADDRESSES_KEPT_FOR)
    old.exclude(unreached=[]).update(unreached=[])


def _uploads(now: datetime) -> None:
    Upload.objects.expired(now).delete()


def _rates(now: datetime) -> None:
    RequestCount.objects.filter(until__lt=now).delete()


def _imports(now: datetime) -> None:
    ImportJob.objects.expired(now).delete()


def _sessions(now: datetime) -> None:
    Session.objects.filter(expire_date__lt=now).delete()


RULES = (
    Rule("uploads that were never stored", JOBS_KEPT_FOR, _uploads),
    Rule("imports that are over, with their files", JOBS_KEPT_FOR, _imports),
    Rule("answers kept for programs that ask twice", ANSWERS_KEPT_FOR, _answers),
    Rule("drafts that nobody came back to", DRAFTS_KEPT_FOR, _drafts),
    Rule("addresses that a mail did not reach", ADDRESSES_KEPT_FOR, _addresses),
    Rule("tries to sign in that failed", signing_in.KEPT_FOR, signing_in.forget),
    Rule("counts of what programs asked", timedelta(0), _rates),
    Rule("heartbeats of workers that are gone", HEARTBEATS_KEPT_FOR, heartbeats.forget),
    Rule("sessions that have ended", timedelta(0), _sessions),
)


@shared_task(name="judgments.forget_old")
def forget_old(now: datetime | None = None) -> None:
    """Delete everything past its retention time."""
    for rule in RULES:
        rule.forget(now or timezone.now())
