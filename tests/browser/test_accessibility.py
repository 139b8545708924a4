"""Judging for everybody: zoomed, by keyboard, by screen reader, in high contrast, without motion, with one thumb."""

from itertools import product

import pytest
from playwright.sync_api import Page, expect

from tests import factory
from tests.browser.axe import check_with_axe
from tests.browser.entrance import join

PROTOCOLS = ["ranking", "rating"]
DAYS = range(1, 10)  # enough for context that is shown on demand
TEXTS = {
    "source": [f"On day {day} he go to school because the teacher want to see him ." for day in DAYS],
    "Heron": [f"On day {day} , he went to school because his teacher wanted to see him ." for day in DAYS],
    "Wren": [f"He go school because the teacher want see him on day {day} ." for day in DAYS],
}

# What can be pressed, typed into or dragged, with the area that takes the press: for a radio or a box its label.
TOO_SMALL = """() => {
    const all = document.querySelectorAll("a, button, summary, select, textarea, input:not([type=hidden]), .handle");
    const seen = [...all].filter((element) => element.checkVisibility() && !element.matches(".skip-link"));
    return seen.flatMap((element) => {
        const target = element.matches("[type=radio], [type=checkbox]") ? element.labels[0] : element;
        const {width, height} = target.getBoundingClientRect();
        const small = height < 44 || width < 44;
        return small ? [`${element.outerHTML.slice(0, 80)} ${Math.round(width)}x${Math.round(height)}`] : [];
    });
}"""

# Controls that lie over each other, and boxes that cut what is in them.
OVERLAPPING = """() => {
    const of = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
    const boxes = of(".ranks label, .handle, .scores input, .scores button, .box, .sentence, legend, h1, .bar > *");
    const faults = [];
    for (const [place, one] of boxes.entries()) {
        for (const other of boxes.slice(place + 1)) {
            if (one.contains(other) || other.contains(one)) continue;
            const [a, b] = [one, other].map((box) => box.getBoundingClientRect());
            const over = Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
                && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
            if (over) faults.push(`${one.outerHTML.slice(0, 60)} lies over ${other.outerHTML.slice(0, 60)}`);
        }
    }
    for (const box of of(".candidate, .submit, .bar, .scores, .ranks label, button, select")) {
        if (box.scrollWidth > box.clientWidth + 1) faults.push(`${box.outerHTML.slice(0, 60)} cuts its content`);
    }
    return faults;
}"""

COVERED = """() => {
    const bar = document.querySelector(".submit");
    const here = document.activeElement;
    const {top, bottom} = (here.closest(".ranks label, .box") ?? here).getBoundingClientRect();
    if (here === document.body || bar.contains(here) || bar.getBoundingClientRect().bottom < innerHeight) return "";
    const isCovered = bottom > bar.getBoundingClientRect().top && top > 40;
    return isCovered ? `${here.outerHTML.slice(0, 90)} ${top} to ${bottom}` : "";
}"""

FOCUS_MARK = """() => {
    const here = document.activeElement;
    const shown = here.matches("[type=radio]") ? here.nextElementSibling : here;
    const {outlineStyle, outlineWidth} = getComputedStyle(shown);
    return outlineStyle === "none" || parseFloat(outlineWidth) < 2 ? here.outerHTML.slice(0, 90) : "";
}"""

LONGEST_MOTION = """() => Math.max(...[...document.querySelectorAll("*")].flatMap((element) => {
    const style = getComputedStyle(element);
    const lengths = `${style.transitionDuration}, ${style.animationDuration}`.split(", ");
    return lengths.map((length) => parseFloat(length) * (length.endsWith("ms") ? 1 : 1000));
}))"""


@pytest.fixture(params=PROTOCOLS)
def screen(request, page, transactional_db) -> Page:
    """A screen of either protocol, which has neighbours, instructions and edits."""
    campaign = factory.open_campaign(TEXTS, protocol=request.param, redundancy=1, instructions="Be *kind*.")
    join(page, campaign)
    expect(page.get_by_text("0 of 3 ")).to_be_visible()  # which a script says
    return page


def open_everything(page: Page) -> None:
    """The overlays, which would otherwise close each other."""
    page.evaluate(
        "document.querySelectorAll('[popover]').forEach((one) => { one.popover = 'manual'; one.showPopover(); })"
    )


def tree(page: Page) -> list[tuple[str, str, str]]:
    """What Chromium exposes to screen readers: role, name and description of each node."""
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    return [
        tuple(str(node.get(part, {}).get("value", "")) for part in ("role", "name", "description"))
        for node in nodes
        if not node["ignored"]
    ]


@pytest.mark.walk
def test_axe_finds_nothing_on_a_screen_in_any_state(screen):
    screen.keyboard.press("Enter")  # which says what is missing
    screen.locator(".candidate").first.focus()
    screen.evaluate("document.querySelector('[data-banner]').hidden = false")
    screen.evaluate("document.querySelector('[data-banner]').textContent = 'No connection.'")
    open_everything(screen)
    check_with_axe(screen)
    with screen.expect_navigation():
        screen.evaluate("document.querySelector('form.answers').submit()")
    expect(screen.get_by_text("it is marked below")).to_be_visible()
    open_everything(screen)
    check_with_axe(screen)


@pytest.mark.walk
def test_controls_edits_and_messages_are_announced(screen):
    nodes = tree(screen)
    groups = [
        (name, description) for role, name, description in nodes if role == "group" and name.startswith("Version")
    ]
    count = screen.locator(".candidate").count()
    assert [name.split(".")[0] for name, _ in groups] == [f"Version {letter}" for letter in "ABC"[:count]]
    assert all("school" in description for _, description in groups)
    assert "On day" in groups[0][1]
    assert any("“his” becomes" in description or "is inserted" in description for _, description in groups)
    for role in ("slider", "spinbutton", "checkbox"):
        named = [name for other, name, _ in nodes if other == role and "broken" not in name]
        assert all(f"version {letter}" in name for letter, name in zip("ABC", named, strict=False)), named
        assert screen.get_by_role("slider").count() == 0 or len(named) == count
    assert not {"insertion", "deletion"} & {role for role, _, _ in nodes}, "old and new words would run together"
    expect(screen.locator("[data-status][role=status]")).to_contain_text("0 of 3")
    expect(screen.locator("[data-banner][role=alert]")).to_be_attached()


def test_everything_is_large_enough_for_a_thumb_stands_free_and_moves_for_a_moment(screen):
    screen.set_viewport_size({"width": 360, "height": 760})
    assert screen.evaluate(TOO_SMALL) == []
    for where in ("0", "document.body.scrollHeight / 3"):
        screen.evaluate(f"scrollTo(0, {where})")
        box = screen.get_by_role("button", name="Submit and go on").bounding_box()
        assert 760 * 2 / 3 < box["y"] < 760 - box["height"]
    open_everything(screen)
    assert screen.evaluate(TOO_SMALL) == []
    for motion, longest in (("no-preference", 150), ("reduce", 0)):
        screen.emulate_media(reduced_motion=motion)
        assert screen.evaluate(LONGEST_MOTION) <= longest
    check_that_nothing_is_cut(screen)


def check_that_nothing_is_cut(page: Page) -> None:
    """In windows of every size, with letters as large as one likes."""
    page.evaluate("document.querySelectorAll(':popover-open').forEach((one) => one.hidePopover())")
    for (width, height), text in product(((1280, 800), (640, 400), (360, 640), (320, 256)), ("100%", "200%")):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(f"document.documentElement.style.fontSize = '{text}'")
        page.evaluate("scrollTo(0, 0)")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (width, text)
        assert page.evaluate(OVERLAPPING) == [], (width, text)


@pytest.mark.parametrize("trouble", [False, True])
def test_the_focus_can_be_seen_everywhere_and_the_bar_never_covers_it(screen, trouble):
    if trouble:
        screen.evaluate("document.querySelector('[data-banner]').hidden = false")
        screen.evaluate("document.querySelector('[data-banner]').textContent = 'No connection. '.repeat(6)")
    for width, height in ((1280, 500), (360, 560)):
        screen.set_viewport_size({"width": width, "height": height})
        screen.evaluate("document.activeElement.blur()")
        screen.evaluate("scrollTo(0, 0)")
        screen.wait_for_timeout(100)
        for _ in range(40):
            screen.keyboard.press("Tab")
            assert screen.evaluate(COVERED) == ""
        for key in ("ArrowUp", "ArrowDown"):
            screen.locator(".candidate").nth(1).focus()
            for _ in range(3):
                screen.keyboard.press(key)
                assert screen.evaluate(COVERED) == ""
    open_everything(screen)
    screen.evaluate("document.activeElement.blur()")
    for _ in range(40):
        screen.keyboard.press("Tab")
        assert screen.evaluate(FOCUS_MARK) == "" or screen.evaluate("document.activeElement === document.body")
    first, second = (screen.locator(".candidate").nth(place) for place in (0, 1))
    second.focus()
    colour = "card => getComputedStyle(card).borderInlineStartColor"
    assert second.evaluate(colour) != first.evaluate(colour)


def test_marks_and_answers_can_be_seen_in_forced_colours_unless_a_judge_hides_the_marks(screen):
    style = "(element, name) => getComputedStyle(element)[name]"
    radios = screen.locator(".candidate").first.locator(".ranks label span")
    if radios.count():
        screen.keyboard.press("1")
    for scheme in ("light", "dark"):
        screen.emulate_media(forced_colors="active", color_scheme=scheme)
        assert screen.locator("ins").first.evaluate(style, "textDecorationLine") == "underline"
        assert screen.locator("del").first.evaluate(style, "textDecorationLine") == "line-through"
        page_colour = screen.locator("body").evaluate(style, "backgroundColor")
        if radios.count():
            chosen, other = (radios.nth(place).evaluate(style, "backgroundColor") for place in (0, 1))
            assert chosen not in (other, page_colour)
        else:
            track = screen.get_by_role("slider").first.evaluate(style, "backgroundColor")
            assert track != page_colour
    screen.get_by_role("button", name="Marks").click()
    answer_here = screen.locator(".plain .candidates")
    expect(answer_here).to_be_visible()
    screen.reload()
    expect(answer_here).to_be_visible()
    screen.keyboard.press("e")
    expect(answer_here).to_have_count(0)
    expect(screen.get_by_role("button", name="Marks")).to_have_attribute("aria-pressed", "true")


def test_a_long_screen_begins_at_its_source(page, transactional_db):
    line = "The fox can speak with peoples and know the name of every tree ; " * 15
    page.set_viewport_size({"width": 360, "height": 640})
    join(page, factory.open_campaign({"source": [line], "Heron": [line.replace("know", "knows", 4)]}))
    expect(page.get_by_text("0 of 2 ranked")).to_be_visible()
    expect(page.locator(".source")).to_be_in_viewport()
    assert page.evaluate("scrollY") == 0
    expect(page.locator(".candidate").first).to_be_focused()


def test_digits_and_enter_rate_a_screen(page, transactional_db):
    campaign = factory.open_campaign(TEXTS, protocol="rating", redundancy=1)
    join(page, campaign)
    page.get_by_text("0 of 3 rated").wait_for()
    for place, keys in enumerate(["85", "7m", "40"]):
        page.keyboard.type(keys)
        expect(page.get_by_role("spinbutton").nth(place)).to_have_value(keys.strip("m"))
        if place < 2:
            page.keyboard.press("Enter")
    expect(page.get_by_label("Meaning changed").nth(1)).to_be_checked()
    before = page.url
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != before)


def test_axe_finds_nothing_in_the_parts_of_pages(page, transactional_db):
    page.goto("/style/")
    page.get_by_role("button", name="Help").click()
    check_with_axe(page)
    check_that_nothing_is_cut(page)
