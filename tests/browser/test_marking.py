"""Marking edits in a real browser: by keyboard and mouse, shared edits, errors left, bounds, and on a phone."""

import json
import random
import re

import pytest
from django.template import Context, Template
from playwright.sync_api import expect

from judgments.material.rules.reading import Roles
from judgments.models import EditVerdicts
from judgments.rules.texts.diff import compare
from judgments.rules.texts.edits import decisions, derive_edits
from tests import factory
from tests.browser.axe import check_with_axe
from tests.browser.entrance import join, while_edits_are_open
from tests.services.waiting import wait_until

SOURCE = "He go school yesterday ."
TEXTS = {
    "source": [SOURCE, "I likes tea ."],
    "Heron": ["He goes to school today .", "I like tea ."],
    "Wren": ["He go school today .", "I likes tea ."],
}


@pytest.fixture
def campaign(transactional_db):
    return opened()


def opened(texts=TEXTS, **settings):
    chosen = {"redundancy": 1, "batch_size": 2, "seed": 3} | settings
    return factory.open_campaign(texts, Roles(), protocol="marking", **chosen)


JUDGED = "All edits are judged. Next come the ranks (Enter); 1 is best."


def status(page, text: str):
    expect(page.locator("[data-status]")).to_have_text(text)


@pytest.mark.walk
def test_a_judge_marks_and_ranks_by_keyboard_alone(page, campaign):
    join(page, campaign)
    for _ in range(2):
        before = page.url
        for _ in while_edits_are_open(page):
            page.keyboard.press("1")
        for key in ("Enter", "1", "2", "Enter"):
            page.keyboard.press(key)
        page.wait_for_url(lambda url, before=before: url != before)
    wait_until(lambda: EditVerdicts.objects.count() == 4, "two screens with two versions")
    stored = EditVerdicts.objects.values_list("edits", "rank")
    assert {edit["verdict"] for found, _ in stored for edit in found} == {"right"}
    assert sorted(rank for _, rank in stored) == [1, 1, 2, 2]


class TestOneScreen:
    @pytest.fixture(autouse=True)
    def _screen(self, page, transactional_db):
        """The sentence whose versions share an edit."""
        join(page, opened({name: lines[:1] for name, lines in TEXTS.items()}))

    def test_a_shared_edit_is_judged_once_and_the_mouse_does_everything(self, page):
        status(page, "0 of 2 edits judged, 0 of 2 versions ranked")
        shared = page.get_by_role("button", name="“yesterday” becomes “today”")
        assert shared.count() == 2
        shared.first.click()
        page.keyboard.press("2")
        expect(page.get_by_role("button", name="“yesterday” becomes “today”: wrong")).to_have_count(2)
        status(page, "1 of 2 edits judged, 0 of 2 versions ranked")
        page.get_by_role("button", name="“go” becomes “goes to”").click()
        page.get_by_role("button", name="wrong", exact=True).click()
        expect(page.get_by_role("button", name="“go” becomes “goes to”: wrong")).to_be_visible()

    def test_digits_are_verdicts_until_enter_leads_to_the_ranks(self, page):
        ranked = page.locator(".ranks :checked")
        for _ in range(4):
            page.keyboard.press("1")
        status(page, JUDGED)
        page.keyboard.press("2")
        expect(page.locator(".edit.selected").first).to_have_attribute("data-verdict", "rejected")
        expect(ranked).to_have_count(0)
        page.keyboard.press("Enter")
        expect(page.locator(".edit.selected")).to_have_count(0)
        page.keyboard.press("2")
        expect(ranked).to_have_count(1)
        page.locator(".edit").first.click()
        page.keyboard.press("2")
        expect(page.locator(".edit").first).to_have_attribute("data-verdict", "rejected")
        page.locator(".ranks label").nth(2).click()
        expect(page.locator(".edit.selected")).to_have_count(0)
        expect(ranked).to_have_count(2)

    def test_verdicts_come_to_an_edit_that_the_mouse_chooses(self, page):
        bar, row = page.locator(".verdicts"), page.locator(".marking-tools")
        sentence, edit = page.locator(".candidate .sentence").first, page.locator(".candidate .edit").first
        edit.click()
        box, text = bar.bounding_box(), sentence.bounding_box()
        assert 0 <= box["y"] - text["y"] - text["height"] < 8
        assert box["x"] == pytest.approx(edit.bounding_box()["x"], abs=1)
        for _ in while_edits_are_open(page):
            bar.get_by_role("button", name="right").click()
        status(page, JUDGED.replace(" (Enter)", ""))
        expect(page.locator(".edit.selected")).to_have_count(0)
        box, line = bar.bounding_box(), row.bounding_box()
        assert line["y"] <= box["y"] < box["y"] + box["height"] <= line["y"] + line["height"]
        assert line["height"] < 2 * row.get_by_role("button", name="Split").bounding_box()["height"]

    def test_undo_takes_back_verdicts_ranks_and_bounds(self, page):
        for key in ("1", "1", "Enter", "2"):
            page.keyboard.press(key)
        status(page, "2 of 2 edits judged, 1 of 2 versions ranked")
        for _ in range(2):
            page.keyboard.press("z")
        status(page, "1 of 2 edits judged, 0 of 2 versions ranked")
        page.get_by_role("button", name="“go” becomes “goes to”").click()
        half = page.get_by_role("button", name=re.compile("^“go” becomes “goes”"))
        for key, halves in (("/", 1), ("j", 0), ("z", 1), ("z", 0)):
            page.keyboard.press(key)
            expect(half).to_have_count(halves)
        page.get_by_role("button", name="“yesterday” becomes “today”").first.click()
        for key, said in (("/", "That change is not possible here."), ("z", "0 of 2 edits judged")):
            page.keyboard.press(key)
            expect(page.locator("[data-status]")).to_contain_text(said)

    def test_bounds_change_and_the_text_stays(self, page):
        sentence = page.locator(".candidate .sentence", has_text="goes").first
        before = sentence.evaluate(WITHOUT_DELETED)
        page.get_by_role("button", name="“go” becomes “goes to”").click()
        for key, name in ((".", "“go school” becomes"), (",", "“He go"), ("j", "“He go school")):
            page.keyboard.press(key)
            if page.locator(".edit.selected").get_attribute("aria-label").startswith(name):
                assert sentence.evaluate(WITHOUT_DELETED) == before
        page.get_by_role("button", name="Reset all edits").click()
        expect(page.get_by_role("button", name="“go” becomes “goes to”")).to_be_visible()

    def test_an_error_that_is_left_counts_for_the_versions_that_leave_it(self, page):
        page.keyboard.press("m")
        status(page, "Choose words of the source that are still wrong; Esc goes back.")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Space")
        expect(page.locator(".source .missed")).to_have_text("go")
        expect(page.locator("[data-status]")).to_contain_text("“go” is an error that these versions leave: ")
        page.keyboard.press("Escape")
        for key in ("1", "1", "Enter", "1", "2", "Enter"):
            page.keyboard.press(key)
        wait_until(lambda: EditVerdicts.objects.count() == 2, "both versions")
        missed = {
            row.candidate.text: [edit for edit in row.edits if edit["verdict"] == "missed"]
            for row in EditVerdicts.objects.select_related("candidate")
        }
        assert missed == {
            "He goes to school today .": [],
            "He go school today .": [{"start": 3, "end": 5, "replacement": None, "verdict": "missed"}],
        }

    @pytest.mark.walk
    def test_what_was_begun_survives_a_reload_and_enter_goes_to_what_is_missing(self, page):
        with page.expect_response("**/draft/"):
            page.keyboard.press("2")
        page.reload()
        status(page, "1 of 2 edits judged, 0 of 2 versions ranked")
        page.keyboard.press("ArrowLeft")
        expect(page.locator('[data-verdict="rejected"]').first).to_be_visible()
        page.keyboard.press("Enter")
        expect(page.locator("[data-status]")).to_contain_text("has an edit without a verdict")
        assert page.locator(".edit.selected").count() >= 1

    def test_it_is_open_to_everybody_and_fits_a_phone(self, page):
        check_with_axe(page)
        page.set_viewport_size({"width": 360, "height": 640})
        assert page.evaluate("document.documentElement.scrollWidth") <= 360

    @pytest.mark.walk
    def test_scripts_find_the_same_decisions_as_the_server(self, page):
        rng = random.Random(7)
        for _ in range(60):
            source = " ".join(rng.choices(["a", "b", "c", "d", "."], k=rng.randint(1, 8)))
            texts = [" ".join(rng.choices(["a", "b", "c", "d", "."], k=rng.randint(1, 8))) for _ in range(4)]
            versions = [derive_edits(source, text) for text in texts]
            sent = [[edit._asdict() for edit in found] for found in versions]
            wanted = [[list(place) for place in one.places] for one in decisions(source, versions)]
            assert page.evaluate(DECISIONS, [source, sent]) == wanted, json.dumps([source, texts])


PLACES = """
() => [...document.querySelectorAll(".edit")].flatMap((edit) => [...edit.getClientRects()].flatMap((box) =>
  [box.x + scrollX, box.y + scrollY, box.width, box.height]))
"""
STRAY_SIGNS = """
() => [...document.querySelectorAll(".sign")].filter((sign) => {
  const [box, lines] = [sign.getBoundingClientRect(), [...sign.parentElement.getClientRects()]];
  const end = lines.at(-1);
  if (lines.length > 1 && end.width < box.width + 4) return true; // alone on its line
  return box.left < end.left - 1 || box.right > end.right + 1 || box.top < end.top - 8 || box.bottom > end.bottom;
}).length
"""
WITHOUT_DELETED = """
sentence => {
  const copy = sentence.cloneNode(true);
  for (const gone of copy.querySelectorAll("del")) gone.remove();
  return copy.textContent.split(/\\s+/).join(" ");
}
"""
DECISIONS = """
async ([source, versions]) => {
  const { decisionsOf } = await import("/static/protocols/marking/decisions.js");
  return decisionsOf(source, versions).map(({ places }) => places.map(({ version, edit }) => [version, edit]));
}
"""


@pytest.mark.parametrize("width", [1280, 390])
def test_no_edit_moves_when_it_is_judged(page, transactional_db, width):
    source = "He go to the school yesterday , and there he learned that much people is want to know it too . " * 2
    wrong = {"go": "goes", "yesterday ,": "yesterday", "much people": "many people", "is want": "wants"}
    fixed = source
    for before, now in wrong.items():
        fixed = fixed.replace(before, now)
    page.set_viewport_size({"width": width, "height": 900})
    texts = {"source": source, "Heron": fixed, "Wren": source.replace("go ", "went ")}
    join(page, opened({name: [text.strip()] for name, text in texts.items()}))
    places, judged = page.evaluate(PLACES), 0
    for _ in while_edits_are_open(page):
        page.keyboard.press("12"[judged % 2])
        judged += 1
        assert page.evaluate(PLACES) == places
    assert judged >= 10
    for narrower in range(0, 60, 6):
        page.set_viewport_size({"width": width - narrower, "height": 900})
        assert page.evaluate(STRAY_SIGNS) == 0


def test_on_a_phone_the_verdicts_stay_at_the_bottom_and_cover_no_rank(page, transactional_db):
    page.set_viewport_size({"width": 390, "height": 640})
    join(page, opened({name: [line * 8 for line in lines[:1]] for name, lines in TEXTS.items()}))
    bar, edit = page.locator(".verdicts"), page.locator(".candidate .edit").first
    edit.click()
    box = bar.bounding_box()
    assert box["y"] + box["height"] == pytest.approx(page.locator(".submit").bounding_box()["y"], abs=1)
    assert edit.bounding_box()["y"] < box["y"] - box["height"]
    page.mouse.wheel(0, 2000)
    page.wait_for_function("() => scrollY + innerHeight >= document.documentElement.scrollHeight - 1")
    ranks = page.locator(".ranks").last.bounding_box()
    assert ranks["y"] + ranks["height"] <= bar.bounding_box()["y"]
    bar.get_by_role("button", name="wrong").click()
    expect(edit).to_have_attribute("data-verdict", "rejected")


def test_a_phone_is_told_of_no_key(chromium, live_server, campaign):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    page = chromium.new_context(base_url=live_server.url, locale="en-GB", **phone).new_page()
    join(page, campaign)
    page.get_by_role("button", name="Mark a remaining error").tap()
    status(page, "Choose words of the source that are still wrong.")
    page.context.close()


def test_marks_are_those_of_other_screens(page, transactional_db):
    source, version = "I recieve his or her letter and say yes , yes .", "I receive their letter and , say Yes yes ."
    join(page, opened({"source": [source], "A": [version], "B": [source]}))
    drawn = page.locator(".candidate .sentence").evaluate_all(MARKS)
    pieces = Template("{% load pages %}{% wording pieces %}").render(Context({"pieces": compare(source, version)}))
    assert drawn == re.findall("<(?:del|ins)>.*?</(?:del|ins)>", pieces)
    assert "<ins>rec<b>ei</b>ve</ins>" in drawn


MARKS = "sentences => sentences.flatMap(one => [...one.querySelectorAll('del, ins')].map(mark => mark.outerHTML))"


def test_verdicts_of_the_organiser_have_keys_in_their_order(page, transactional_db):
    join(page, opened(edit_verdicts="+ fine\n- needless\n- changes meaning", asks_for_ranks=False))
    page.keyboard.press("3")
    expect(page.locator('[aria-label$=": changes meaning"]').first).to_be_visible()


def test_sentences_from_right_to_left_are_walked_from_right_to_left(page, transactional_db):
    texts = {"source": ["הוא הלך בית אתמול ."], "A": ["הוא הולך הביתה אתמול ."], "B": ["הוא הלך בית היום ."]}
    join(page, opened(texts, language="he"))
    first = page.locator(".edit.selected").first.get_attribute("aria-label")
    page.keyboard.press("ArrowLeft")
    assert page.locator(".edit.selected").first.get_attribute("aria-label") != first
    page.keyboard.press("ArrowRight")
    assert page.locator(".edit.selected").first.get_attribute("aria-label") == first
