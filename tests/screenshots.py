"""Takes the pictures that README and docs show: `make screenshots`. Needs Chromium, like the browser tests."""

import csv
import io
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.services.chromium import path_of_chromium
from tests.services.house import ROOT, House
from tests.services.visitor import Visitor
from tests.services.waiting import wait_until

IMAGES = ROOT / "docs" / "images"
TEXTS = ROOT / "judgments" / "management" / "demo" / "texts"
CHOSEN = ("source", "Curlew", "Heron", "Lapwing", "Magpie", "Plover", "Wren")
# What shows the upper part of a page that is longer than a window.
TALL: dict[str, Any] = {"full_page": True, "clip": {"x": 0, "y": 0, "width": 1280, "height": 1600}}
JUDGED = {
    "ranking": "Demo: ranking", "rating": "Demo: rating", "verdict": "Demo: verdicts",
    "correction": "Demo: corrections", "marking": "Demo: marking edits", "essays": "Demo: whole texts",
}  # fmt: skip
BEGUN: dict[str, Callable[[Page], None]] = {
    "ranking": lambda page: page.keyboard.press("1"),
    "rating": lambda page: page.get_by_role("spinbutton").first.fill("85"),
    "verdict": lambda page: page.keyboard.press("1"),
    "correction": lambda page: correct(page),
    "marking": lambda page: page.keyboard.press("1"),
    "essays": lambda page: page.keyboard.type("85"),
}
MOST_WORDS = 30
SIZES = {"": (1280, 800), "-phone": (360, 760)}


def main() -> None:
    """Start the demo in a folder of its own and go round with a camera."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        house = House(Path(folder))
        printed = house.prepare()
        with house.running("manage.py", "run_platform", "--port", str(house.port)):
            wait_until(Visitor(house.address).is_answered, "the platform")
            browser = playwright.chromium.launch(executable_path=path_of_chromium())
            for ending, (width, height) in SIZES.items():
                take_judge(new_page(browser, house, width, height), printed, ending)
            take_organiser(new_page(browser, house, *SIZES[""]), printed)
            browser.close()


def new_page(browser: Browser, house: House, width: int, height: int) -> Page:
    """A visitor with a window of this size."""
    context = browser.new_context(base_url=house.address, viewport={"width": width, "height": height})
    return context.new_page()


def take_judge(page: Page, printed: str, ending: str) -> None:
    """The screens of all protocols, half answered."""
    for name, title in JUDGED.items():
        page.goto(re.search(rf"(http\S+/join/\S+)\s+\({title},", printed)[1])
        page.get_by_role("main").get_by_role("button").click()
        page.wait_for_url(re.compile("/(campaigns|assignments)/"))
        if "/consent/" in page.url:
            prepare(page)
        elif "/campaigns/" in page.url:
            page.get_by_role("button", name="judging").click()
        page.wait_for_url("**/assignments/*/")
        BEGUN[name](page)
        page.screenshot(path=IMAGES / f"{name}{ending}.png")
        page.goto("about:blank")  # which sends no drafts any more
        page.context.clear_cookies()


def correct(page: Page) -> None:
    """Two edits by keyboard as a judge would make them, one of them with a chosen category."""
    mark(page, "what")
    page.keyboard.type("that")
    page.locator("[data-category]").select_option("Pref")
    mark(page, "3")
    page.keyboard.type("the 3rd")


def mark(page: Page, word: str) -> None:
    """Go on word by word until this one is marked."""
    page.get_by_label("The corrected sentence").focus()
    for _ in range(MOST_WORDS):
        if page.evaluate("getSelection().toString()") == word:
            return
        page.keyboard.press("Alt+ArrowRight")


def prepare(page: Page) -> None:
    """What the rating demo asks before the first screen; only the first time."""
    page.get_by_role("button", name="I agree").click()
    for number in (1, 2, 3):
        page.get_by_text(f"Example {number} of 3").wait_for()
        for score in page.get_by_role("spinbutton").all():
            score.fill("80")
        page.get_by_role("button", name="Compare").click()
        page.locator(".compared .primary").click()


def take_organiser(page: Page, printed: str) -> None:
    """The way of an organiser: a new campaign up to its plan, then those of the demo."""
    page.goto("/sign-in/")
    page.get_by_label("Username").fill("olga")
    page.get_by_label("Password").fill(re.search(r"password (\S+)", printed)[1])
    page.get_by_role("button", name="Sign in").click()
    page.screenshot(path=IMAGES / "campaigns.png")
    take_preparation(page)
    page.goto("/campaigns/demo/board/")
    page.get_by_text("Interim, from").wait_for(timeout=60_000)
    page.goto("/campaigns/demo/metrics/")
    page.get_by_role("button", name="Score the outputs").click()
    page.get_by_role("heading", name="Scores of the systems").wait_for(timeout=300_000)
    page.locator("[data-job]").wait_for(state="detached", timeout=300_000)
    page.screenshot(path=IMAGES / "metrics.png", **TALL)
    page.goto("/tour/")
    page.get_by_role("link", name="Its report").click()
    page.screenshot(path=IMAGES / "report.png")
    page.locator(".cited .ranking").screenshot(path=IMAGES / "result.png")
    page.goto("/campaigns/demo-finished/reports/")
    page.screenshot(path=IMAGES / "reports.png")
    for name in ("organise", "material", "judges", "settings", "exports", "journal", "board"):
        page.goto(f"/campaigns/demo/{name}/")
        page.screenshot(path=IMAGES / f"{name}.png", **TALL if name in ("material", "board") else {})
    page.set_viewport_size({"width": SIZES["-phone"][0], "height": SIZES["-phone"][1]})
    for name in ("organise", "judges"):
        page.goto(f"/campaigns/demo/{name}/")
        page.screenshot(path=IMAGES / f"{name}-phone.png")


def take_preparation(page: Page) -> None:
    """A campaign that is made of a table, and is planned."""
    page.goto("/campaigns/new/")
    page.get_by_label("Name:", exact=True).fill("Essays")
    table = {"name": "essays.csv", "mimeType": "text/csv", "buffer": table_of_texts().encode()}
    page.get_by_label("Files:", exact=True).set_input_files(table)
    page.screenshot(path=IMAGES / "new-campaign.png", **TALL)
    page.get_by_role("button", name="Create the campaign").click()
    page.get_by_role("heading", name="Samples").wait_for(timeout=60_000)
    page.screenshot(path=IMAGES / "upload.png", **TALL)
    page.goto("/campaigns/essays/organise/")
    page.screenshot(path=IMAGES / "steps.png")
    page.go_back()
    page.get_by_role("button", name="Store").click()
    page.get_by_role("heading", name="Preview of the plan").wait_for(timeout=60_000)
    page.goto("/campaigns/essays/screens/")
    page.get_by_text("would separate about").wait_for(timeout=60_000)
    page.locator("[data-waits]").wait_for(state="detached", timeout=120_000)
    page.screenshot(path=IMAGES / "screens.png")


def table_of_texts() -> str:
    """Some of the demo's texts as a table with a column for each system."""
    lines = {name: (TEXTS / f"{name}.txt").read_text(encoding="utf-8").splitlines() for name in CHOSEN}
    rows = [row for row in zip(*lines.values(), strict=True) if all(row)]
    table = io.StringIO()
    csv.writer(table).writerows([CHOSEN, *rows])
    return table.getvalue()


if __name__ == "__main__":
    sys.exit(main())
