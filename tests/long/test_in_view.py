"""On the published outputs, a judge at a laptop sees the source and all versions at once, and goes on at once."""

from collections import defaultdict
from statistics import median

import pytest
from django.urls import reverse
from django.utils import timezone

from judgments.assignment import assigning
from judgments.campaigns import settings, states
from judgments.material import storing
from judgments.models import Assignment, Campaign
from tests import factory
from tests.browser.entrance import join, wait_for_next
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


def published_campaign(protocol: str) -> Campaign:
    preset = settings.preset("grundkiewicz2015", "ranking") | {"protocol": protocol, "seed": 1}
    campaign = settings.configure(Campaign(slug=protocol, name=protocol), **preset)
    storing.store_material(campaign, outputs())
    assigning.assign(campaign, SCREENS)
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


@pytest.mark.parametrize("protocol", ["ranking", "rating"])
def test_the_versions_of_published_screens_are_in_view(
    protocol, transactional_db, chromium, live_server, client, record_property
):
    pages = hold_all(published_campaign(protocol), client)
    weights = [len(client.get(address).content) for address in pages]
    assert max(weights) < HEAVIEST
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
    shares = {window: found.count(0) / len(pages) for window, found in hidden.items()}
    for (width, height, view), share in shares.items():
        seen = f"{protocol} at {width} x {height}, {view}: all in view on {share:.0%} of {len(pages)}"
        record_property("measured", seen)
    for (of, *window), least in LEAST.items():
        assert of != protocol or shares[tuple(window)] >= least, window
    record_property("measured", f"{protocol}: a page weighs {median(weights):,.0f} bytes, at most {max(weights):,}")


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
