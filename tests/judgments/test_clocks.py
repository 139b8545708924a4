"""Clocks that are set back or forward, time zones, and the nights on which an hour comes twice or not at all."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from judgments.assignment import claiming
from judgments.exchange.exporters import EXPORTS
from judgments.jobs.attempts import run_now
from judgments.jobs.turns import next_job
from judgments.judging.submission import save_draft
from judgments.material import uploads
from judgments.material.rules.reading import Roles
from judgments.models import Assignment, Completion, Job, Judgment, Membership, Upload
from judgments.models.jobs import STALE_AFTER
from judgments.models.journal import note
from judgments.privacy import retention
from ranking.reports import boards, building
from ranking.reports.rows import days_of
from tests import factory

# In Warsaw it is one o'clock, then three; in autumn two o'clock comes twice.
SPRING = datetime(2026, 3, 29, 0, 55, tzinfo=UTC)
AUTUMN = datetime(2026, 10, 25, 0, 55, tzinfo=UTC)


class Clock:
    """What the platform thinks the time is."""

    now = datetime(2026, 5, 4, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def go(self, **by: float) -> None:
        self.now += timedelta(**by)


@pytest.fixture
def clock(monkeypatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(timezone, "now", clock)
    return clock


def claimed(judge: Membership) -> Assignment:
    assignment = claiming.claim_next(judge)
    assert assignment is not None
    return assignment


@pytest.mark.parametrize("moment", [SPRING, AUTUMN])
@pytest.mark.parametrize("zone", ["UTC", "Europe/Warsaw", "Australia/Lord_Howe"])
def test_a_screen_and_a_lease_take_as_long_as_ever_on_such_a_night(campaign, ada, clock, settings, zone, moment):
    def is_free(assignment: Assignment) -> bool:
        return Assignment.objects.free(clock.now, campaign.lease).filter(pk=assignment.pk).exists()

    settings.TIME_ZONE = zone
    clock.now = moment
    answered, left = claimed(ada), claiming.claim_next(ada, after=Assignment.objects.get(judge=ada))
    assert left.leased_until - clock.now == campaign.lease
    clock.go(minutes=10)
    assert factory.answer(answered).wall_seconds == 600
    clock.go(minutes=campaign.lease_minutes - 11)
    assert not is_free(left)
    clock.go(minutes=2)
    assert is_free(left)


def test_no_screen_takes_less_than_no_time_and_a_leap_ahead_takes_it_from_nobody_who_answers_first(ada, clock):
    assignment = claimed(ada)
    clock.go(hours=-1)
    judgment = factory.answer(assignment)
    assert judgment.wall_seconds is None, "nobody knows how long it took"
    assert Judgment.objects.get(pk=judgment.pk).submitted_at == clock.now
    assignment = claimed(ada)
    clock.go(days=365)
    assert factory.answer(assignment).pk


def test_a_lease_of_a_clock_that_was_ahead_ends_with_the_others_but_for_a_judge_who_is_there(campaign, ada, ben, clock):
    clock.go(days=365)
    kept = claimed(ben)
    assignment = claimed(ada)
    clock.go(days=-365)
    assert Assignment.objects.free(clock.now, campaign.lease).filter(pk=assignment.pk).exists()
    save_draft(kept, {}, None)
    assert not Assignment.objects.free(clock.now, campaign.lease).filter(pk=kept.pk).exists()
    factory.judge_all(ben)
    factory.judge_all(factory.judge(campaign, "carl"))
    assignment.refresh_from_db()
    assert assignment.judge != ada
    assert assignment.submitted_at


def test_a_request_that_waited_takes_no_assignment_that_was_claimed_meanwhile(ada, ben, clock):
    """Ben's request looked at the clock, and waited for a lock that Ada's held."""
    wanted = claiming._find_free(ben, None)
    assert claimed(ada) == wanted
    clock.go(seconds=-8)
    assert not claiming._claim_one(wanted, ben)
    wanted.refresh_from_db()
    assert wanted.judge == ada


@pytest.mark.postgresql
def test_batches_are_finished_in_order_even_if_the_clock_jumps(campaign, ada, clock):
    clock.go(days=2)
    factory.judge_batch(ada)
    clock.go(days=-2)
    first = claimed(ada)
    factory.answer(first)
    clock.go(minutes=1)
    second = claimed(ada)
    assert (second.batch_id, second.round) == (first.batch_id, first.round)
    factory.judge_all(ada)
    batches = set(Assignment.objects.filter(judge=ada).values_list("batch", flat=True))
    assert Completion.objects.filter(judge=ada).count() == len(batches)


@pytest.mark.parametrize("days", [365, -365])
def test_work_that_was_left_behind_is_found_after_the_clock_was_set(campaign, olga, clock, no_worker, days):
    running, waiting = building.request_report(campaign), building.request_report(campaign)
    Job.objects.claim(running.pk)
    clock.go(days=days)
    assert sorted(Job.objects.stale(clock.now).values_list("pk", flat=True)) == [running.pk, waiting.pk]


@pytest.mark.postgresql
def test_a_start_by_a_clock_that_was_ahead_does_not_make_its_account_wait(campaign, olga, clock, no_worker):
    clock.go(hours=1)
    Job.objects.claim(building.request_report(campaign, olga).pk)
    Job.objects.update(state=Job.State.DONE)
    clock.go(hours=-1)
    pia = factory.organiser(campaign, "pia")
    Job.objects.claim(building.request_report(campaign, pia).pk)
    Job.objects.update(state=Job.State.DONE)
    clock.go(seconds=1)
    building.request_report(campaign, pia)
    waits = building.request_report(campaign, olga)
    assert next_job("long").pk == waits.pk


def test_work_that_goes_on_is_left_alone_once_it_has_shown_itself(campaign, clock, no_worker):
    report = building.request_report(campaign)
    Job.objects.claim(report.pk)
    clock.go(days=-1)
    Job.objects.filter(pk=report.pk).update(heartbeat=clock.now)
    assert Job.objects.revive() == set()
    clock.go(seconds=STALE_AFTER.total_seconds() + 1)
    assert Job.objects.revive() == {"long"}


def test_what_is_forgotten_after_a_time_is_not_forgotten_at_once(campaign, olga, clock, no_worker):
    upload = uploads.upload_files(campaign, olga, factory.upload({"source": ["One ."]}), Roles())
    Upload.objects.filter(pk=upload.pk).update(state=Job.State.FAILED, finished_at=clock.now)
    clock.go(days=-1)
    retention.forget_old(clock.now)
    assert Upload.objects.exists()


def test_a_clock_that_was_ahead_does_not_delay_the_board(campaign, ada, clock, no_worker):
    clock.go(days=30)
    factory.judge_batch(ada)
    first = boards.refresh(campaign)
    assert first is not None
    run_now(first)
    clock.go(days=-30)
    factory.judge_batch(ada)
    assert boards.refresh(campaign) is not None


@pytest.mark.postgresql
def test_exports_give_times_in_utc_in_every_time_zone(campaign, ada, clock, settings):
    clock.now = AUTUMN
    factory.judge_batch(ada)
    note(campaign, "looked")
    names = [name for name, export in EXPORTS.items() if not export.fault(campaign)]

    def exports() -> dict[str, bytes]:
        return {name: b"".join(EXPORTS[name].blocks(campaign)) for name in names}

    settings.TIME_ZONE = "UTC"
    first = exports()
    settings.TIME_ZONE = "Australia/Lord_Howe"
    assert exports() == first
    assert b"2026-10-25T00:55:00+00:00" in first["judgments.csv"]
    assert b"2026-10-25T00:55:00+00:00" in first["judges.csv"] or b"joined_at" in first["judges.csv"]


@pytest.mark.postgresql
def test_the_api_gives_times_in_utc(campaign, ada, olga, browser_of, clock, settings):
    clock.now = AUTUMN
    factory.judge_batch(ada)
    settings.TIME_ZONE = "Europe/Warsaw"
    browser = browser_of(olga)
    for name in ("api_judgments", "api_judges", "api_assignments", "api_journal", "api_campaign"):
        answer = browser.get(reverse(name, args=[campaign.slug]))
        text = answer.content.decode()
        assert answer.status_code == 200
        assert re.search(r"\d{4}-\d\d-\d\dT[\d:.]+Z", text)
        assert not re.search(r"T[\d:.]+[+-]\d\d", text)


def test_days_in_reports_are_those_of_utc(campaign, ada, clock, settings):
    """Five to one in UTC is the morning of the same day in Warsaw, and the evening of the day before in New York."""
    clock.now = AUTUMN
    factory.judge_batch(ada)
    for zone in ("UTC", "America/New_York", "Australia/Lord_Howe"):
        settings.TIME_ZONE = zone
        assert {day.day for day in days_of(campaign, ["ada"])} == {"2026-10-25"}
