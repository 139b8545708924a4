"""Data with a retention period are deleted when it is over, and docs/data.md agrees with the code."""

from datetime import UTC, timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone

from judgments.archive.tables import IMPERSONAL, NAMED_IN, PERSONAL, TABLES
from judgments.assignment import claiming
from judgments.models import Draft, Heartbeat, ImportJob, MailJob, RequestCount, SignInAttempts, StoredResponse, Upload
from judgments.privacy import retention

DOCUMENTATION = (Path(__file__).parents[3] / "docs" / "data.md").read_text(encoding="utf-8")


@pytest.fixture
def expiring(campaign, ada, olga) -> None:
    """One row of every kind that expires, all of this moment."""
    now = timezone.now()
    Draft.objects.create(assignment=claiming.claim_next(ada), judge=ada, answers={})
    StoredResponse.objects.create(user=olga, address="/api/", key="k", fingerprint="f")
    over = {"state": Upload.State.FAILED, "finished_at": now}
    Upload.objects.create(campaign=campaign, requested_by=olga, file_names=[], options={}, **over)
    ImportJob.objects.create(requested_by=olga, about="b.zip", **over)
    unreached = [{"address": "a@b.example", "why": "-"}]
    MailJob.objects.create(campaign=campaign, problems=unreached, **over)
    SignInAttempts.objects.create(key="k", since=now)
    RequestCount.objects.create(key="k", until=now, count=1)
    Heartbeat.objects.create(name="long@host", since=now, seen_at=now)
    Session.objects.create(session_key="k", session_data="", expire_date=now)


def left() -> dict[str, int]:
    return {
        "uploads that were never stored": Upload.objects.count(),
        "finished imports, with their files": ImportJob.objects.count(),
        "stored API responses": StoredResponse.objects.count(),
        "abandoned drafts": Draft.objects.count(),
        "addresses that could not be reached by mail": sum(len(mailing.problems) for mailing in MailJob.objects.all()),
        "failed sign-ins": SignInAttempts.objects.count(),
        "counts of requests": RequestCount.objects.count(),
        "heartbeats of dead workers": Heartbeat.objects.count(),
        "expired sessions": Session.objects.count(),
    }


def test_each_goes_when_its_time_is_over_and_not_before(expiring):
    now = timezone.now()
    assert now.tzinfo is UTC
    for after in sorted({rule.after for rule in retention.RULES}):
        of_then = {rule.what for rule in retention.RULES if rule.after == after}
        retention.forget_old(now + after - timedelta(minutes=1))
        assert {left()[what] for what in of_then} == {1}, of_then
        retention.forget_old(now + after + timedelta(minutes=1))
        assert {left()[what] for what in of_then} == {0}, of_then
    assert set(left()) == {rule.what for rule in retention.RULES}
    assert "judgments.forget_old" in {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}


def test_the_present_is_the_moment_of_forgetting_and_what_waits_again_stays(expiring, campaign, olga, monkeypatch):
    waits = {"state": Upload.State.QUEUED, "finished_at": timezone.now()}
    again = Upload.objects.create(campaign=campaign, requested_by=olga, file_names=[], options={}, **waits)
    later = timezone.now() + max(rule.after for rule in retention.RULES) + timedelta(seconds=1)
    monkeypatch.setattr(timezone, "now", lambda: later)
    retention.forget_old()
    assert Upload.objects.get() == again
    again.delete()
    assert set(left().values()) == {0}


@pytest.mark.parametrize("rule", retention.RULES, ids=lambda rule: rule.what)
def test_the_guide_says_how_long(rule):
    days = rule.after.days
    after = f"{days} day{'s' * (days > 1)}" if days else "at once"
    assert f"| {rule.what} | {after} |" in DOCUMENTATION


def test_the_guide_names_every_table_about_people_and_no_other():
    assert [label for label in (*PERSONAL, *NAMED_IN) if f"`{label}`" not in DOCUMENTATION] == []
    assert [
        label for label in [*IMPERSONAL, *(TABLES.keys() - PERSONAL.keys())] if f"| `{label}`" in DOCUMENTATION
    ] == []
