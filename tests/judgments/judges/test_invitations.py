"""Links that let judges in: personal ones and shared ones, for ever or for days, until they are revoked."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timezone import localtime

from judgments.actions.links import InviteJudges
from judgments.campaigns import settings
from judgments.judges import invitations, onboarding
from judgments.models import Invitation, Membership, SharedLink
from judgments.rules.errors import Refused
from tests import factory
from tests.judgments.at_once import at_once


def address(link: SharedLink, **parameters: str) -> str:
    query = "&".join(f"{name}={value}" for name, value in parameters.items())
    return f"{reverse('join_shared', args=[link.token])}?{query}"


def judges(link: SharedLink) -> list[Membership]:
    return list(Membership.objects.filter(came_by=link).order_by("pk"))


def test_everybody_who_joins_by_a_shared_link_is_a_judge_of_their_own(campaign):
    invitations.invite(campaign, ["judge-1"])  # a name that is not given away
    link = invitations.share(campaign, 5)
    for number in (1, 2):
        client = Client()
        assert client.get(address(link)).status_code == 200
        assert len(judges(link)) == number - 1, "looking makes nobody a judge"
        page = client.post(address(link), follow=True)
        assert page.redirect_chain[-1] == (reverse("campaign", args=[campaign.slug]), 302)
    assert [judge.pseudonym for judge in judges(link)] == ["judge-2", "judge-3"]
    # A personal link leads back on another machine, the shared one in the same browser.
    invitation = Invitation.objects.get(membership=judges(link)[1])
    assert reverse("join", args=[invitation.token]) in page.content.decode()
    elsewhere = Client()
    elsewhere.post(reverse("join", args=[invitation.token]))
    assert elsewhere.session["_auth_user_id"] == client.session["_auth_user_id"]
    assert "Continue as judge-3" in client.get(address(link)).content.decode()
    client.post(address(link))
    assert len(judges(link)) == 2


@pytest.mark.postgresql
def test_a_shared_link_lets_in_no_more_than_its_places(campaign):
    settings.configure(campaign, questions=factory.QUESTIONS, most_attempts=1)
    link, first = invitations.share(campaign, 1), Client()
    first.post(address(link))
    page = Client().get(address(link)).content.decode()
    assert "All places of this link are taken." in page
    assert "Join as a judge" not in page
    assert "All places of this link are taken." in Client().post(address(link)).content.decode()
    assert len(judges(link)) == 1
    assert "Continue as judge-1" in first.get(address(link)).content.decode(), "a judge with a place can return"
    onboarding.answer_questions(judges(link)[0], [False, False], "0")  # who fails frees the place
    Client().post(address(link))
    assert len(judges(link)) == 2


def test_a_worker_of_a_platform_is_the_same_judge_on_every_machine_until_removed(campaign):
    link = invitations.share(campaign, 1)
    for session in ("s1", "s2"):
        Client().post(address(link, PROLIFIC_PID="p1", STUDY_ID="st", SESSION_ID=session, other="x"))
    (judge,) = judges(link)
    assert judge.worker == "p1"
    assert judge.platform == {"PROLIFIC_PID": "p1", "STUDY_ID": "st", "SESSION_ID": "s1"}
    assert "All places" in Client().post(address(link, PROLIFIC_PID="p2")).content.decode()
    Membership.objects.filter(worker="p1").update(removed_at=timezone.now())
    assert "has ended your part" in Client().post(address(link, PROLIFIC_PID="p1")).content.decode()


def test_another_worker_in_the_same_browser_is_another_judge_and_who_only_looks_is_none(campaign):
    link = invitations.share(campaign, 5)
    looking = address(link, assignmentId="ASSIGNMENT_ID_NOT_AVAILABLE", workerId="w1")
    assert "Accept the task first" in Client().get(looking).content.decode()
    Client().post(looking)
    assert not judges(link)
    client = Client()
    for worker in ("w1", "w2"):
        client.post(address(link, workerId=worker, assignmentId="a"))
    assert [judge.worker for judge in judges(link)] == ["w1", "w2"]
    assert int(client.session["_auth_user_id"]) == judges(link)[1].user_id


def test_somebody_with_an_account_joins_as_themselves_unless_it_was_made_for_another_campaign(campaign, browser_of):
    zoe = User.objects.create_user("zoe", password="a good one, this")
    link = invitations.share(campaign, 5)
    client = browser_of(zoe)
    assert "Continue as zoe" in client.get(address(link)).content.decode()
    for _ in range(2):
        client.post(address(link))
    assert [judge.user for judge in judges(link)] == [zoe]
    assert not Invitation.objects.exists()
    other = factory.judge(factory.open_campaign(), "eve")
    User.objects.filter(pk=other.user_id).update(password="!none")
    link = invitations.share(campaign, 5)
    client = browser_of(User.objects.get(pk=other.user_id))
    assert "signs eve out of this browser" in client.get(address(link)).content.decode()
    client.post(address(link))
    assert int(client.session["_auth_user_id"]) == judges(link)[0].user_id != other.user_id


@pytest.mark.parametrize("change", ["revoked_at", "expires_at"])
def test_links_are_valid_for_the_chosen_number_of_days_and_let_nobody_in_when_they_are_over(
    campaign, change, browser_of
):
    with pytest.raises(Refused, match="at least one day"):
        invitations.share(campaign, 5, days=0)
    (invitation,) = invitations.invite(campaign, ["dan"], days=3)
    link = invitations.share(campaign, 5, days=3)
    for made in (invitation, link):
        assert timedelta(days=2.9) < made.expires_at - timezone.now() <= timedelta(days=3)
        type(made).objects.update(**{change: timezone.now()})
    for place in (reverse("join", args=[invitation.token]), address(link)):
        assert Client().get(place).status_code == 404
        answer = Client().post(place)
        assert answer.status_code == 404
        assert "It was revoked or has expired" in answer.content.decode()
    page = browser_of(factory.organiser(campaign, "olga")).get(reverse("judges", args=[campaign.slug])).content.decode()
    assert f"{'revoked' if change == 'revoked_at' else 'expired'}" in page.partition("Invited, not yet joined")[2]


@pytest.mark.postgresql
def test_a_revoked_judge_is_out_at_once_and_can_be_invited_again(campaign):
    (invitation,) = invitations.invite(campaign, ["dan"])
    client = Client()
    client.post(reverse("join", args=[invitation.token]))
    page = reverse("campaign", args=[campaign.slug])
    invitation.refresh_from_db()
    invitation.revoke()
    assert client.get(page).url.startswith(reverse("sign_in"))
    gone = Client().get(reverse("join", args=[invitation.token]))
    assert (gone.status_code, "This link no longer works" in gone.content.decode()) == (404, True)
    (renewed,) = invitations.invite(campaign, ["dan"])
    assert renewed.token != invitation.token
    client.post(reverse("join", args=[renewed.token]))
    assert client.get(page).status_code == 200
    assert Membership.objects.filter(pseudonym="dan").count() == 1


def test_revoking_never_locks_out_an_account_with_a_password(campaign):
    dan = User.objects.create_user("dan", password="a good one, this")
    (invitation,) = invitations.invite(campaign, ["dan"])
    invitation.membership = Membership.objects.create(campaign=campaign, user=dan, role="judge", pseudonym="dan")
    invitation.save()
    invitation.revoke()
    dan.refresh_from_db()
    assert dan.is_active


def test_who_has_a_link_already_does_not_count_as_invited(campaign):
    assert factory.act(InviteJudges, campaign, names=["dan", "eve"]).startswith("2 invited. Send")
    again = factory.act(InviteJudges, campaign, names=["eve", "fay"], days=9)
    assert again.startswith("1 invited, 1 had a link already, which stays as it is. Send")


def test_an_organiser_makes_and_revokes_links_of_the_campaign_on_the_page(campaign, olga, browser_of):
    client = browser_of(olga)
    judges, revoke = (reverse(name, args=[campaign.slug]) for name in ("judges", "revoke_link"))
    client.post(reverse("share_link", args=[campaign.slug]), {"most_judges": "7", "days": ""})
    client.post(reverse("invite_judges", args=[campaign.slug]), {"names": "dan", "days": "2"})
    tokens = [SharedLink.objects.get().token, Invitation.objects.get().token]
    page = client.get(judges).content.decode()
    assert all(token in page for token in tokens)
    assert f'<td class="when">{date_format(localtime(Invitation.objects.get().expires_at), "j M Y H:i e")}</td>' in page
    for token in tokens:
        client.post(revoke, {"token": token})
    page = client.get(judges).content.decode()
    assert not any(token in page for token in tokens)
    (theirs,) = invitations.invite(factory.open_campaign(), ["dan"])
    assert client.post(revoke, {"token": theirs.token}).status_code == 404
    theirs.refresh_from_db()
    assert theirs.revoked_at is None


@pytest.mark.django_db(transaction=True)
def test_many_who_come_at_once_take_each_place_once():
    link, refused = invitations.share(factory.open_campaign(), 3), []

    def come() -> None:
        try:
            invitations.join(link, {})
        except Refused as reason:
            refused.append(reason)

    at_once(*[come] * 6)
    assert len(judges(link)) == len(refused) == 3
