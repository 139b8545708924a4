"""Deals of very many assignments: by a worker, as a whole, one at a time, watched and cancelled."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from judgments import tasks
from judgments.assignment import assignment_job, planning
from judgments.assignment.planning import PLAN_SETTINGS
from judgments.jobs import attempts
from judgments.jobs.attempts import cancel
from judgments.models import Assignment, Campaign, Deal, JournalEntry, Screen, Work
from judgments.models.jobs import STALE_AFTER
from judgments.rules.errors import Refused
from tests import factory

pytestmark = pytest.mark.postgresql


@pytest.fixture(autouse=True)
def _few_are_many(monkeypatch):
    monkeypatch.setattr(attempts, "SECONDS_BETWEEN_BEATS", 600.0)
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


def asked(campaign, **otherwise) -> dict[str, str]:
    said = {field: str(getattr(campaign, field)) for field in PLAN_SETTINGS if getattr(campaign, field) is not False}
    return said | {"screens": "40", "assigned_before": "1"} | otherwise


def press(client, campaign, **otherwise):
    return client.post(reverse("assign_screens", args=[campaign.slug]), asked(campaign, **otherwise))


def test_a_worker_deals_what_the_rough_plan_said(client, unassigned, no_worker, django_capture_on_commit_callbacks):
    page = client.get(reverse("screens", args=[unassigned.slug]), asked(unassigned)).content.decode()
    assert "Deal about 40 screens" in page
    with django_capture_on_commit_callbacks(execute=True):
        answer = press(client, unassigned)
    deal = Deal.objects.get()
    assert no_worker == [deal.pk]
    assert answer.url == reverse("show_deal", args=[unassigned.slug, deal.pk])
    assert "waiting for a worker" in client.get(answer.url).content.decode()
    assert "See how far it is" in client.get(reverse("screens", args=[unassigned.slug])).content.decode()
    tasks.assign_screens(deal.pk)
    tasks.assign_screens(deal.pk)
    assert Screen.objects.exclude(batch=None).count() == 40
    assert Assignment.objects.count() == 80
    assert client.get(answer.url).url == reverse("organise", args=[unassigned.slug])
    assert JournalEntry.objects.filter(what__startswith="dealt 40 screens", actor="olga").exists()


def test_a_worker_deals_the_same_as_is_dealt_at_once(unassigned, olga, monkeypatch):
    deal = assignment_job.ask(unassigned, olga, {}, 10, False)
    assignment_job.run(deal.pk)
    by_worker = list(Assignment.objects.order_by("pk").values_list("screen__segment", "order"))
    again = factory.make_campaign(design="sampled")
    planning.launch(again, {}, 10, opens=False)
    assert by_worker
    assert [order for _, order in by_worker] == list(
        Assignment.objects.filter(campaign=again).order_by("pk").values_list("order", flat=True)
    )


def test_settings_are_stored_with_the_deal(client, unassigned):
    press(client, unassigned, redundancy="3")
    unassigned.refresh_from_db()
    assert unassigned.redundancy == 2
    tasks.assign_screens(Deal.objects.get().pk)
    unassigned.refresh_from_db()
    assert unassigned.redundancy == 3
    assert Assignment.objects.count() == 120


def test_one_deal_is_on_its_way_at_a_time(client, unassigned, olga):
    press(client, unassigned)
    press(client, unassigned)
    press(client, unassigned, screens="2")
    assert Deal.objects.count() == 1
    with pytest.raises(Refused, match="being dealt already"):
        assignment_job.ask(unassigned, olga, {}, 40, False)
    assert not Screen.objects.exists()


def test_a_button_pressed_twice_deals_once(client, unassigned, monkeypatch):
    monkeypatch.setattr(planning, "MOST_ASSIGNMENTS_AT_ONCE", 1000)
    monkeypatch.setattr(planning, "MOST_ASSIGNMENTS_PLANNED", 1000)
    for _ in range(2):
        answer = press(client, unassigned, screens="4")
    assert Screen.objects.exclude(batch=None).count() == 4
    assert "Look at the plan again" in client.get(answer.url).content.decode()


def test_what_is_cancelled_is_not_dealt(client, unassigned):
    press(client, unassigned)
    deal = Deal.objects.get()
    client.post(reverse("cancel_deal", args=[unassigned.slug, deal.pk]))
    tasks.assign_screens(deal.pk)
    assert not Screen.objects.exists()
    assert "Nothing was dealt" in client.get(reverse("show_deal", args=[unassigned.slug, deal.pk])).content.decode()
    assert not cancel(deal)


def test_cancelling_is_heard_while_it_deals_and_nothing_stays(client, unassigned, monkeypatch):
    press(client, unassigned, redundancy="3")
    deal = Deal.objects.get()
    launch = planning.launch

    def cancelled_meanwhile(*given):
        assigned = launch(*given)
        cancel(deal)
        return assigned

    monkeypatch.setattr(planning, "launch", cancelled_meanwhile)
    tasks.assign_screens(deal.pk)
    assert not Screen.objects.exists()
    unassigned.refresh_from_db()
    assert unassigned.redundancy == 2


def test_what_cannot_be_dealt_any_more_is_told_in_a_sentence(client, unassigned):
    press(client, unassigned)
    Campaign.objects.update(state=Campaign.State.CLOSED)
    deal = Deal.objects.get()
    tasks.assign_screens(deal.pk)
    page = client.get(reverse("show_deal", args=[unassigned.slug, deal.pk])).content.decode()
    assert "reopen it before dealing screens" in page


def test_the_sweeper_queues_again_what_a_killed_worker_left(client, unassigned, no_worker):
    press(client, unassigned)
    long_ago = timezone.now() - STALE_AFTER - timedelta(seconds=1)
    Deal.objects.update(state=Work.State.RUNNING, heartbeat=long_ago, attempt=1)
    no_worker.clear()
    tasks.sweep_deals()
    assert no_worker == [Deal.objects.get().pk]


def test_the_state_is_told_to_the_page_that_waits(client, unassigned):
    press(client, unassigned)
    address = reverse("deal_state", args=[unassigned.slug, Deal.objects.get().pk])
    assert client.get(address).json()["over"] is False
    tasks.assign_screens(Deal.objects.get().pk)
    assert client.get(address).json() == {"state": "done", "progress": 1, "step": "", "over": True}
