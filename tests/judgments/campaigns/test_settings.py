"""Configuring campaigns: what can be changed when, and nothing beside it."""

import pytest

from judgments.campaigns import settings, states
from judgments.models import Campaign, JournalEntry
from judgments.rules.errors import Refused
from tests import factory


def test_configuring_leaves_alone_what_others_change_meanwhile(campaign):
    looked_at_before = Campaign.objects.get()
    states.close_campaign(campaign)
    settings.configure(looked_at_before, name="Another name")
    campaign.refresh_from_db()
    assert (campaign.name, campaign.state) == ("Another name", Campaign.State.CLOSED)


def test_a_text_that_a_browser_sends_back_is_not_changed(campaign):
    Campaign.objects.update(instructions="Rank them.\n\nTake your time.\n")
    campaign.refresh_from_db()
    settings.configure(campaign, instructions="Rank them.\r\n\r\nTake your time.", name="Another name")
    assert JournalEntry.objects.latest("pk").what == "changed name"


def test_the_settings_of_assigned_screens_are_fixed(campaign):
    with pytest.raises(Refused, match="already assigned, so screen_size, seed cannot"):
        settings.configure(campaign, seed=1, screen_size=3)


def test_the_rule_for_controls_is_fixed_before_opening(db):
    campaign = factory.make_campaign()
    settings.configure(campaign, control_pass_share=0.7)
    campaign = factory.open_campaign()
    with pytest.raises(Refused, match="has been opened"):
        settings.configure(campaign, control_pass_share=0.7)


@pytest.mark.parametrize("name", ["instructions", "consent"])
def test_what_stands_on_every_screen_has_a_bound(campaign, name):
    with pytest.raises(Refused, match=f"{name}: This text has 20,001 characters; write at most 20,000"):
        settings.configure(campaign, **{name: "a" * 20_001})
    with pytest.raises(Refused, match="too many columns"):
        settings.configure(campaign, **{name: "|a" * 256 + "\n" + "|-" * 256 + "\n" + "|\n" * 256})


def test_a_change_is_stored_with_its_note_or_not_at_all(campaign, monkeypatch):
    def fail(*_):
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(settings, "note", fail)
    with pytest.raises(RuntimeError):
        settings.configure(campaign, name="Another")
    campaign.refresh_from_db()
    assert campaign.name == "A campaign"
