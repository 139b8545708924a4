"""How long is kept what nobody needs for ever; the rest stays until somebody deletes it (docs/data.md)."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple

from django.contrib.sessions.models import Session

from judgments.jobs import heartbeats
from judgments.judges import signing_in
from judgments.models import Draft, Import, Mailing, RequestCount, StoredResponse, Upload, Work
from judgments.models.heartbeats import FORGOTTEN_AFTER as SIGNS_KEPT_FOR
from judgments.models.jobs import KEPT_FOR as WORK_KEPT_FOR
from judgments.models.requests import KEPT_FOR as ANSWERS_KEPT_FOR

DRAFTS_KEPT_FOR = timedelta(days=180)
ADDRESSES_KEPT_FOR = timedelta(days=90)


class Rule(NamedTuple):
    """What is let go of, when, and by what."""

    what: str
    after: timedelta
    forget: Callable[[datetime], object]


def _drafts(now: datetime) -> None:
    Draft.objects.filter(saved_at__lt=now - DRAFTS_KEPT_FOR).delete()


def _answers(now: datetime) -> None:
    StoredResponse.objects.filter(kept_at__lt=now - ANSWERS_KEPT_FOR).delete()


def _addresses(now: datetime) -> None:
    """Who was not reached stands in a mailing for as long as an organiser may do something about it."""
    old = Mailing.objects.filter(state__in=Work.OVER, finished_at__lt=now - ADDRESSES_KEPT_FOR)
    old.exclude(unreached=[]).update(unreached=[])


def _uploads(now: datetime) -> None:
    Upload.objects.forgotten(now).delete()


def _rates(now: datetime) -> None:
    RequestCount.objects.filter(until__lt=now).delete()


def _imports(now: datetime) -> None:
    Import.objects.forgotten(now).delete()


def _sessions(now: datetime) -> None:
    Session.objects.filter(expire_date__lt=now).delete()


RULES = (
    Rule("uploads that were never stored", WORK_KEPT_FOR, _uploads),
    Rule("imports that are over, with their files", WORK_KEPT_FOR, _imports),
    Rule("answers kept for programs that ask twice", ANSWERS_KEPT_FOR, _answers),
    Rule("drafts that nobody came back to", DRAFTS_KEPT_FOR, _drafts),
    Rule("addresses that a mail did not reach", ADDRESSES_KEPT_FOR, _addresses),
    Rule("tries to sign in that failed", signing_in.KEPT_FOR, signing_in.forget),
    Rule("counts of what programs asked", timedelta(0), _rates),
    Rule("signs of life of workers that are gone", SIGNS_KEPT_FOR, heartbeats.forget),
    Rule("sessions that have ended", timedelta(0), _sessions),
)


def forget_old(now: datetime) -> None:
    """Let go of everything whose time is over."""
    for rule in RULES:
        rule.forget(now)
