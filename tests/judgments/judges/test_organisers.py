"""Organisers and observers of a campaign."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from judgments.campaigns import overview
from judgments.judges import invitations, people
from judgments.models import Invitation, JournalEntry, MailJob, Membership
from judgments.rules.errors import Refused


@pytest.fixture
def olgas(campaign, olga, browser_of) -> Client:
    return browser_of(olga)


def invite_vera(campaign, olgas) -> Invitation:
    page = olgas.post(reverse("invite_observers", args=[campaign.slug]), {"names": "vera"}, follow=True)
    link = Invitation.objects.get(pseudonym="vera")
    assert link.token in page.content.decode()
    return link


@pytest.mark.wide
def test_an_observer_joins_by_a_link_and_sees_the_campaign(campaign, olgas):
    (of_dan,) = invitations.invite(campaign, ["dan"])
    link = invite_vera(campaign, olgas)
    vera = Client()
    assert "you see its pages, and change nothing" in vera.get(reverse("join", args=[link.token])).content.decode()
    page = vera.post(reverse("join", args=[link.token]), follow=True)
    assert page.redirect_chain[-1][0] == reverse("organise", args=[campaign.slug])
    assert "You observe this campaign" in page.content.decode()
    assert "you observe" in vera.get(reverse("home")).content.decode()
    (run,) = overview.runs_of(Membership.objects.get(pseudonym="vera").user)
    assert run.is_observed
    judges = vera.get(reverse("judges", args=[campaign.slug])).content.decode()
    assert "dan" in judges
    assert of_dan.token not in judges
    assert of_dan.token in olgas.get(reverse("judges", args=[campaign.slug])).content.decode()
    for name, secret in (("material", "/systems/"), ("disputes", "Adjudicate")):
        page = vera.get(reverse(name, args=[campaign.slug])).content.decode()
        assert secret not in page.replace("Adjudicated", ""), "nothing leads where observers may not go"
    mail = MailJob.objects.create(campaign=campaign, payload={"subject": "s", "text": "{link}"}, outcome={"sent": 0})
    for address in (reverse("api_job", args=[MailJob.KIND, mail.pk]), reverse("mail_links", args=[campaign.slug])):
        assert [client.get(address).status_code for client in (vera, olgas)] == [403, 200], "it names addresses"


def test_observers_are_no_judges_and_strangers_when_they_are_removed(campaign, olgas):
    link = invite_vera(campaign, olgas)
    assert "vera" not in olgas.get(reverse("invitations_csv", args=[campaign.slug])).content.decode()
    with pytest.raises(Refused, match="vera is invited as observer"):
        invitations.invite(campaign, ["vera"])
    (waited_for,) = invitations.invite(campaign, ["wim"], role=Membership.Role.OBSERVER)
    vera, address = Client(), reverse("join", args=[link.token])
    vera.post(address)
    page = olgas.get(reverse("organisers", args=[campaign.slug]))
    assert list(page.context["links"]) == [waited_for], "who observes already is not listed as invited"
    olgas.post(reverse("remove_organiser", args=[campaign.slug, Membership.objects.get(pseudonym="vera").pk]))
    assert vera.get(reverse("organise", args=[campaign.slug])).status_code == 302  # signed out
    assert Client().get(address).status_code == 404


def test_an_organiser_is_added_removed_and_added_again_and_the_last_one_stays(campaign, olga, olgas, browser_of):
    ben = User.objects.create_user("ben", password="ben")
    add = reverse("add_organiser", args=[campaign.slug])
    assert "There is no user benn" in olgas.post(add, {"username": "benn"}, follow=True).content.decode().replace(
        "&#x27;", ""
    )
    for _ in range(2):
        olgas.post(add, {"username": "ben"})
        assert browser_of(ben).get(reverse("organise", args=[campaign.slug])).status_code == 200
        member = Membership.objects.get(user=ben)
        people.remove_organiser(member)
        assert browser_of(ben).get(reverse("organise", args=[campaign.slug])).status_code == 404
    assert JournalEntry.objects.filter(what="made ben an organiser").count() == 2
    member = Membership.objects.get(user=olga)
    page = olgas.post(reverse("remove_organiser", args=[campaign.slug, member.pk]), follow=True)
    assert "needs an organiser" in page.content.decode()
    assert olgas.get(reverse("organise", args=[campaign.slug])).status_code == 200
