"""Configuring campaigns: what can be changed when, and nothing beside it."""

import pytest
from django.urls import reverse

from judgments.actions.campaigns import Configure
from judgments.api.campaigns import NewCampaign, WholeCampaign
from judgments.archive.tables import CAMPAIGN
from judgments.campaigns import settings, states
from judgments.models import Campaign, JournalEntry
from judgments.models.campaign import PLAN_SETTINGS, SETTINGS
from judgments.models.settings import PLAN
from judgments.protocols import PROTOCOLS
from judgments.rules.errors import Refused
from judgments.web.forms.campaigns import SettingsForm
from tests import factory

# Columns that the platform fills in itself, or that have a page of their own.
NO_SETTINGS = {
    "id", "slug", "protocol", "state", "preset", "datasheet", "later_screens", "sentences_offered", "pilot_batches",
    "created_at", "opened_at", "closed_at",
}  # fmt: skip


def test_a_setting_is_declared_on_its_field_alone(db):
    """A new column is a setting, or is named above; everything else follows from its declaration."""
    assert {field.name for field in Campaign._meta.concrete_fields} == {*SETTINGS} | NO_SETTINGS
    assert {name for name, one in SETTINGS.items() if one.group == PLAN} == {*PLAN_SETTINGS}
    assert SETTINGS.keys() == Configure.base_fields.keys() == set(CAMPAIGN.fields) - NO_SETTINGS
    assert SETTINGS.keys() <= {*NewCampaign.Meta.fields} & {*WholeCampaign.Meta.fields}
    special = {name for name, one in SETTINGS.items() if one.is_special}
    for protocol in PROTOCOLS.values():
        assert protocol.special_settings <= special
        assert protocol.unused_settings <= SETTINGS.keys() - special
        assert {*protocol.recommended} <= SETTINGS.keys()
    groups = list(SettingsForm(factory.make_campaign()).groups())
    assert len({group.heading for group in groups}) == len(groups), "fields of a group stand together in the model"
    shown = [field.name for group in groups for field in (*group.shown, *group.texts, *group.seldom)]
    assert sorted(shown) == sorted(name for name in SETTINGS if PROTOCOLS["ranking"].uses(name))


def test_configuring_leaves_alone_what_others_change_meanwhile_and_what_is_fixed(campaign):
    looked_at_before = Campaign.objects.get()
    states.close_campaign(campaign)
    settings.configure(looked_at_before, name="Another name")
    campaign.refresh_from_db()
    assert (campaign.name, campaign.state) == ("Another name", Campaign.State.CLOSED)
    # A text that a browser sends back is not changed.
    Campaign.objects.update(instructions="Rank them.\n\nTake your time.\n")
    campaign.refresh_from_db()
    settings.configure(campaign, instructions="Rank them.\r\n\r\nTake your time.", name="A third name")
    assert JournalEntry.objects.latest("pk").what == "changed name"
    with pytest.raises(Refused, match="already assigned, so screen_size, seed cannot"):
        settings.configure(campaign, seed=1, screen_size=3)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("screen_size", 0, r"screen_size: must lie between 1 and 20, and is 0\."),
        ("repeat_share", float("nan"), r"repeat_share: must lie between 0 and 0\.5, and is nan"),
        ("repeat_share", 20, r"repeat_share: must lie between 0 and 0\.5, and is 20\.0; write 0\.2 for 20%\."),
    ],
)
def test_a_number_out_of_its_bounds_is_refused_with_them(name, value, message, db):
    with pytest.raises(Refused, match=message):
        settings.configure(Campaign(slug="new-one", name="New one"), **{name: value})


@pytest.mark.parametrize("name", ["instructions", "consent"])
def test_what_stands_on_every_screen_has_a_bound(campaign, name):
    with pytest.raises(Refused, match=f"{name}: This text has 20,001 characters; write at most 20,000"):
        settings.configure(campaign, **{name: "a" * 20_001})
    with pytest.raises(Refused, match="too many columns"):
        settings.configure(campaign, **{name: "|a" * 256 + "\n" + "|-" * 256 + "\n" + "|\n" * 256})


def test_faults_of_all_texts_are_said_at_once_and_that_nothing_is_saved(campaign, olga, browser_of):
    client, address = browser_of(olga), reverse("settings", args=[campaign.slug])
    given = {
        name: "" if value is None else value for name, value in client.get(address).context["form"].initial.items()
    }
    page = client.post(address, given | {"tutorial": "> A dog .", "questions": "? Why"}).content.decode()
    for said in ("Nothing is saved yet", "tutorial, line 1: an example needs", "questions, line 1: a question needs"):
        assert said in page
    page = client.post(address, given | {"pass_share": "80"}).content.decode()
    assert "Nothing is saved yet" in page
    campaign.refresh_from_db()
    assert (campaign.tutorial, campaign.pass_share) == ("", 0.8)


def test_a_change_is_stored_with_its_note_and_its_consequences_or_not_at_all(campaign, monkeypatch):
    def fail(*_):
        raise RuntimeError("the disk is full")

    before = Campaign.objects.values().get(), JournalEntry.objects.count()
    monkeypatch.setattr(settings, "Subquery", fail)  # in the last step, which asks for consent again
    with pytest.raises(RuntimeError):
        settings.configure(campaign, name="Another", consent="You agree.")
    assert (Campaign.objects.values().get(), JournalEntry.objects.count()) == before
