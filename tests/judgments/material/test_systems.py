"""A system can be changed as long as no screen shows it."""

import pytest
from django.urls import reverse

from judgments.assignment import assigning
from judgments.campaigns import states
from judgments.material import systems
from judgments.models import Campaign, System
from judgments.rules.errors import Refused
from tests import factory


@pytest.fixture
def prepared(db) -> Campaign:
    return factory.make_campaign()


def named(name: str) -> System:
    return System.objects.get(name=name)


def test_a_system_gets_another_name_or_another_case_of_it_whatever_other_campaigns_have(prepared):
    assert systems.change(named("Heron"), "HERON").name == "HERON"
    assert systems.change(named("HERON"), "Heron-2").name == "Heron-2"
    assert System.objects.filter(name="Heron-2").exists()
    other = factory.make_campaign({"source": ["A ."], "Plover": ["B ."]})
    systems.change(System.objects.get(campaign=other, name="Plover"), "Wren")
    assert System.objects.filter(name="Wren").count() == 2


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Wren", "there is a system Wren already"),
        ("wREN", "there is a system Wren already"),
        ("../x", "cannot name a system"),
        ("=1+1", "cannot name a system"),
        ("x" * 81, "longer than 80"),
        ("", "cannot name a system"),
        ("INPUT", "is reserved for the source"),
    ],
)
def test_a_name_that_cannot_be_is_refused(prepared, name, message):
    with pytest.raises(Refused, match=message):
        systems.change(named("Heron"), name)
    assert named("Heron")


@pytest.mark.parametrize("kind", ["reference", "control"])
def test_a_system_becomes_something_that_is_not_compared_and_comes_back(prepared, kind):
    changed = systems.change(named("Heron"), kind=kind)
    assert (changed.kind, changed.takes_part) == (kind, False)
    changed = systems.change(changed, kind="system")
    assert (changed.kind, changed.takes_part) == ("system", True)


def test_the_source_stays_the_source_and_a_reference_is_not_taken_in(prepared):
    for name, kind in (("source", "system"), ("Heron", "source")):
        with pytest.raises(Refused, match="everything else refers to"):
            systems.change(named(name), kind=kind)
    with pytest.raises(Refused):
        systems.change(named("Heron"), "Plover", "source", True)
    assert named("Heron").kind == "system"
    systems.change(named("Heron"), kind="reference")
    with pytest.raises(Refused, match="Make it a system first"):
        systems.change(named("Heron"), takes_part=True)


def test_a_system_is_left_out_and_taken_in_again_and_fields_not_mentioned_keep_their_stored_values(prepared):
    assert not systems.change(named("Heron"), takes_part=False).takes_part
    assert systems.change(named("Heron"), takes_part=True).takes_part
    assert not systems.change(named("source"), takes_part=False).takes_part
    heron = named("Heron")
    systems.change(named("Heron"), takes_part=False)
    renamed = systems.change(heron, "Plover")
    assert (renamed.name, renamed.kind, renamed.takes_part) == ("Plover", "system", False), "as stored, not as read"


def test_a_left_out_system_stands_on_no_screen(prepared):
    systems.change(named("Magpie"), takes_part=False)
    assigning.assign(prepared)
    texts = set(prepared.screen_set.values_list("candidates__text", flat=True))
    assert not texts & set(factory.SYSTEMS["Magpie"])


def test_a_system_on_screens_can_be_renamed_alone_and_in_a_closed_campaign_nothing_changes(campaign):
    heron = named("Heron")
    for wish in ({"kind": "reference"}, {"takes_part": False}):
        with pytest.raises(Refused, match=r"Screens are assigned with Heron as it is.* under Systems when"):
            systems.change(heron, **wish)
    assert systems.change(heron, "Plover", "system", True).name == "Plover"
    states.close_campaign(campaign)
    with pytest.raises(Refused, match="reopen it"):
        systems.change(named("Plover"), "Heron")


def test_an_organiser_changes_a_system_on_its_page_and_a_refusal_keeps_what_was_typed(prepared, browser_of):
    client = browser_of(factory.organiser(prepared, "olga"))
    address = reverse("system", args=[prepared.slug, named("Heron").pk])
    assert 'name="kind"' in client.get(address).content.decode()
    page = client.post(address, {"name": "Wren", "kind": "system", "takes_part": "on"}).content.decode()
    assert "there is a system Wren already" in page
    assert 'value="Wren"' in page
    sent = client.post(address, {"name": "Plover", "kind": "system"}, follow=True)
    assert "Plover is a system; judges do not compare it." in sent.content.decode()
    assert not named("Plover").takes_part


def test_the_page_says_what_cannot_be_changed_once_screens_are_assigned(campaign, olga, browser_of):
    client = browser_of(olga)
    address = reverse("system", args=[campaign.slug, named("Heron").pk])
    page = client.get(address).content.decode()
    assert "can no longer be changed" in page
    assert 'name="kind"' not in page
    client.post(address, {"name": "Plover", "kind": "reference"})
    assert (named("Plover").kind, named("Plover").takes_part) == ("system", True)
