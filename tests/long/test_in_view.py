"""On the published outputs, a judge at a laptop sees the source and all versions at once, and goes on at once."""

from collections import defaultdict
from dataclasses import replace
from math import dist
from statistics import median

import pytest
from django.urls import reverse
from django.utils import timezone

from judgments.assignment import assigning
from judgments.campaigns import settings, states
from judgments.material import storing
from judgments.material.rules.contents import UploadedMaterial
from judgments.models import Assignment, Campaign, Judgment
from tests import factory
from tests.browser.entrance import join, wait_for_next, while_edits_are_open
from tests.browser.in_view import hidden_versions
from tests.published import outputs

pytestmark = pytest.mark.browser

SCREENS = 60
# The windows of laptops, of phones upright and on their side, and of a laptop at 200 %; and the least share of screens
# whose source and versions are all in view.
WINDOWS = [
    *((1366, 768, "full"), (1280, 720, "full"), (1280, 720, "compact")),
    *((390, 844, "full"), (390, 844, "compact"), (844, 390, "compact"), (683, 384, "compact")),
]
LEAST = {
    ("ranking", 1366, 768, "full"): 0.95,
    ("ranking", 1280, 720, "full"): 0.9,
    ("ranking", 390, 844, "compact"): 0.6,
    ("ranking", 844, 390, "compact"): 0.9,
    ("ranking", 683, 384, "compact"): 0.6,
    ("rating", 1366, 768, "full"): 0.95,
    ("rating", 1280, 720, "full"): 0.9,
    ("rating", 390, 844, "compact"): 0.6,
    ("rating", 844, 390, "compact"): 0.9,
    ("rating", 683, 384, "compact"): 0.6,
}
HEAVIEST = 30_000  # bytes of a page
# Words of long sentences, and how many of their screens are shown.
LONG = [(60, 75), (90, 130)]
LONG_SCREENS = 10
BY_HAND = 9  # screens answered by mouse, and by keys, without the end of the batch
ANSWERED = 18  # without the end of the batch


# Milliseconds from Enter to the next painted screen, for each screen of a judge who ranks everything by keyboard.
WATCH = """
    const waits = window.waits = [];
    let pressed = 0;
    addEventListener("keydown", (event) => { if (event.key === "Enter") pressed = performance.now(); }, true);
    addEventListener("DOMContentLoaded", () => new MutationObserver((changes) => {
        const isNext = changes.some(({addedNodes}) => [...addedNodes].some((node) => node.matches?.("main")));
        if (isNext) requestAnimationFrame(() => waits.push(performance.now() - pressed));
    }).observe(document.body, {childList: true}));
"""


def published_campaign(protocol: str, material: UploadedMaterial | None = None, screens: int = SCREENS) -> Campaign:
    preset = settings.preset("grundkiewicz2015", "ranking") | {"protocol": protocol, "seed": 1}
    campaign = settings.configure(Campaign(slug=protocol, name=protocol), **preset)
    storing.store_material(campaign, material or outputs())
    assigning.assign(campaign, screens)
    states.open_campaign(campaign)
    campaign.refresh_from_db()
    return campaign


def hold_all(campaign: Campaign, client) -> list[str]:
    """The addresses of all screens, held by one judge, who is signed in."""
    judge = factory.judge(campaign, campaign.slug)
    client.force_login(judge.user)
    held = Assignment.objects.filter(campaign=campaign, repeats=None)
    held.update(judge=judge, claimed_at=timezone.now(), leased_until=timezone.now() + campaign.lease)
    return [reverse("assignment", args=[pk]) for pk in held.values_list("pk", flat=True)]


def shares_in_view(pages: list[str], chromium, live_server, client) -> dict[tuple[int, int, str], float]:
    """For each window and view, the share of screens whose source and versions are all in view."""
    context = chromium.new_context(base_url=live_server.url)
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}])
    page = context.new_page()
    hidden: dict[tuple[int, int, str], list[int]] = defaultdict(list)
    for address in pages:
        page.goto(address)
        page.locator("[data-status]:not(:empty)").wait_for()
        for width, height, view in WINDOWS:
            page.set_viewport_size({"width": width, "height": height})
            if (view == "compact") != page.evaluate("document.querySelector('main').classList.contains('compact')"):
                page.keyboard.press("v")
            hidden[width, height, view].append(hidden_versions(page))
    return {window: found.count(0) / len(pages) for window, found in hidden.items()}


def in_words(shares: dict[tuple[int, int, str], float]) -> str:
    return ", ".join(f"{width} x {height} {view} {share:.0%}" for (width, height, view), share in shares.items())


@pytest.mark.parametrize("protocol", ["ranking", "rating"])
def test_the_versions_of_published_screens_are_in_view(
    protocol, transactional_db, chromium, live_server, client, record_property
):
    pages = hold_all(published_campaign(protocol), client)
    weights = [len(client.get(address).content) for address in pages]
    assert max(weights) < HEAVIEST
    light = sum(weight < 20_000 for weight in weights) / len(weights)
    record_property("measured", f"{protocol}: a page weighs {median(weights):,.0f} bytes, {light:.0%} under 20,000")
    shares = shares_in_view(pages, chromium, live_server, client)
    record_property("measured", f"{protocol}, all in view on {len(pages)} screens: {in_words(shares)}")
    for (of, *window), least in LEAST.items():
        assert of != protocol or shares[tuple(window)] >= least, window


@pytest.mark.parametrize("protocol", ["ranking", "rating"])
@pytest.mark.parametrize(("least", "most"), LONG)
def test_long_sentences_are_measured(
    protocol, least, most, transactional_db, chromium, live_server, client, record_property
):
    """Without a target: the source and the version in hand are in view anyhow."""
    material = of_length(outputs(), least, most)
    pages = hold_all(published_campaign(protocol, material, min(LONG_SCREENS, len(material.places))), client)
    shares = shares_in_view(pages, chromium, live_server, client)
    record_property("measured", f"{protocol}, {least} to {most} words, all in view: {in_words(shares)}")
    assert shares


def of_length(material: UploadedMaterial, least: int, most: int) -> UploadedMaterial:
    kept = [place for place, text in enumerate(material.source.texts) if least <= len(text.split()) <= most]
    source, *systems = (
        replace(lines, texts=[lines.texts[place] for place in kept]) for lines in [material.source, *material.systems]
    )
    return replace(material, places=[material.places[place] for place in kept], source=source, systems=systems)


# How many edits a judge decides about; versions share some.
EDITS = "new Set([...document.querySelectorAll('.candidate [data-verdict]')].map((one) => one.ariaLabel)).size"


class Hand:
    """A judge's mouse, which counts its clicks and the pixels between them; and keys."""

    def __init__(self, page):
        self.page, self.at, self.clicks, self.travel, self.keys = page, None, 0, 0.0, 0

    def click(self, locator, share: float = 0.5) -> None:
        locator.scroll_into_view_if_needed()
        box = locator.bounding_box()
        to = (box["x"] + share * box["width"], box["y"] + box["height"] / 2)
        self.travel += dist(self.at, to) if self.at else 0
        self.at, self.clicks = to, self.clicks + 1
        self.page.mouse.click(*to)

    def press(self, keys: str) -> None:
        for key in keys.split():
            self.keys += 1
            self.page.keyboard.press(key)


def by_mouse(hand: Hand, protocol: str) -> None:
    page = hand.page
    for _ in while_edits_are_open(page):
        if not page.locator(".at-hand").count():
            hand.click(page.locator("[data-verdict=open]").first)
        hand.click(page.locator(".verdicts button").first)
    for place in range(page.locator(".candidate").count()):
        card = page.locator(".candidate").nth(place)
        if protocol == "rating":
            hand.click(card.locator("[type=range]"), 0.8)
        else:
            hand.click(card.locator(".ranks label").nth(place % 2))
    hand.click(page.locator(".submit .primary"))


def by_keys(hand: Hand, protocol: str) -> None:
    page = hand.page
    for _ in while_edits_are_open(page):
        hand.press("1")
    if page.locator(".edit.selected").count():
        hand.press("Enter")
    hand.press(" ".join(["8 0" if protocol == "rating" else "1"] * page.locator(".candidate").count()) + " Enter")


@pytest.mark.parametrize("protocol", ["ranking", "rating", "marking"])
def test_a_screen_takes_few_keys_clicks_and_little_travel(
    protocol, transactional_db, chromium, live_server, record_property
):
    page = chromium.new_context(base_url=live_server.url, viewport={"width": 1366, "height": 768}).new_page()
    join(page, published_campaign(protocol))
    hand, versions, edits = Hand(page), 0, 0
    for answer in [by_mouse] * BY_HAND + [by_keys] * BY_HAND:
        wait_for_next(page)
        versions += page.locator(".candidate").count()
        edits += page.evaluate(EDITS)
        before = page.url
        answer(hand, protocol)
        page.wait_for_url(lambda url, before=before: url != before)
    assert Judgment.objects.count() >= 2 * BY_HAND - 1
    measured = (
        f"{hand.keys / BY_HAND:.1f} keys; {hand.clicks / BY_HAND:.1f} clicks, {hand.travel / BY_HAND:,.0f} pixels"
    )
    about = f"{versions / 2 / BY_HAND:.1f} versions" + (f", {edits / 2 / BY_HAND:.1f} edits" if edits else "")
    record_property("measured", f"{protocol}, a screen of {about}: {measured}")


def test_enter_shows_the_next_screen(transactional_db, chromium, live_server, record_property):
    """Without a target in milliseconds, which would depend on the machine."""
    context = chromium.new_context(base_url=live_server.url, viewport={"width": 1366, "height": 768})
    context.add_init_script(WATCH)
    page = context.new_page()
    join(page, published_campaign("ranking"))
    for _ in range(ANSWERED):
        wait_for_next(page)
        for _ in range(page.locator(".candidate").count()):
            page.keyboard.press("1")
        before = page.url
        page.keyboard.press("Enter")
        page.wait_for_url(lambda url, before=before: url != before)
    waits = page.evaluate("waits")
    assert len(waits) == ANSWERED
    record_property("measured", f"Enter to the next screen, median of {len(waits)}: {median(waits):.0f} ms")
