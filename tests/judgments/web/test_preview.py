"""Trying the judging page: the real one with the campaign's own screens, assigned or not, and nothing is stored."""

import pytest
from django.apps import apps
from django.urls import reverse

from judgments.assignment import assigning
from judgments.campaigns import settings, states
from judgments.judging.preview import preview_of
from judgments.models import Campaign
from tests import factory
from tests.judgments.judging.test_query_counts import larger

# How to make a campaign by protocol, and what answers a place of its form.
PROTOCOLS = {
    "ranking": (factory.make_campaign, "rank", "1"),
    "rating": (factory.make_campaign, "score", "50"),
    "verdict": (factory.make_verdicts, "finding", "ok"),
    "correction": (factory.make_campaign, "fine", "on"),
}
# Repeats and controls are in the preview too.
SETTINGS = {"repeat_share": 0.4, "batch_size": 5, "control_share": 0.4}


def stored() -> dict[str, list]:
    """Every row of every table."""
    return {model._meta.label: list(model._default_manager.order_by("pk").values()) for model in apps.get_models()}


def assign(campaign: Campaign) -> None:
    assigning.assign(campaign)
    states.open_campaign(campaign)


def screens_of(campaign: Campaign) -> list:
    """What is shown on every screen of the preview, in order."""
    seen = []
    while page := preview_of(campaign, len(seen) + 1):
        found = next(one for one in page if one.place.number == len(seen) + 1)
        screen = found.assignment.screen
        seen.append((found.place, screen.segment, screen.usage, [slot.candidate for slot in found.slots]))
    return seen


@pytest.mark.parametrize("is_assigned", [False, True], ids=["before assigning", "after assigning"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_screen_can_be_answered_and_nothing_is_stored(db, browser_of, protocol, is_assigned):
    make, field, answer = PROTOCOLS[protocol]
    campaign = make(protocol=protocol, instructions="Read twice.")
    if is_assigned:
        assign(campaign)
    browser, screens = browser_of(factory.organiser(campaign, "olga")), screens_of(campaign)
    before = stored()
    address = reverse("preview", args=[campaign.slug])
    for _, segment, _, candidates in screens:
        shown = browser.get(address)
        text = shown.content.decode()
        assert text.count("Preview: nothing is stored.") == 1
        assert "Read twice." in text
        assert "Submit and go on" in text
        assert "js/judging.js" not in text
        assert not any(name in text for name in ("Heron", "Wren", "Magpie", "/assignments/"))
        assert shown.context["shown"].segment == segment
        key = shown.context["form"]["key"].value()
        answers = {f"{field}_{place}": answer for place in range(1, max(1, len(candidates)) + 1)}
        address = browser.post(address, {"key": key} | answers).url
    assert "The preview is over" in browser.get(address).content.decode()
    assert stored() == before


def test_what_is_missing_is_marked_and_a_skip_goes_on(db, browser_of):
    campaign = factory.make_campaign()
    browser, address = browser_of(factory.organiser(campaign, "olga")), reverse("preview", args=[campaign.slug])
    key = browser.get(address).context["form"]["key"].value()
    assert "Give sentence 2 a rank." in browser.post(address, {"key": key, "rank_1": "1"}).content.decode()
    assert "This field is required." in browser.post(address, {"key": key, "skip": "1"}).content.decode()
    skipped = browser.post(address, {"key": key, "skip": "1", "skip_reason": "cannot tell"})
    assert skipped.url == reverse("preview", args=[campaign.slug, 2])


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_screens_are_those_that_the_first_judge_gets(db, protocol):
    make, _, _ = PROTOCOLS[protocol]
    campaign = make(protocol=protocol, **SETTINGS)
    planned = screens_of(campaign)
    assert [place.number for place, *_ in planned] == list(range(1, planned[0][0].of + 1))
    assigning.assign(campaign)
    assert screens_of(campaign) == planned


@pytest.mark.parametrize("size", [1, 3])
def test_before_assigning_a_fixed_number_of_questions_is_asked(db, browser_of, size, django_assert_num_queries):
    campaign = factory.make_campaign(larger(size))
    browser = browser_of(factory.organiser(campaign, "olga"))
    with django_assert_num_queries(10):
        browser.get(reverse("preview", args=[campaign.slug]))


def test_without_material_the_page_leads_to_it(db, browser_of):
    campaign = settings.configure(settings.find_or_prepare("empty"))
    browser = browser_of(factory.organiser(campaign, "olga"))
    page = browser.get(reverse("preview", args=["empty"])).content.decode()
    assert "There is nothing to judge yet." in page
    assert f'href="{reverse("material", args=["empty"])}">Add material</a>' in page


def test_a_number_that_no_screen_has_ends_the_preview(db, browser_of):
    campaign = factory.make_campaign()
    browser = browser_of(factory.organiser(campaign, "olga"))
    for number in (0, 10**30):
        assert "The preview is over" in browser.get(reverse("preview", args=[campaign.slug, number])).content.decode()


@pytest.mark.parametrize("is_assigned", [False, True], ids=["before assigning", "after assigning"])
def test_a_document_is_previewed_as_one_page(db, is_assigned):
    texts = {
        "source": ["He go .", "It rain .", "", "She run ."],
        "Heron": ["He goes .", "It rains .", "", "She runs ."],
    }
    campaign = factory.make_campaign(texts, document_mode=True, batch_size=4, repeat_share=0.25)
    if is_assigned:
        assign(campaign)
    pages = [[one.place.number for one in preview_of(campaign, number)] for number in range(1, 5)]
    assert pages in ([[1, 2], [1, 2], [3], [4]], [[1], [2, 3], [2, 3], [4]])
