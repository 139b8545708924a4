"""Trying the judging page: the real one with the campaign's own screens, assigned or not, and nothing is stored."""

from uuid import uuid4

import pytest
from django.apps import apps
from django.urls import reverse

from judgments.judging.preview import preview_of
from tests import factory
from tests.judgments.assignment.test_document_mode import documents
from tests.judgments.judging.test_query_counts import larger

# How to make a campaign by protocol, and what answers a place of its form.
PROTOCOLS = {
    "ranking": (factory.make_campaign, "rank", "1"),
    "rating": (factory.make_campaign, "score", "50"),
    "verdict": (factory.make_verdicts, "finding", "ok"),
    "correction": (factory.make_campaign, "fine", "on"),
}


def stored() -> dict[str, list]:
    """Every row of every table."""
    return {model._meta.label: list(model._default_manager.order_by("pk").values()) for model in apps.get_models()}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_screen_can_be_answered_and_nothing_is_stored(db, browser_of, protocol):
    make, field, answer = PROTOCOLS[protocol]
    campaign = make(protocol=protocol, instructions="Read twice.")
    browser, address = browser_of(factory.organiser(campaign, "olga")), reverse("preview", args=[campaign.slug])
    (first,) = preview_of(campaign, 1)
    before = stored()
    shown = browser.get(address)
    text = shown.content.decode()
    assert text.count("Preview: nothing is stored.") == 1
    assert "Read twice." in text
    assert "Submit and go on" in text
    assert "js/judging.js" not in text
    assert not any(name in text for name in ("Heron", "Wren", "Magpie", "/assignments/"))
    assert shown.context["shown"].segment == first.assignment.screen.segment
    key = shown.context["form"]["key"].value()
    answers = {f"{field}_{place}": answer for place in range(1, max(1, len(first.slots)) + 1)}
    assert browser.post(address, {"key": key} | answers).url == reverse("preview", args=[campaign.slug, 2])
    assert stored() == before


def test_what_is_missing_is_marked_and_a_skip_goes_on_to_the_end(db, browser_of):
    campaign = factory.make_campaign()
    browser, address = browser_of(factory.organiser(campaign, "olga")), reverse("preview", args=[campaign.slug])
    key = browser.get(address).context["form"]["key"].value()
    assert "Give version B a rank." in browser.post(address, {"key": key, "rank_1": "1"}).content.decode()
    assert "This field is required." in browser.post(address, {"key": key, "skip": "1"}).content.decode()
    skipped = browser.post(address, {"key": key, "skip": "1", "skip_reason": "cannot tell"})
    assert skipped.url == reverse("preview", args=[campaign.slug, 2])
    assert "The preview is over" in browser.get(reverse("preview", args=[campaign.slug, 10**30])).content.decode()


@pytest.mark.parametrize("size", [1, 3])
def test_before_assigning_a_fixed_number_of_questions_is_asked(db, browser_of, size, django_assert_num_queries):
    campaign = factory.make_campaign(larger(size))
    browser = browser_of(factory.organiser(campaign, "olga"))
    with django_assert_num_queries(10):
        browser.get(reverse("preview", args=[campaign.slug]))


def test_of_a_document_the_sentence_asked_for_is_active(db, browser_of):
    campaign = factory.make_campaign(documents(2), document_mode=True)
    browser = browser_of(factory.organiser(campaign, "olga"))
    for number in (1, 2):
        address = reverse("preview", args=[campaign.slug, number])
        shown = browser.post(address, {"key": uuid4()}).context["screens"]
        assert [screen["is_active"] for screen in shown] == [number == 1, number == 2]
        assert [bool(screen["form"].errors) for screen in shown] == [number == 1, number == 2]
