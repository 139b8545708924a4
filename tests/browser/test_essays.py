"""Whole texts in a real browser: versions beside their source, scales always in view, errors marked in the text."""

import json

import pytest
from playwright.sync_api import Page, expect

from judgments.models import EssayRating
from tests import factory
from tests.browser.axe import check_with_axe
from tests.browser.entrance import join
from tests.services.waiting import wait_until

WITH_SPANS = "? Quality\n0: bad\n100: good\n\n! Errors\nminor\nmajor = 5\n"
PARAGRAPH = "It was the {0} day of our journey, and nobody knowed which way leads over the {0} hills to the sea. " * 4

SELECTED = "() => getSelection().getRangeAt(0).getBoundingClientRect().toJSON()"


def long_texts() -> dict[str, dict[str, str]]:
    """A source of forty paragraphs, with all their errors, and two systems that correct some."""
    source = "\n\n".join(PARAGRAPH.format(number) for number in range(40))
    return {name: {"e1": source.replace(*fix)} for name, fix in {
        "source": ("", ""), "Heron": ("knowed", "knew"), "Wren": ("leads", "led"),
    }.items()}  # fmt: skip


def select(page: Page, version: int, word: str) -> None:
    """Select a word of a version, wherever it is."""
    page.evaluate(
        """([version, word]) => {
          for (const cell of document.querySelectorAll(`[data-version="${version}"]`)) {
            const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
            while (walker.nextNode()) {
              const at = walker.currentNode.data.indexOf(word);
              if (at < 0 || walker.currentNode.parentElement.closest("del")) continue;
              getSelection().setBaseAndExtent(walker.currentNode, at, walker.currentNode, at + word.length);
              return;
            }
          }
        }""",
        [version, word],
    )


@pytest.mark.walk
def test_two_versions_are_rated_on_three_scales_by_keys_alone(page, transactional_db):
    page.set_viewport_size({"width": 1366, "height": 768})
    join(page, factory.open_essays(long_texts(), redundancy=1))
    page.keyboard.press("3")
    page.get_by_role("button", name="Submit and go on").click()
    expect(page.get_by_text("Version A has no number yet: Fluency, Meaning")).to_be_visible()
    for key in "4-24":
        page.keyboard.press(key)
    for key in ("ArrowDown", "ArrowDown", "Space"):
        page.keyboard.press(key)
    # Not an expression: the page's Content-Security-Policy would refuse to evaluate it a second time.
    page.wait_for_function("() => scrollY > 200")
    expect(page.get_by_text("1 of 2 rated")).to_be_visible()
    page.keyboard.press("2")
    expect(page.get_by_text("2 of 2 rated")).to_be_visible()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    wait_until(lambda: EssayRating.objects.count() == 2, "two ratings")
    first, second = EssayRating.objects.order_by("pk")
    assert list(first.scores.values()) == [3, 4, None]
    assert list(second.scores.values()) == [2, 4, 2]


@pytest.mark.walk
@pytest.mark.parametrize(("going", "language", "forward", "back"), [
    ("He is going home now.", "en", "ArrowRight", "ArrowLeft"),
    ("הוא הולך עכשיו הביתה היום.", "he", "ArrowLeft", "ArrowRight"),
])  # fmt: skip
def test_errors_are_marked_changed_and_removed_by_keys_alone(page, transactional_db, going, language, forward, back):
    first, second, third, *_ = going.split()
    texts = {"source": {"e1": f"{first} 😀\n\n{second}."}, "Heron": {"e1": f"{first} 😀\n\n{going}"}}
    rubric = WITH_SPANS.replace("100: good", "100: good\n-: cannot say")
    join(page, factory.open_essays(texts, redundancy=1, rubric=rubric, language=language))
    marks = page.locator(".marked li")
    for key in ("m", forward, forward, "1", forward, f"Shift+{forward}", "1"):
        page.keyboard.press(key)
    expect(marks).to_have_text([f"{first} ×", f"{second} {third} ×"])
    for key in ("2", back, "Backspace", "ArrowUp"):
        page.keyboard.press(key)
    expect(marks).to_have_text([f"{second} {third} ×"])
    assert page.evaluate("getSelection().toString()") in f"{first} 😀"
    for key in ("Escape", "-", "8", "5", "Enter"):
        page.keyboard.press(key)
    wait_until(lambda: EssayRating.objects.exists(), "a rating")
    rating = EssayRating.objects.get()
    (span,) = rating.spans
    assert (rating.score, span["severity"]) == (85, "major")
    assert texts["Heron"]["e1"][span["start"] : span["end"]] == f"{second} {third}"


def test_deleted_words_and_the_white_space_around_them_do_not_count(page, transactional_db):
    texts = {
        "source": {"e1": "The yard which nobody use . We cleaned it ."},
        "Heron": {"e1": "The yard . We cleaned it ."},
    }
    join(page, factory.open_essays(texts, redundancy=1, rubric=WITH_SPANS))
    expect(page.locator("[data-version] del")).to_have_text("which nobody use")
    select(page, 1, "cleaned")
    page.keyboard.press("1")
    (span,) = json.loads(page.locator("input[name^=spans_]").input_value())
    assert texts["Heron"]["e1"][span["start"] : span["end"]] == "cleaned"


def test_the_mouse_selects_whole_words_and_severities_open_below_them(page, transactional_db):
    texts = {"source": {"e1": "Hi.\n\nHe go home very soon."}, "Heron": {"e1": "Hi.\n\nHe going home very soon."}}
    join(page, factory.open_essays(texts, redundancy=1, rubric=WITH_SPANS))
    panel, bar = page.locator(".essays"), page.locator(".severities")
    before = panel.bounding_box()
    expect(page.get_by_text("Or press m and the arrow keys: 1 minor, 2 major")).to_be_visible()
    page.get_by_role("button", name="Mark an error").click()
    assert page.evaluate("getSelection().toString()") == "Hi"
    page.keyboard.press("Escape")
    select(page, 1, "ome ver")
    box = page.evaluate(SELECTED)
    expect(bar).to_be_visible()
    page.keyboard.press("Escape")
    page.mouse.move(box["left"], box["bottom"] - 8)
    page.mouse.down()
    page.mouse.move(box["right"], box["bottom"] - 8, steps=3)
    expect(bar).to_be_hidden()
    page.mouse.up()
    assert page.evaluate("getSelection().toString()") == "home very"
    assert 0 <= bar.bounding_box()["y"] - page.evaluate(SELECTED)["bottom"] < 8
    page.get_by_role("button", name="Mark as minor").click()
    expect(page.locator(".marked li")).to_have_text(["home very ×"])
    assert panel.bounding_box() == before


def test_errors_are_marked_in_examples_too(page, transactional_db):
    tutorial = "> He go home.\n90-100: He goes home.\n! Nothing is wrong."
    join(page, factory.open_essays(redundancy=1, rubric=WITH_SPANS, tutorial=tutorial))
    page.keyboard.press("m")
    page.keyboard.press("1")
    expect(page.locator(".marked li")).to_have_text(["He ×"])


def test_a_slider_claims_nothing_until_it_is_touched_and_the_scales_open_on_top(page, transactional_db):
    join(page, factory.open_essays(long_texts(), redundancy=1, rubric=WITH_SPANS))
    slider, number = page.get_by_role("slider").first, page.get_by_role("spinbutton").first
    expect(slider).to_have_class("untouched")
    expect(number).to_have_value("")
    slider.press("End")
    expect(number).to_have_value("100")
    expect(page.locator(".slider output").first).to_have_text("good")
    expect(page.get_by_text("1 of 2 rated")).to_be_visible()
    slider.press("PageDown")
    expect(page.locator(".slider output").first).to_have_text("(100: good)")
    number.focus()
    page.keyboard.press("-")  # this scale has no "I cannot say", and no number is below 0
    expect(number).to_have_value("90")
    page.keyboard.press("r")
    expect(page.get_by_role("region", name="The scales")).to_be_in_viewport()
    check_with_axe(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("region", name="The scales")).to_be_hidden()


def test_paragraphs_stay_aligned_and_the_scales_in_view_however_far_one_scrolls(page, transactional_db):
    page.set_viewport_size({"width": 1366, "height": 768})
    join(page, factory.open_essays(long_texts(), redundancy=1))
    expect(page.locator(".texts .row")).to_have_count(40)
    for place in (0, 20, 39):
        row = page.locator(".texts .row").nth(place)
        row.scroll_into_view_if_needed()
        tops = row.evaluate("row => [...row.children].map((one) => Math.round(one.getBoundingClientRect().top))")
        assert len(set(tops)) == 1
        for card in page.locator(".essays .candidate").all():
            expect(card).to_be_in_viewport(ratio=0.95)
    page.keyboard.press("e")
    assert page.locator("ins").first.evaluate("one => getComputedStyle(one).textDecorationLine") == "none"


def test_selected_words_become_errors_by_their_characters_and_can_be_removed(page, transactional_db):
    texts = {"source": {"e1": "Hi 😀.\n\nHe go home."}, "Heron": {"e1": "Hi 😀.\n\nHe going home."}}
    join(page, factory.open_essays(texts, redundancy=1, rubric=WITH_SPANS))
    select(page, 1, "going")
    page.get_by_role("button", name="Mark as major").click()
    select(page, 1, "Hi")
    page.get_by_role("button", name="Mark as minor").click()
    check_with_axe(page)
    expect(page.locator(".marked li")).to_have_text(["Hi ×", "going ×"])
    page.get_by_role("button", name="Remove the mark: minor, “Hi”").click()
    page.get_by_role("spinbutton").fill("40")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    wait_until(lambda: EssayRating.objects.exists(), "a rating")
    (span,) = EssayRating.objects.get().spans
    assert texts["Heron"]["e1"][span["start"] : span["end"]] == "going"
    assert (span["severity"], EssayRating.objects.get().score) == ("major", 40)
