"""Ranking by dragging: an extra for mouse and finger that moves nothing on the page."""

import re

import pytest
from playwright.sync_api import Page, expect

from judgments.models import Draft
from tests import factory
from tests.browser.entrance import join

BOXES = """() => [scrollY, ...[...document.querySelectorAll(".candidate, .submit")].map((box) => {
    const {x, y, width, height} = box.getBoundingClientRect();
    return [x, y, width, height];
})].flat()"""


@pytest.fixture
def screen(page, campaign) -> Page:
    join(page, campaign)
    expect(page.locator(".handle").first).to_be_visible()
    return page


def middle(page: Page, selector: str) -> tuple[float, float]:
    """Where to put the pointer."""
    box = page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def take(page: Page, place: int) -> None:
    page.mouse.move(*middle(page, f".candidate:nth-child({place} of .candidate) .handle"))
    page.mouse.down()


def drag(page: Page, place: int, rank: int) -> None:
    take(page, place)
    page.mouse.move(*middle(page, f".bins [data-rank='{rank}']"), steps=4)
    page.mouse.up()


def ranks(page: Page) -> list[str]:
    """The rank of each candidate, in the order shown."""
    chosen = "cards => cards.map((card) => card.querySelector('input:checked')?.value ?? '')"
    return page.eval_on_selector_all(".candidate", chosen)


@pytest.mark.walk
def test_a_candidate_dragged_to_a_rank_has_it_and_it_is_kept(screen):
    with screen.expect_response("**/draft/"):
        drag(screen, 2, 1)
        drag(screen, 1, 1)
    assert ranks(screen)[:2] == ["1", "1"]
    expect(screen.get_by_text(re.compile("^2 of . ranked$"))).to_be_visible()
    assert Draft.objects.get().answers == {"rank_1": "1", "rank_2": "1"}


@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_moves_while_something_is_dragged(screen, width):
    screen.set_viewport_size({"width": width, "height": 760})
    before = screen.evaluate(BOXES)
    take(screen, 1)
    expect(screen.locator(".bins")).to_be_in_viewport(ratio=1)
    assert screen.evaluate(BOXES) == before
    screen.mouse.move(*middle(screen, ".bins [data-rank='2']"))
    assert screen.evaluate(BOXES) == before
    screen.mouse.up()
    assert screen.evaluate(BOXES) == before
    assert ranks(screen)[0] == "2"


def test_released_elsewhere_or_ended_by_escape_it_changes_nothing(screen):
    handle = screen.locator(".handle").first  # which is hidden from keys and from screen readers
    expect(handle).to_have_attribute("aria-hidden", "true")
    assert handle.evaluate("element => element.tabIndex") == -1
    take(screen, 1)
    screen.mouse.up()
    take(screen, 1)
    screen.mouse.move(5, 5)
    screen.mouse.up()
    assert set(ranks(screen)) == {""}
    expect(screen.locator(".bins")).to_have_count(0)
    take(screen, 1)
    screen.mouse.move(*middle(screen, ".bins [data-rank='2']"))
    screen.keyboard.press("Escape")
    expect(screen.locator(".bins")).to_have_count(0)
    screen.mouse.up()
    assert set(ranks(screen)) == {""}


def test_z_takes_back_a_drag_and_a_click_like_a_key_and_the_strip_shows_who_has_which_rank(screen):
    screen.keyboard.press("1")
    drag(screen, 1, 2)
    screen.locator(".candidate").first.get_by_role("radio").first.click()
    for expected in ("1", "2", "1", ""):
        assert ranks(screen)[0] == expected
        screen.keyboard.press("z")
    drag(screen, 2, 1)
    take(screen, 1)
    first = screen.locator(".bins [data-rank='1']")
    expect(first.locator(".who:not(.moved)")).to_have_text(["B"])
    expect(first.locator(".moved")).to_be_hidden()
    screen.mouse.move(*middle(screen, ".bins [data-rank='1']"))
    expect(first.locator(".moved")).to_have_text("A")
    expect(first.locator(".moved")).to_be_visible()
    screen.mouse.up()


def test_a_finger_drags_a_handle_and_scrolls_everything_else(chromium, live_server, transactional_db):
    texts = {name: [f"{name} writes a sentence . " * 5] for name in ("source", "Heron", "Wren", "Magpie", "Plover")}
    phone = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
    context = chromium.new_context(base_url=live_server.url, **phone)
    page = context.new_page()
    join(page, factory.open_campaign(texts, redundancy=1))
    touch = context.new_cdp_session(page)

    def swipe(selector: str, x: float, y: float) -> None:
        startx, starty = middle(page, selector)
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": startx, "y": starty}]})
        for step in range(1, 9):
            point = {"x": startx + x * step / 8, "y": starty + y * step / 8}
            touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    expect(page.locator(".handle").first).to_be_visible()
    swipe(".candidate:nth-child(2 of .candidate) .handle", -80, -100)
    assert page.evaluate("scrollY") == 0
    assert ranks(page)[1] != ""
    swipe(".candidate:nth-child(2 of .candidate)", 0, -120)
    # Not an expression: the page's Content-Security-Policy would refuse to evaluate it a second time.
    page.wait_for_function("() => scrollY > 0")
    context.close()
