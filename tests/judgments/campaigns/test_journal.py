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


def test_what_is_done_is_noted_with_who_did_it_and_what_is_refused_is_not(campaign, olga, browser_of):
    made, uploaded, assigned, opened, *_ = [what for _, what in entries(campaign)]
    assert (made, opened) == ("created the campaign (Ranking (best to worst))", "opened the campaign")
    assert "uploaded" in uploaded
    assert "screens in" in assigned
    browser_of(olga).post(reverse("change_state", args=[campaign.slug]), {"state": "closed"})
    assert entries(campaign)[-1] == ("olga", "closed the campaign")
    call_command("act", campaign.slug, "configure", "--name", "Birds")
    assert entries(campaign)[-1] == ("the command line", "changed name")
    campaign.refresh_from_db()
    states.open_campaign(campaign)
    assert entries(campaign)[-1] == (THE_PLATFORM, "opened the campaign")
    before = entries(campaign)
    for refused in (lambda: settings.configure(campaign, screen_size=3), lambda: states.archive_campaign(campaign)):
        with pytest.raises(Refused):
            refused()
    assert entries(campaign) == before


def test_acting_ends_where_it_began(campaign):
    with acting(lambda: "ada"), acting(lambda: "ben"):
        note(campaign, "first")
    note(campaign, "x" * 600)
    assert entries(campaign)[-2] == ("ben", "first")
    actor, what = entries(campaign)[-1]
    assert (actor, len(what), what[-1]) == (THE_PLATFORM, 500, "…")


@pytest.mark.postgresql
def test_the_page_shows_a_hundred_of_the_campaign_at_a_time(campaign, olga, browser_of, django_assert_num_queries):
    for number in range(120):
        note(campaign, f"<b>thing {number}</b>")
    note(factory.make_campaign(), "a secret thing")
    client, page = browser_of(olga), reverse("journal", args=[campaign.slug])
    with django_assert_num_queries(6):
        first = client.get(page).content.decode()
    assert "&lt;b&gt;thing 119" in first
    assert "thing 3<" not in first
    assert "a secret thing" not in first
    assert "thing 3&lt;" in client.get(page, {"page": 2}).content.decode()
