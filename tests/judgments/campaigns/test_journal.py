"""The journal: what was done, by whom, kept even when the campaign is gone."""

import pytest
from django.core.management import call_command
from django.urls import reverse

from judgments.campaigns import settings, states
from judgments.models import JournalEntry
from judgments.models.journal import THE_PLATFORM, acting, note
from judgments.rules.errors import Refused
from tests import factory


def entries(campaign) -> list[tuple[str, str]]:
    return [(entry.actor, entry.what) for entry in JournalEntry.objects.filter(campaign=campaign).order_by("pk")]


def test_making_and_assigning_and_opening_are_noted(campaign):
    whats = [what for _, what in entries(campaign)]
    assert whats[0] == "made the campaign (Ranking (Appraise style))"
    assert whats[1].startswith("uploaded source, Heron, Wren, Magpie") or "uploaded" in whats[1]
    assert "screens in" in whats[2]
    assert whats[3] == "opened the campaign"


def test_an_entry_knows_who_did_it(campaign, olga, browser_of):
    browser_of(olga).post(reverse("change_state", args=[campaign.slug]), {"state": "closed"})
    assert entries(campaign)[-1] == ("olga", "closed the campaign")
    call_command("configure_campaign", campaign.slug, "--name", "Birds")
    assert entries(campaign)[-1] == ("the command line", "changed name")
    states.open_campaign(campaign)
    assert entries(campaign)[-1] == (THE_PLATFORM, "opened the campaign")


def test_acting_ends_where_it_began(campaign):
    with acting(lambda: "ada"), acting(lambda: "ben"):
        note(campaign, "first")
    note(campaign, "x" * 600)
    assert entries(campaign)[-2] == ("ben", "first")
    actor, what = entries(campaign)[-1]
    assert (actor, len(what), what[-1]) == (THE_PLATFORM, 500, "…")


def test_refused_actions_are_not_noted(campaign, ada):
    before = entries(campaign)
    with pytest.raises(Refused):
        settings.configure(campaign, screen_size=3)
    with pytest.raises(Refused):
        states.archive_campaign(campaign)
    assert entries(campaign) == before


def test_the_page_shows_a_hundred_at_a_time(campaign, olga, browser_of, django_assert_num_queries):
    for number in range(120):
        note(campaign, f"<b>thing {number}</b>")
    client, page = browser_of(olga), reverse("journal", args=[campaign.slug])
    first = client.get(page).content.decode()
    assert "&lt;b&gt;thing 119" in first
    assert "thing 3<" not in first
    assert "thing 3&lt;" in client.get(page, {"page": 2}).content.decode()
    with django_assert_num_queries(6):
        client.get(page)


@pytest.mark.postgresql
def test_the_journal_of_another_campaign_is_not_shown(campaign, olga, browser_of):
    other = factory.make_campaign()
    note(other, "a secret thing")
    assert "a secret thing" not in browser_of(olga).get(reverse("journal", args=[campaign.slug])).content.decode()
