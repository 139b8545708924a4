"""What is said of a system can be changed, as long as nothing was dealt by it."""

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
    """A campaign with material that is not assigned."""
    return factory.make_campaign()


def named(name: str) -> System:
    return System.objects.get(name=name)


def test_a_system_gets_another_name(prepared):
    assert systems.rename(named("Heron"), "Heron-2").name == "Heron-2"
    assert System.objects.filter(name="Heron-2").exists()


@pytest.mark.parametrize(
    ("name", "said"),
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
def test_a_name_that_cannot_be_is_refused(prepared, name, said):
    with pytest.raises(Refused, match=said):
        systems.rename(named("Heron"), name)
    assert named("Heron")


def test_a_system_may_change_the_case_of_its_name(prepared):
    assert systems.rename(named("Heron"), "HERON").name == "HERON"


def test_the_same_name_in_another_campaign_is_no_obstacle(prepared):
    other = factory.make_campaign({"source": ["A ."], "Plover": ["B ."]})
    systems.rename(System.objects.get(campaign=other, name="Plover"), "Wren")
    assert System.objects.filter(name="Wren").count() == 2


@pytest.mark.parametrize("kind", ["reference", "control"])
def test_a_system_becomes_something_that_is_not_compared_and_comes_back(prepared, kind):
    changed = systems.change_kind(named("Heron"), kind)
    assert (changed.kind, changed.takes_part) == (kind, False)
    changed = systems.change_kind(changed, "system")
    assert (changed.kind, changed.takes_part) == ("system", True)


def test_the_source_stays_the_source_and_nothing_else_becomes_it(prepared):
    for name, kind in (("source", "system"), ("Heron", "source")):
        with pytest.raises(Refused, match="everything else refers to"):
            systems.change_kind(named(name), kind)


def test_a_system_is_left_out_and_taken_in_again(prepared):
    assert not systems.leave_out(named("Heron")).takes_part
    assert systems.take_in(named("Heron")).takes_part
    assert not systems.leave_out(named("source")).takes_part


def test_a_reference_is_not_taken_in(prepared):
    systems.change_kind(named("Heron"), "reference")
    with pytest.raises(Refused, match="Make it a system first"):
        systems.take_in(named("Heron"))


def test_what_is_dealt_keeps_its_kind_and_part_but_not_its_name(campaign):
    heron = named("Heron")
    for change in (lambda: systems.change_kind(heron, "reference"), lambda: systems.leave_out(heron)):
        with pytest.raises(Refused, match="Screens are assigned with Heron as it is"):
            change()
    assert systems.change(heron, "Plover", "system", True).name == "Plover"


def test_nothing_changes_in_a_closed_campaign(campaign):
    states.close_campaign(campaign)
    with pytest.raises(Refused, match="reopen it"):
        systems.rename(named("Heron"), "Plover")


def test_a_wish_of_which_one_part_is_refused_changes_nothing(prepared):
    with pytest.raises(Refused):
        systems.change(named("Heron"), "Plover", "source", True)
    assert named("Heron").kind == "system"


def test_a_left_out_system_stands_on_no_screen(prepared):
    systems.leave_out(named("Magpie"))
    assigning.assign(prepared)
    texts = set(prepared.screen_set.values_list("candidates__text", flat=True))
    assert not texts & set(factory.SYSTEMS["Magpie"])


def test_an_organiser_changes_a_system_on_its_page(prepared, browser_of):
    client = browser_of(factory.organiser(prepared, "olga"))
    address = reverse("system", args=[prepared.slug, named("Heron").pk])
    assert 'name="kind"' in client.get(address).content.decode()
    sent = client.post(address, {"name": "Plover", "kind": "system"}, follow=True)
    assert "Plover is saved." in sent.content.decode()
    assert not named("Plover").takes_part


def test_a_refusal_stands_on_the_page_with_what_was_wished(prepared, browser_of):
    client = browser_of(factory.organiser(prepared, "olga"))
    address = reverse("system", args=[prepared.slug, named("Heron").pk])
    page = client.post(address, {"name": "Wren", "kind": "system", "takes_part": "on"}).content.decode()
    assert "there is a system Wren already" in page
    assert 'value="Wren"' in page


def test_the_page_says_what_cannot_be_changed_once_screens_are_dealt(campaign, olga, browser_of):
    client = browser_of(olga)
    address = reverse("system", args=[campaign.slug, named("Heron").pk])
    page = client.get(address).content.decode()
    assert "can no longer be changed" in page
    assert 'name="kind"' not in page
    client.post(address, {"name": "Plover", "kind": "reference"})
    assert (named("Plover").kind, named("Plover").takes_part) == ("system", True)
