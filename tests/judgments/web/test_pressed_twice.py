"""A button that is pressed twice does what it does once, or says kindly that it is done."""

from collections.abc import Callable

import pytest
from django.contrib.sessions.backends.base import UpdateError
from django.urls import reverse

from judgments.assignment import assigning, claiming
from judgments.campaigns import settings
from judgments.jobs.attempts import run_now
from judgments.judges import invitations
from judgments.material import uploads
from judgments.material.rules.reading import Roles
from judgments.models import Assignment, Campaign, Invitation, Screen, SharedLink, System, Upload
from judgments.rules.errors import Refused
from ranking.models import Report
from tests import factory
from tests.hostile import SENTENCE, errors_of
from tests.judgments.at_once import at_once

NEW = {"name": "New", "slug": "brand-new", "protocol": "ranking", "preset_name": "recommended", "language": "en"}


def press_twice(client, name, /, *args, **fields):
    """The answer to the second press."""
    answers = []
    for _ in range(2):
        client.cookies.pop("messages", None)
        answers.append(client.post(reverse(name, args=args), fields))
    first, second = answers
    assert first.status_code == 302
    assert not errors_of(first)
    assert second.status_code < 500
    return second


@pytest.mark.postgresql
def test_whatever_an_organiser_presses_is_done_once(campaign, ada, olga, browser_of):
    client = browser_of(olga)
    second = press_twice(client, "new_campaign", **NEW)
    assert "There is a campaign brand-new already" in second.content.decode()
    assert Campaign.objects.filter(slug="brand-new").count() == 1
    press_twice(client, "invite_judges", campaign.slug, names="carl, dora@example.org")
    assert Invitation.objects.filter(campaign=campaign).count() == 2
    second = press_twice(client, "exclude_judge", campaign.slug, ada.pk, reason="too quick")
    assert all(map(SENTENCE.search, errors_of(second)))
    link = SharedLink.objects.create(campaign=campaign, most_judges=2)
    press_twice(client, "revoke_link", campaign.slug, token=link.token)
    press_twice(client, "change_state", campaign.slug, state="closed")
    link.refresh_from_db()
    campaign.refresh_from_db()
    assert (link.revoked_at is None, campaign.state) == (False, "closed")
    assert press_twice(client, "delete_campaign", campaign.slug, typed=campaign.slug).status_code == 404
    assert not Campaign.objects.filter(pk=campaign.pk).exists()


def test_files_are_stored_or_discarded_once(db, browser_of, no_worker):
    fresh = settings.configure(Campaign(slug="fresh", name="Fresh"))
    oscar = factory.organiser(fresh, "oscar")
    texts = factory.upload({"source": factory.SOURCE, **factory.SYSTEMS})
    kept, discarded = (uploads.upload_files(fresh, oscar, texts, Roles()) for _ in range(2))
    press_twice(browser_of(oscar), "discard_upload", fresh.slug, discarded.pk)
    assert Upload.objects.get() == kept
    run_now(kept)
    press_twice(browser_of(oscar), "store_upload", fresh.slug, kept.pk, request_number=1)
    kept.refresh_from_db()
    assert kept.request_number == 2
    run_now(kept)
    run_now(kept)
    assert System.objects.count() == len(factory.SYSTEMS) + 1


@pytest.mark.postgresql
def test_a_guest_who_joins_twice_in_one_moment_sees_the_page_again(campaign, client, monkeypatch):
    """The first time signs in and ends the session that the second one would keep."""
    (invitation,) = invitations.invite(campaign, ["ann"])
    address = reverse("join", args=[invitation.token])

    def interrupted(*_, **__):
        raise UpdateError

    with monkeypatch.context() as patch:
        patch.setattr("django.contrib.sessions.backends.db.SessionStore.save", interrupted)
        patch.setattr("django.contrib.sessions.backends.db.SessionStore.cycle_key", lambda store: None)
        answer = client.post(address)
    assert (answer.status_code, answer.headers["Location"]) == (302, address)


def test_a_report_is_requested_once_and_cancelled_once(campaign, olga, browser_of, no_worker):
    client, address = browser_of(olga), reverse("new_report", args=[campaign.slug])
    assert "There are no judgments yet." in client.post(address, {"replicates": "200"}).content.decode()
    factory.answer(claiming.claim_next(factory.judge(campaign, "ada")))
    for _ in range(2):
        answer = client.post(address, {"replicates": "200"})
        assert answer.url == reverse("report", args=[Report.objects.get().pk])
    second = press_twice(client, "cancel_job", "report", Report.objects.get().pk)
    assert errors_of(second) == ["This had already finished."]
    client.post(address, {"replicates": "201"})
    assert Report.objects.count() == 2


def refusals(act: Callable[[], object]) -> list[Refused]:
    """What one of two is told who act at once."""
    refused: list[Refused] = []

    def tried() -> None:
        try:
            act()
        except Refused as reason:
            refused.append(reason)

    at_once(tried, tried)
    return refused


@pytest.mark.django_db(transaction=True)
def test_one_of_two_concurrent_jobs_is_refused_and_nothing_is_assigned_twice():
    unassigned = factory.make_campaign()
    assert len(refusals(lambda: assigning.assign(Campaign.objects.get(pk=unassigned.pk)))) == 1
    assert Screen.objects.count() == len(factory.SOURCE)
    assert Assignment.objects.count() == 2 * len(factory.SOURCE)


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_one_of_two_concurrent_campaigns_of_one_name_is_refused():
    factory.User.objects.create_user("oscar")
    assert len(refusals(lambda: settings.create("oscar", "recommended", slug="same", name="Same"))) == 1
    assert Campaign.objects.filter(slug="same").count() == 1
