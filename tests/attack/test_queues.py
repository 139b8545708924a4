"""One organiser asks for everything at once, by page and by program; another one's small job is next all the same."""

from collections.abc import Callable
from datetime import timedelta
from io import BytesIO

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from judgments.archive import importing
from judgments.assignment import claiming
from judgments.jobs import tasks
from judgments.jobs.turns import MOST_OF_ACCOUNT, MOST_OF_CAMPAIGN, NO_WORKER, in_order, next_job, outlook
from judgments.judges import programs
from judgments.models import Campaign, ImportJob, Job, heartbeats
from judgments.models.heartbeats import SILENT_AFTER
from judgments.rules.errors import Refused
from ranking.models import Report
from ranking.reports import building
from tests import factory
from tests.program import Program

LARGE = {"preset": "recommended", "replicates": 100_000}


@pytest.fixture
def other(no_worker) -> Callable[[], Report]:
    """Greta, who organises another campaign, requests one small report."""
    elsewhere = factory.open_campaign(slug="elsewhere", name="elsewhere")
    return lambda: building.request_report(elsewhere, factory.organiser(elsewhere, "greta"))


def flood(campaign: Campaign, olga: User) -> list[bool]:
    """Whether each of 60 requests was accepted, by turns on the page and in the API, each with its own seed."""
    factory.answer(claiming.claim_next(factory.judge(campaign, "eve")))
    client, program = Client(), Program(programs.token_of("olga"))
    client.force_login(olga)
    page, api = reverse("new_report", args=[campaign.slug]), reverse("api_reports", args=[campaign.slug])
    taken = []
    for seed in range(30):
        taken.append(client.post(page, LARGE | {"seed": seed}).status_code == 302)
        taken.append(program.post(api, LARGE | {"seed": 100 + seed}).status_code == 201)
    return taken


@pytest.mark.wide
def test_a_flood_is_refused_above_the_limit_and_the_small_report_of_another_is_next(campaign, olga, other, monkeypatch):
    heartbeats.beat("long@one", "long")
    assert flood(campaign, olga) == [True] * MOST_OF_ACCOUNT + [False] * (60 - MOST_OF_ACCOUNT)
    refusal = Program(programs.token_of("olga")).post(reverse("api_reports", args=[campaign.slug]), LARGE)
    assert (refusal.status_code, "20 jobs waiting" in refusal.json()["detail"]) == (409, True)
    assert Report.objects.count() == MOST_OF_ACCOUNT, "what is refused leaves nothing behind"
    made = []
    monkeypatch.setattr(tasks, "run_now", lambda job: made.append(job) or bool(job.row().claim(job.pk)))
    tasks.run_next("long")
    small = other()
    assert outlook(small) == "This one is next; 1 is being made."
    waiting = Report.objects.filter(campaign=campaign, state=Job.State.QUEUED).order_by("pk")
    assert outlook(waiting[1]) == "2 jobs are before this one; 1 is being made."
    tasks.run_next("long")
    assert [job.campaign.slug for job in made] == [campaign.slug, "elsewhere"]


def test_many_imports_let_the_reports_of_others_pass(campaign, olga, other):
    for number in range(MOST_OF_ACCOUNT):
        importing.request_import(olga, f"{number}.zip", BytesIO(), "")
    with pytest.raises(Refused, match="cancel one"):
        importing.request_import(olga, "more.zip", BytesIO(), "")
    assert ImportJob.objects.count() == MOST_OF_ACCOUNT
    assert Job.objects.claim(ImportJob.objects.last().pk)
    small = other()
    assert next_job("long").pk == small.pk


@pytest.mark.wide
def test_many_accounts_of_one_campaign_share_a_limit(campaign, no_worker):
    organisers = [factory.organiser(campaign, name) for name in ("one", "two", "three")]
    for number in range(MOST_OF_CAMPAIGN):
        building.request_report(campaign, organisers[number // MOST_OF_ACCOUNT])
    with pytest.raises(Refused, match="This campaign has 50 jobs waiting"):
        building.request_report(campaign, factory.organiser(campaign, "pia"))
    assert len(in_order("long")[0]) == MOST_OF_CAMPAIGN


def test_a_report_that_would_take_hours_is_refused_with_what_to_reduce(campaign, olga, browser_of, monkeypatch):
    monkeypatch.setattr(building, "counted_now", lambda *_: 20_000)
    factory.answer(claiming.claim_next(factory.judge(campaign, "eve")))
    wanted = {"preset": "recommended", "methods": ["trueskill", "expected-wins"], "replicates": 100_000}
    page = browser_of(olga).post(reverse("new_report", args=[campaign.slug]), wanted).content.decode()
    # 100,000 replicates: 20,000 s to read 20,000 judgments each, and 120 s of counting.
    assert "would take about 5.6 hours" in page
    assert "Request at most 17,892 replicates instead of 100,000" in page
    program = Program(programs.token_of("olga"))
    assert "17,892" in program.post(reverse("api_reports", args=[campaign.slug]), wanted).json()["detail"]
    assert not Report.objects.exists()
    assert building.request_report(campaign, olga).work == pytest.approx(2 * 1000 * (2e-4 + 20_000 * 5e-8))


def test_the_page_says_when_no_worker_runs(campaign, olga, browser_of, other):
    report, client = other(), browser_of(User.objects.get(username="greta"))
    state = reverse("job_state", args=["report", report.pk])
    heartbeats.beat("short@one", "short")
    assert NO_WORKER in client.get(report.get_absolute_url()).content.decode()
    heartbeats.beat("long@one", "long")
    page = client.get(report.get_absolute_url()).content.decode()
    assert (NO_WORKER in page, "This one is next; none are being made." in page) == (False, True)
    heartbeats.Heartbeat.objects.update(seen_at=timezone.now() - SILENT_AFTER - timedelta(seconds=1))
    assert client.get(state).json()["ahead"] == NO_WORKER
