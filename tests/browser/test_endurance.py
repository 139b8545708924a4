"""Many screens in a row: the page does not grow, and hand and eye find everything where it was."""

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests import factory
from tests.browser.entrance import join, wait_for_next

SCREENS = 16
COUNTED = ("Nodes", "JSEventListeners", "Documents")


def sizes(page: Page, chrome: CDPSession) -> dict[str, float]:
    """What the page holds when everything is settled and the garbage is out."""
    wait_for_next(page)
    chrome.send("HeapProfiler.collectGarbage")
    metrics = chrome.send("Performance.getMetrics")["metrics"]
    return {metric["name"]: metric["value"] for metric in metrics if metric["name"] in COUNTED}


@pytest.mark.long
@pytest.mark.parametrize("protocol", ["ranking", "rating"])
def test_a_page_holds_no_more_after_many_screens(page, transactional_db, protocol):
    texts = {name: [f"{name} writes line {line} ." for line in range(SCREENS)] for name in ("source", "Heron", "Wren")}
    join(page, factory.open_campaign(texts, protocol=protocol, redundancy=1, batch_size=SCREENS))
    chrome = page.context.new_cdp_session(page)
    chrome.send("Performance.enable")
    seen = []
    for _ in range(SCREENS - 2):
        expect(page.locator("[data-status]")).to_contain_text("0 of 3")
        expect(page.locator(".candidate").first).to_be_focused()
        assert page.evaluate("scrollY") == 0
        seen.append(sizes(page, chrome))
        before = page.url
        for place in range(3):
            page.keyboard.press("2")
            if protocol == "rating" and place < 2:
                page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        page.wait_for_url(lambda url, before=before: url != before)
    early, late = seen[1:7], seen[-6:]
    for name in COUNTED:
        assert max(size[name] for size in late) <= 1.05 * max(size[name] for size in early), [s[name] for s in seen]
