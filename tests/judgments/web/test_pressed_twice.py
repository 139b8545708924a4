"""A button that is pressed twice does what it does once, or says kindly that it is done."""

from threading import Barrier, Thread

import pytest
from django.contrib.sessions.backends.base import UpdateError
from django.db import connection
from django.urls import reverse

from judgments.assignment import assigning
from judgments.campaigns import settings
from judgments.jobs.attempts import run_now
from judgments.judges import invitations
from judgments.material import uploads
from judgments.material.rules.reading import Roles
from judgments.models import Assignment, Campaign, Invitation, Membership, Screen, SharedLink, System, Upload
from judgments.rules.errors import Refused
from ranking.models import Report
from tests import factory
from tests.hostile import SENTENCE, errors_of

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


def test_a_campaign_is_made_once(campaign, olga, browser_of):
    second = press_twice(browser_of(olga), "new_campaign", **NEW)
    assert "There is a campaign brand-new already" in second.content.decode()
    assert Campaign.objects.filter(slug="brand-new").count() == 1


def test_a_complete_campaign_is_assigned_once(db, browser_of):
    unassigned = factory.make_campaign()
    client = browser_of(factory.organiser(unassigned, "oscar"))
    plan = {name: value for name, value in factory.SETTINGS.items() if name != "repeat_share"}
    plan |= {"sampling": "published", "screen_size": 5, "repeat_share": 0, "control_share": 0}
    second = press_twice(client, "assign_screens", unassigned.slug, **plan)
    assert errors_of(second)
    assert Screen.objects.count() == len(factory.SOURCE)


def test_files_are_stored_once(db, browser_of, no_worker):
    fresh = settings.configure(Campaign(slug="fresh", name="Fresh"))
    oscar = factory.organiser(fresh, "oscar")
    texts = factory.upload({"source": factory.SOURCE, **factory.SYSTEMS})
    upload = uploads.upload_files(fresh, oscar, texts, Roles())
    run_now(upload)
    press_twice(browser_of(oscar), "store_upload", fresh.slug, upload.pk, request_number=1)
    upload.refresh_from_db()
    assert upload.request_number == 2
    run_now(upload)
    run_now(upload)
    assert System.objects.count() == len(factory.SYSTEMS) + 1


def test_files_are_discarded_once(db, browser_of, no_worker):
    fresh = settings.configure(Campaign(slug="fresh", name="Fresh"))
    oscar = factory.organiser(fresh, "oscar")
    upload = uploads.upload_files(fresh, oscar, factory.upload({"source": factory.SOURCE}), Roles())
    press_twice(browser_of(oscar), "throw_away_upload", fresh.slug, upload.pk)
    assert not Upload.objects.exists()


@pytest.mark.postgresql
def test_a_judge_is_invited_once(campaign, olga, browser_of):
    press_twice(browser_of(olga), "invite", campaign.slug, pseudonyms="carl, dora@example.org")
    assert Invitation.objects.filter(campaign=campaign).count() == 2


def test_an_invitation_is_taken_once(campaign, client):
    (invitation,) = invitations.invite(campaign, ["carl"])
    press_twice(client, "join", invitation.token)
    assert Membership.objects.filter(campaign=campaign, pseudonym="carl").count() == 1


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


def test_a_link_is_revoked_once(campaign, olga, browser_of):
    link = SharedLink.objects.create(campaign=campaign, most_judges=2)
    press_twice(browser_of(olga), "revoke", campaign.slug, token=link.token)
    link.refresh_from_db()
    assert link.revoked_at


@pytest.mark.parametrize("state", ["closed"])
def test_a_campaign_changes_its_state_once(state, campaign, olga, browser_of):
    press_twice(browser_of(olga), "change_state", campaign.slug, state=state)
    campaign.refresh_from_db()
    assert campaign.state == state


def test_a_judge_is_excluded_once(campaign, ada, olga, browser_of):
    second = press_twice(browser_of(olga), "exclude", campaign.slug, ada.pk, reason="too quick")
    assert all(map(SENTENCE.search, errors_of(second)))


def test_a_campaign_is_deleted_once(campaign, olga, browser_of):
    Campaign.objects.filter(pk=campaign.pk).update(state="closed")
    second = press_twice(browser_of(olga), "delete_campaign", campaign.slug, typed=campaign.slug)
    assert second.status_code == 404
    assert not Campaign.objects.exists()


def test_a_report_is_requested_once(campaign, olga, browser_of, no_worker):
    client = browser_of(olga)
    for _ in range(2):
        answer = client.post(reverse("new_report", args=[campaign.slug]), {"replicates": "200"})
        assert answer.url == reverse("report", args=[Report.objects.get().pk])
    client.post(reverse("new_report", args=[campaign.slug]), {"replicates": "201"})
    assert Report.objects.count() == 2


def test_a_report_is_cancelled_once(campaign, olga, browser_of, no_worker):
    client = browser_of(olga)
    client.post(reverse("new_report", args=[campaign.slug]), {"replicates": "200"})
    second = press_twice(client, "cancel_job", "report", Report.objects.get().pk)
    assert errors_of(second) == ["This had already finished."]


@pytest.mark.django_db(transaction=True)
def test_one_of_two_concurrent_jobs_is_refused_and_nothing_is_assigned_twice():
    unassigned = factory.make_campaign()
    start, refused = Barrier(2), []

    def assign() -> None:
        try:
            start.wait()
            assigning.assign(Campaign.objects.get(pk=unassigned.pk))
        except Refused as reason:
            refused.append(str(reason))
        finally:
            connection.close()

    both = [Thread(target=assign) for _ in range(2)]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    assert len(refused) == 1
    assert Screen.objects.count() == len(factory.SOURCE)
    assert Assignment.objects.count() == 2 * len(factory.SOURCE)


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_one_of_two_concurrent_campaigns_of_one_name_is_refused():
    oscar = factory.User.objects.create_user("oscar")
    start, refused = Barrier(2), []

    def make() -> None:
        try:
            start.wait()
            settings.create(oscar.username, "recommended", slug="same", name="Same")
        except Refused as reason:
            refused.append(str(reason))
        finally:
            connection.close()

    both = [Thread(target=make) for _ in range(2)]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    assert len(refused) == 1
    assert Campaign.objects.filter(slug="same").count() == 1
