"""Very many assignments: made by a worker, all at once, one job at a time, watched and cancelled."""

import pytest
from django.urls import reverse

from judgments.assignment import planning
from judgments.jobs.control import cancel
from judgments.models import Assignment, AssignmentJob, Campaign, JournalEntry, Screen
from judgments.models.campaign import PLAN_SETTINGS
from judgments.rules.errors import Refused
from tests import factory
from tests.judgments.jobs.running import run_job


@pytest.fixture(autouse=True)
def _few_are_many(monkeypatch):
    monkeypatch.setattr(planning, "MOST_ASSIGNMENTS_AT_ONCE", 9)
    monkeypatch.setattr(planning, "MOST_ASSIGNMENTS_PLANNED", 9)


@pytest.fixture
def unassigned(db) -> Campaign:
    return factory.make_campaign(design="sampled")


@pytest.fixture
def olga(unassigned):
    return factory.organiser(unassigned, "olga")


@pytest.fixture
def client(olga, browser_of, no_worker):
    return browser_of(olga)


def form_fields(campaign, **otherwise) -> dict[str, str]:
    plan = {name: str(getattr(campaign, name)) for name in PLAN_SETTINGS if getattr(campaign, name) is not False}
    return plan | {"screens": "40", "assigned_before": "1"} | otherwise


def press(client, campaign, **otherwise):
    return client.post(reverse("assign_screens", args=[campaign.slug]), form_fields(campaign, **otherwise))


@pytest.mark.postgresql
def test_a_worker_assigns_the_number_estimated(client, unassigned, no_worker, django_capture_on_commit_callbacks):
    page = client.get(reverse("screens", args=[unassigned.slug]), form_fields(unassigned)).content.decode()
    assert "Assign about 40 screens" in page
    with django_capture_on_commit_callbacks(execute=True):
        answer = press(client, unassigned, redundancy="3")
    unassigned.refresh_from_db()
    assert unassigned.redundancy == 2
    job = AssignmentJob.objects.get()
    assert no_worker == ["short"]
    assert answer.url == reverse("assignment_job", args=[unassigned.slug, job.pk])
    assert "waiting for a worker" in client.get(answer.url).content.decode()
    assert "View the progress" in client.get(reverse("screens", args=[unassigned.slug])).content.decode()
    run_job("assignment", job.pk)
    run_job("assignment", job.pk)
    assert Screen.objects.exclude(batch=None).count() == 40
    assert Assignment.objects.count() == 120
    unassigned.refresh_from_db()
    assert unassigned.redundancy == 3, "settings are stored with the deal"
    assert client.get(answer.url).url == reverse("organise", args=[unassigned.slug])
    assert JournalEntry.objects.filter(what__startswith="assigned 40 screens", actor="olga").exists()


@pytest.mark.postgresql
def test_one_job_runs_at_a_time_and_a_cancelled_one_assigns_nothing(client, unassigned, olga):
    for screens in ("40", "40", "2"):
        press(client, unassigned, screens=screens)
    job = AssignmentJob.objects.get()
    with pytest.raises(Refused, match="already being assigned"):
        planning.request(unassigned, olga, {}, 40, False)
    client.post(reverse("cancel_job", args=["assignment", job.pk]))
    run_job("assignment", job.pk)
    assert not Screen.objects.exists()
    page = client.get(reverse("assignment_job", args=[unassigned.slug, job.pk])).content.decode()
    assert "No screens were assigned" in page
    assert not cancel(job)


def test_a_button_pressed_twice_assigns_once(client, unassigned, monkeypatch):
    monkeypatch.setattr(planning, "MOST_ASSIGNMENTS_AT_ONCE", 1000)
    monkeypatch.setattr(planning, "MOST_ASSIGNMENTS_PLANNED", 1000)
    for _ in range(2):
        answer = press(client, unassigned, screens="4")
    assert Screen.objects.exclude(batch=None).count() == 4
    assert "Check the new plan" in client.get(answer.url).content.decode()


def test_cancelling_while_it_assigns_leaves_nothing(client, unassigned, monkeypatch):
    press(client, unassigned, redundancy="3")
    job = AssignmentJob.objects.get()
    launch = planning.launch

    def cancelled_meanwhile(*given, **chosen):
        assigned = launch(*given, **chosen)
        cancel(job)
        return assigned

    monkeypatch.setattr(planning, "launch", cancelled_meanwhile)
    run_job("assignment", job.pk)
    assert not Screen.objects.exists()
    unassigned.refresh_from_db()
    assert unassigned.redundancy == 2


def test_an_assignment_no_longer_possible_is_reported_in_a_sentence(client, unassigned):
    press(client, unassigned)
    Campaign.objects.update(state=Campaign.State.CLOSED)
    job = AssignmentJob.objects.get()
    run_job("assignment", job.pk)
    page = client.get(reverse("assignment_job", args=[unassigned.slug, job.pk])).content.decode()
    assert "reopen it before you assign screens" in page
