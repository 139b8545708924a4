"""Correcting in a real browser: by typing, by mouse, by finger, without scripts, in other scripts."""

import json
import random

import pytest
from playwright.sync_api import Page, expect

from judgments.models import Assignment, Campaign, Draft, Edit, Judgment, Membership
from judgments.rules.authored.categories import CONLL2014, ERRANT
from judgments.rules.texts.diff import Piece
from judgments.rules.texts.edits import LONGEST_REPLACEMENT, MOST_EDITS, apply_edits, derive_edits, tidy
from judgments.rules.texts.edits import Edit as Made
from judgments.rules.texts.words import tokenise
from tests import factory
from tests.browser.axe import check_with_axe
from tests.browser.entrance import join, wait_for_next
from tests.browser.test_accessibility import COVERED, FOCUS_MARK, TOO_SMALL, check_that_nothing_is_cut, open_everything
from tests.services.house import ROOT
from tests.services.waiting import wait_until

LINE = "He go school with the his friends ."
RIGHT = "He goes to school with his friends ."
WHERE = """([needle, from, to]) => {
    const walker = document.createTreeWalker(document.querySelector("[data-mirror]"), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const at = walker.currentNode.textContent.indexOf(needle);
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(walker.currentNode, at + from);
        range.setEnd(walker.currentNode, at + to);
        const {left, right, top, height} = range.getBoundingClientRect();
        return [left, right, top + height / 2];
    }
}"""
SELECTED = "() => getSelection().toString()"


def begin(page: Page, *lines: str, **settings) -> None:
    join(page, factory.open_correction(list(lines) or [LINE, "It rain ."], redundancy=1, **settings))
    expect(page.locator("[data-mirror]")).to_be_visible()


def text(page: Page):
    """The field with the corrected sentence."""
    return page.get_by_label("The corrected sentence")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def replace(page: Page, written: str) -> None:
    """Mark the next word by keys and write another one instead."""
    press(page, "Alt+ArrowRight")
    page.keyboard.type(written)


def submit(page: Page) -> None:
    with page.expect_navigation():
        press(page, "Enter")


def made(page: Page) -> list[tuple]:
    """The edits that would be sent."""
    edits = json.loads(page.locator("[data-edits]").input_value())
    return [(edit["start"], edit["end"], edit["replacement"]) for edit in edits]


def categories(page: Page) -> list[tuple]:
    """The category of each edit, and whether it is only proposed."""
    edits = json.loads(page.locator("[data-edits]").input_value())
    return [(edit["category"], edit.get("proposed", False)) for edit in edits]


def drag(page: Page, needle: str) -> None:
    """Select by mouse."""
    left, right, middle = page.evaluate(WHERE, [needle, 0, len(needle)])
    page.mouse.move(left + 1, middle)
    page.mouse.down()
    page.mouse.move(right, middle, steps=4)
    page.mouse.up()


def click(page: Page, needle: str, at: int = 1, clicks: int = 1) -> None:
    """Click on the left half of a character."""
    left, _, middle = page.evaluate(WHERE, [needle, at, len(needle)])
    page.mouse.click(left + 1, middle, click_count=clicks)


def caret(page: Page) -> tuple[int, int]:
    return tuple(text(page).evaluate("area => [area.selectionStart, area.selectionEnd]"))


def stored() -> list[tuple]:
    return list(Edit.objects.order_by("position").values_list("start", "end", "replacement", "category"))


def wait_for_judgments(page: Page, count: int = 1) -> None:
    wait_until(lambda: page.wait_for_timeout(20) or Judgment.objects.count() == count, "the judgments")


@pytest.mark.walk
def test_a_judge_corrects_by_typing_alone(page, transactional_db):
    begin(page, category_list="conll2014")
    expect(text(page)).to_be_focused()
    press(page, *["ArrowRight"] * 5)
    page.keyboard.type("es to")
    press(page, *["Control+ArrowRight"] * 3, *["Backspace"] * 4)
    expect(text(page)).to_have_value(RIGHT)
    assert categories(page) == [("Wci", True), ("ArtOrDet", True)]
    page.get_by_role("button", name="Split: “go” becomes “goes to”").press("Enter")
    assert categories(page) == [("SVA", True), ("Prep", True), ("ArtOrDet", True)]
    page.get_by_role("combobox", name="“the” is deleted").focus()
    page.keyboard.type("Rl")
    press(page, "Enter")
    expect(text(page)).to_be_focused()
    submit(page)
    wait_for_judgments(page)
    assert stored() == [(3, 5, "goes", "SVA"), (5, 5, " to", "Prep"), (17, 21, "", "Rloc-")]


def test_clicks_mark_words_or_place_the_cursor(page, transactional_db):
    line = "I know what he is here ."
    begin(page, line)
    click(page, "what", 1)
    assert page.evaluate(SELECTED) == "what"
    page.keyboard.type("that")
    assert made(page) == [(7, 11, "that")]
    drag(page, "is here")
    page.keyboard.type("came")
    expect(text(page)).to_have_value("I know that he came .")
    text(page).fill(line)
    # A second click places the cursor, and what is typed there is an edit of the word.
    click(page, "what", 1)
    click(page, "what", 1)
    assert caret(page) == (8, 8)
    page.keyboard.type("t")
    assert made(page) == [(7, 11, "wthat")]
    expect(page.locator(".edits .what")).to_have_text("whatwthat")
    click(page, "wthat", 3)
    assert caret(page) == (10, 10), "a click into the word with the cursor moves it"
    click(page, "know", 2, clicks=2)
    assert caret(page) == (4, 4), "a double click is two clicks"
    text(page).fill(line)
    click(page, "what he", 4)  # between words
    assert caret(page) == (11, 11)
    page.keyboard.type(" that")
    assert made(page) == [(11, 11, " that")]
    expect(page.locator(".edits .what")).to_have_text("what that he")


@pytest.mark.walk
def test_both_ways_and_the_way_without_scripts_give_the_same_edits(page, transactional_db):
    begin(page)
    click(page, "go", 1)
    page.keyboard.type("goes")
    click(page, "the", 1)
    press(page, "Delete")
    click(page, " school", 0)
    page.keyboard.type(" to")
    by_clicks = made(page)
    text(page).fill(LINE)
    assert made(page) == []
    text(page).fill(" He goes  to school with  his friends . ")
    assert made(page) == by_clicks == [tuple(edit[:3]) for edit in derive_edits(LINE, RIGHT)]


def test_the_alt_key_marks_words_the_list_leads_to_its_edits_and_pasted_lines_become_one(page, transactional_db):
    begin(page)
    press(page, "Alt+ArrowRight", "Alt+ArrowRight")
    assert page.evaluate(SELECTED) == "go"
    press(page, "Alt+Shift+ArrowRight")
    assert page.evaluate(SELECTED) == "go school"
    press(page, "Alt+ArrowLeft")
    assert page.evaluate(SELECTED) == "He"
    page.evaluate(PASTE, "She\tand\r\n\r\nhe\u2028too\n")
    expect(text(page)).to_have_value(LINE.replace("He", "She and he too"))
    press(page, "Control+z")
    expect(text(page)).to_have_value(LINE)
    press(page, "Home")
    replace(page, "She")
    page.get_by_role("button", name="Go to: “He” becomes “She”").click()
    assert page.evaluate(SELECTED) == "She"


def test_no_error_is_one_chord_and_enter_and_excludes_edits(page, transactional_db):
    begin(page)
    fine = page.get_by_label("No error")
    press(page, "Control+Enter")
    expect(fine).to_be_checked()
    replace(page, "She")
    expect(fine).not_to_be_checked()
    press(page, "Control+Enter")
    expect(page.get_by_text("There are edits; remove them first")).to_be_visible()
    expect(fine).not_to_be_checked()
    text(page).fill(LINE)
    press(page, "Control+Enter")
    expect(fine).to_be_checked()
    submit(page)
    press(page, "Escape", "n")
    expect(fine).to_be_checked()
    wait_for_judgments(page)
    assert not Edit.objects.exists()


def test_enter_says_what_is_missing_also_after_a_change_of_the_categories(page, transactional_db):
    begin(page, category_list="own", categories="Verb: x\nLook: y")
    press(page, "Enter")
    expect(page.get_by_role("status").filter(has_text="Correct the sentence, or state")).to_be_visible()
    replace(page, "She")
    press(page, "Alt+ArrowUp")
    with page.expect_response("**/draft/"):
        page.keyboard.type("Ve")
    Campaign.objects.update(categories="Look: y")
    page.reload()
    expect(page.locator(".edits li")).to_have_count(1)
    assert categories(page) == [("", False)]
    page.get_by_role("button", name="Submit and go on").click()
    expect(page.get_by_role("status").filter(has_text="An edit has no category yet.")).to_be_visible()
    expect(page.get_by_role("combobox", name="Category: “He” becomes “She”")).to_be_focused()
    page.keyboard.type("Lo")
    press(page, "Enter")
    expect(text(page)).to_be_focused()
    assert not Judgment.objects.exists()
    submit(page)
    wait_for_judgments(page)
    assert stored() == [(0, 2, "She", "Look")]


DELETIONS = {
    "very good .": ("very", "good ."),
    "It is very, very good.": ("very,", "It is very good."),
    "It is good .": (".", "It is good"),
    "He (really) came.": ("(really)", "He came."),
    "I came here now.": ("now", "I came here."),
    "It was was so .": ("was", "It was so ."),
}


def test_a_word_is_deleted_with_one_space(page, transactional_db):
    begin(page, *DELETIONS, batch_size=len(DELETIONS))
    for _ in DELETIONS:
        line = text(page).input_value()
        word, left = DELETIONS[line]
        drag(page, word)
        press(page, "Delete")
        expect(text(page)).to_have_value(left)
        ((start, end, replacement),) = made(page)
        assert apply_edits(line, [Made(start, end, replacement)]) == left
        submit(page)


@pytest.mark.walk
def test_undo_and_redo_go_through_everything(page, transactional_db):
    begin(page)
    replace(page, "She")
    replace(page, "goes")
    page.get_by_role("button", name="Remove: “He” becomes “She”").click()
    assert made(page) == [(3, 5, "goes")]
    press(page, "Control+z")
    assert len(made(page)) == 2
    for _ in range(9):
        page.get_by_role("button", name="Undo").click()
    expect(text(page)).to_have_value(LINE)
    for _ in range(9):
        page.get_by_role("button", name="Redo").click()
    assert made(page) == [(3, 5, "goes")]


@pytest.mark.parametrize("typed", ["She", "Hers", "I"])
def test_undo_brings_back_the_word_that_was_typed_over(page, transactional_db, typed):
    begin(page)
    replace(page, "They")
    press(page, "Home", "Alt+ArrowRight")
    page.keyboard.type(typed)
    press(page, "Control+z")
    expect(text(page)).to_have_value(LINE.replace("He", "They"))
    press(page, "Control+z")
    expect(text(page)).to_have_value(LINE)
    press(page, "Control+y")
    expect(text(page)).to_have_value(LINE.replace("He", "They"))
    press(page, "Control+y")
    expect(text(page)).to_have_value(LINE.replace("He", typed))


def test_edits_are_joined_and_split_and_stay_so(page, transactional_db):
    begin(page, "He saw a dog .", category_list="conll2014")
    click(page, "a dog", 0)
    page.keyboard.type("the big")
    assert made(page) == [(7, 8, "the big")]
    page.get_by_role("button", name="Split: “a” becomes “the big”").click()
    assert made(page) == [(7, 8, "the"), (8, 8, " big")]
    click(page, "saw")
    with page.expect_response("**/draft/"):
        page.keyboard.type("seen")
    assert made(page) == [(3, 6, "seen"), (7, 8, "the"), (8, 8, " big")]
    page.reload()
    assert made(page) == [(3, 6, "seen"), (7, 8, "the"), (8, 8, " big")]
    page.get_by_role("button", name="Join with the next edit: “a” becomes “the”").click()
    assert made(page) == [(3, 6, "seen"), (7, 8, "the big")]
    text(page).fill("He saw a dog .")
    assert made(page) == []


def test_words_that_are_moved_joined_or_split_are_one_edit(page, transactional_db):
    begin(page, "He drives always there alot and in to town .")
    text(page).fill("He always drives there a lot and into town .")
    assert made(page) == [(3, 16, "always drives"), (23, 27, "a lot"), (32, 37, "into")]


def test_a_category_is_only_proposed_until_it_is_chosen_or_submitted(page, transactional_db):
    begin(page, "It rain .", "They is here .", category_list="errant")
    click(page, "rain")
    page.keyboard.type("rains")
    assert categories(page) == [("VERB:SVA", True)]
    expect(page.get_by_role("combobox", name="Proposed category: “rain” becomes “rains”")).to_be_visible()
    expect(page.get_by_text("proposed", exact=True)).to_be_visible()
    press(page, "Alt+ArrowUp", "Enter")
    assert categories(page) == [("VERB:SVA", False)]
    expect(page.get_by_text("proposed", exact=True)).to_be_hidden()
    submit(page)
    click(page, "is here", 0)
    page.keyboard.type("are")
    submit(page)
    wait_for_judgments(page, 2)
    assert [edit[2:] for edit in stored()] == [("rains", "VERB:SVA"), ("are", "VERB:SVA")]


PROPOSED = """async ([cases, lists]) => {
    const { propose } = await import("/static/protocols/correction/proposals.js");
    return cases.map(([before, old, now]) => [
        ...lists.map((names) => propose({ before, old, now, isEnglish: true }, names)),
        propose({ before, old, now, isEnglish: false }, lists[0]),
    ]);
}"""


def test_categories_are_proposed_by_the_form_of_the_words(page, transactional_db):
    begin(page)
    known = [
        ("Well", "", ",", "PUNCT", "Mec", "", "PUNCT"),
        ("in", "poland", "Poland", "ORTH", "Mec", "", "ORTH"),
        ("my", "birth day", "birthday", "ORTH", "Mec", "", "ORTH"),
        ("the", "goverment", "government", "SPELL", "Mec", "", "SPELL"),
        ("He", "drives always", "always drives", "WO", "WOinc", "", "WO"),
        ("I have", "a", "an", "DET", "ArtOrDet", "", ""),
        ("go", "", " to", "PREP", "Prep", "", ""),
        ("like", "he", "him", "PRON", "Pform", "", ""),
        ("tired", "and", "but", "CONJ", "Trans", "", ""),
        ("my", "sister", "sister's", "NOUN:POSS", "Npos", "", ""),
        ("two", "dog", "dogs", "NOUN:NUM", "Nn", "", ""),
        ("he", "walk", "walks", "VERB:SVA", "SVA", "", ""),
        ("They", "is", "are", "VERB:SVA", "SVA", "", ""),
        ("I", "walk", "walked", "VERB:TENSE", "Vt", "", ""),
        ("You", "can", "should", "VERB:TENSE", "Vm", "", ""),
        ("enjoy", "walking", "walk", "VERB:FORM", "Vform", "", ""),
        ("an", "absolute", "absolutely", "MORPH", "Wform", "", ""),
        ("the", "journal", "newspaper", "OTHER", "Wci", "Word choice", ""),
        ("to return", "back", "", "OTHER", "Rloc-", "", ""),
    ]
    lists = [[category.name for category in names] for names in (ERRANT, CONLL2014)]
    found = page.evaluate(PROPOSED, [[case[:3] for case in known], [*lists, ["Style", "Word choice"]]])
    assert found == [list(case[3:]) for case in known]


@pytest.mark.walk
def test_edits_survive_a_reload_and_an_answer_can_be_changed(page, transactional_db):
    begin(page)
    first = page.url
    with page.expect_response("**/draft/"):
        replace(page, "She")
    page.reload()
    expect(text(page)).to_have_value(LINE.replace("He", "She"))
    expect(page.locator(".edits li")).to_have_count(1)
    drafted = [{"start": 0, "end": 2, "replacement": "She", "category": ""}]
    assert json.loads(Draft.objects.get().answers["edits_1"]) == drafted
    submit(page)
    wait_for_judgments(page)
    page.goto(first)
    expect(page.locator(".edits li")).to_contain_text("She")
    page.get_by_role("button", name="Remove: “He” becomes “She”").click()
    press(page, "Control+Enter")
    page.get_by_role("button", name="Submit and go on").click()
    wait_until(lambda: page.wait_for_timeout(20) or Judgment.objects.filter(revision=2).exists(), "the revision")
    assert not Edit.objects.filter(judgment__current=True).exists()


def test_edits_made_elsewhere_stay_as_they_were(page, transactional_db):
    """A program, or an import, may have written edits that are not those of words."""
    begin(page, "the the goverment was .")
    edits = [(4, 8, ""), (13, 13, "n"), (17, 21, " is")]
    rows = [{"start": start, "end": end, "replacement": now, "category": ""} for start, end, now in edits]
    answers = {"edits_1": json.dumps(rows)}
    judge = Membership.objects.get(role="judge")
    Draft.objects.create(assignment=Assignment.objects.get(), judge=judge, answers=answers)
    page.reload()
    assert made(page) == edits
    press(page, "End")
    page.keyboard.type(" x")
    assert made(page)[:3] == edits


def test_limits_are_told_before_submission(page, transactional_db):
    line = " ".join(f"{number} go" for number in range(MOST_EDITS + 1))
    begin(page, line)
    text(page).fill(line.replace("go", "went"))
    press(page, "Enter")
    expect(page.get_by_role("status").filter(has_text="at most 500 are allowed")).to_be_visible()
    text(page).fill(line + "c" * (LONGEST_REPLACEMENT + 1))
    press(page, "Enter")
    expect(page.get_by_role("status").filter(has_text="at most 2000 characters are allowed")).to_be_visible()
    assert not Judgment.objects.exists()


PASTE = """(text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    document.activeElement.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
    );
}"""


@pytest.mark.walk
def test_edits_survive_a_lost_connection_and_stay_in_this_browser_if_they_are_refused(page, transactional_db, faults):
    begin(page)
    wait_for_next(page)
    page.context.set_offline(True)
    replace(page, "She")
    expect(page.get_by_text("kept in this browser")).to_be_visible()
    assert not Draft.objects.exists()
    with page.expect_response("**/draft/"):
        page.context.set_offline(False)
    assert "She" in Draft.objects.get().answers["edits_1"]
    expect(page.get_by_text("kept in this browser")).to_be_hidden()
    page.context.set_offline(True)
    text(page).fill(LINE.replace("He", "It"))
    expect(page.get_by_text("kept in this browser")).to_be_visible()
    Campaign.objects.update(state="closed")
    with page.expect_response("**/draft/"):
        page.context.set_offline(False)
    expect(page.get_by_text("it accepts no more answers")).to_be_visible()
    assert '"It' in page.evaluate("JSON.stringify(localStorage)").replace("\\", "")
    faults[:] = [fault for fault in faults if "ERR_INTERNET_DISCONNECTED" not in fault and "409" not in fault]


def test_answers_are_shown_as_corrected_sentences_and_labels_are_reasons_for_none(page, transactional_db):
    begin(page)
    press(page, "Alt+ArrowRight")
    replace(page, "goes")
    page.get_by_role("button", name="Submit and go on").click()
    expect(page.get_by_text("2 of 2")).to_be_visible()
    wait_for_judgments(page)
    press(page, "Escape", "s")
    page.keyboard.type("It is a frag")
    page.get_by_role("button", name="Skip this screen").click()
    wait_for_judgments(page, 2)
    assert Judgment.objects.latest("pk").skip_reason == "fragment"
    page.goto("/")
    page.goto(page.get_by_role("link", name="A campaign").get_attribute("href"))
    page.get_by_role("link", name="Your answers").click()
    expect(page.get_by_text("He goes school with the his friends .")).to_be_visible()


def test_it_works_without_scripts(chromium, live_server, transactional_db):
    context = chromium.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    join(page, factory.open_correction([LINE, "It rain .", "Good ."], redundancy=1, category_list="errant"))
    expect(page.locator(".changes")).to_be_hidden()
    expect(page.get_by_role("button", name="Undo")).to_be_hidden()
    text(page).fill(RIGHT)
    page.get_by_role("button", name="Submit and go on").click()
    expect(page.get_by_text("2 of 3")).to_be_visible()
    assert stored() == [(3, 5, "goes to", ""), (17, 21, "", "")]
    page.get_by_role("button", name="Submit and go on").click()
    expect(page.get_by_text("Correct the sentence, or state that there is no error.")).to_be_visible()
    page.get_by_label("No error").check()
    page.get_by_role("button", name="Submit and go on").click()
    expect(page.get_by_text("3 of 3")).to_be_visible()
    context.close()


def test_it_works_by_finger(chromium, live_server, transactional_db, language):
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    context = chromium.new_context(base_url=live_server.url, locale=language, **phone)
    page = context.new_page()
    begin(page, category_list="conll2014")
    expect(text(page)).not_to_be_focused()  # which would open the keyboard over the page
    left, right, middle = page.evaluate(WHERE, ["go school", 0, 2])
    page.touchscreen.tap((left + right) / 2, middle)
    assert caret(page) == (3, 5)
    page.keyboard.insert_text("goes")
    left, _, middle = page.evaluate(WHERE, [" school", 0, 7])
    page.touchscreen.tap(left + 1, middle)
    page.keyboard.insert_text(" to")
    left, right, middle = page.evaluate(WHERE, ["friends", 0, 7])
    page.touchscreen.tap((left + right) / 2, middle)
    assert caret(page) == (31, 38)
    page.wait_for_timeout(700)  # else it would be a double tap
    page.touchscreen.tap((left + right) / 2, middle)
    start, end = caret(page)
    assert 31 < start == end < 38
    page.get_by_role("combobox", name="Category: “go” becomes “goes to”").select_option("Vt")
    assert made(page) == [(3, 5, "goes to")]
    assert categories(page) == [("Vt", False)]
    assert page.evaluate(TOO_SMALL) == []
    page.get_by_role("button", name="Submit and go on").tap()
    wait_for_judgments(page)
    context.close()


@pytest.mark.parametrize(
    ("line", "word", "steps", "typed", "expected"),
    [
        ("هذا بيت كبير .", "بيت", ["Alt+ArrowLeft", "Alt+ArrowLeft"], "دار", "هذا دار كبير ."),
        ("Cafe\u0301 👩‍👧 is goood 👍🏽 .", "goood", ["Alt+ArrowRight"] * 4, "good", "Cafe\u0301 👩‍👧 is good 👍🏽 ."),
        ("我喜欢茶。", "茶", ["Alt+ArrowRight"] * 4, "水", "我喜欢水。"),
    ],
    ids=["right to left", "clusters", "unspaced"],
)
def test_other_scripts(page, transactional_db, line, word, steps, typed, expected):
    begin(page, line, language="ar" if line.startswith("ه") else "en")
    press(page, *steps)
    page.keyboard.insert_text(typed)
    expect(text(page)).to_have_value(expected)
    by_keys = made(page)
    ((start, end, replacement),) = by_keys
    assert apply_edits(line, [Made(start, end, replacement)]) == expected
    text(page).fill(line)
    left, right, middle = page.evaluate(WHERE, [word, 0, len(word)])
    page.mouse.click((left + right) / 2, middle)
    page.keyboard.insert_text(typed)
    assert made(page) == by_keys


def test_the_whole_paragraph_can_be_seen(page, transactional_db):
    begin(page, *[f"Sentence number {number} ." for number in range(40)])
    expect(page.get_by_text("Sentence number 25 .")).to_be_hidden()
    press(page, "Escape", "c")
    expect(page.get_by_text("Sentence number 25 .")).to_be_visible()
    expect(page.get_by_text("Sentence number 31 .")).to_have_count(0)


def test_everybody_can_correct(page, transactional_db):
    """A screen with an edit of each sort, of which one has a chosen category."""
    begin(page, LINE, *["It rain ."] * 8, category_list="conll2014", instructions="Be *kind*.")
    before = text(page).bounding_box()
    text(page).fill(RIGHT)
    assert text(page).bounding_box() == before, "the text does not move as edits appear"
    press(page, "Alt+ArrowUp", "Enter")
    expect(page.locator("[data-status][role=status]")).to_have_text("Edits: 2")
    expect(page.get_by_role("textbox", name="The corrected sentence")).to_be_visible()
    page.emulate_media(forced_colors="active")
    border = page.locator(".edited").first.evaluate("edit => getComputedStyle(edit).borderBottomWidth")
    assert border == "3px"
    page.emulate_media(forced_colors="none")
    page.set_viewport_size({"width": 1280, "height": 500})
    page.evaluate("document.activeElement.blur()")
    for _ in range(40):
        press(page, "Tab")
        assert page.evaluate(COVERED) == ""
        assert page.evaluate(FOCUS_MARK) == "" or page.evaluate("document.activeElement === document.body")
    page.set_viewport_size({"width": 1280, "height": 900})
    open_everything(page)
    check_with_axe(page)
    page.set_viewport_size({"width": 360, "height": 760})
    assert page.evaluate(TOO_SMALL) == []
    check_that_nothing_is_cut(page)


COPIED = """() => {
    const [area, mirror] = [document.querySelector(".writing textarea"), document.querySelector("[data-mirror]")];
    return [area.offsetWidth === mirror.offsetWidth, area.offsetHeight === mirror.offsetHeight,
            area.scrollHeight <= area.offsetHeight];
}"""


def test_a_long_sentence_fits(page, transactional_db):
    begin(page, "Donaudampfschifffahrtsgesellschaftskapitänsmütze" * 3 + " word" * 200 + " .")
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 700})
        replace(page, "x")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(COPIED) == [True, True, True]


DERIVED = """async (cases) => {
    const edits = await import("/static/js/texts/edits.js");
    const choices = await import("/static/js/texts/choices.js");
    const { drawing, isSlight } = await import("/static/js/texts/diff.js");
    const { tokensOf } = await import("/static/js/texts/tokens.js");
    return cases.map(([text, written]) => {
        const point = (unit) => [...text.slice(0, unit)].length;
        const tidied = edits.tidied(text, written).text;
        const found = edits.derived(text, tidied);
        const split = (edit) => (choices.parts(text, edit).length ? choices.parts(text, edit) : [edit]);
        const again = choices.divided(text, found, choices.choicesOf(found, found));
        return [
            tokensOf(text).map((token) => token.text),
            tidied,
            found.map(({ start, end, replacement }) => [point(start), point(end), replacement]),
            edits.corrected(text, again) === tidied && again.length === found.length,
            edits.corrected(text, found.flatMap(split)) === tidied,
            found.map((edit) => {
                const sides = [edits.old(text, edit), edit.replacement];
                const { lead, gone, letters, tail } = drawing(...sides);
                return [lead, gone, letters, tail, isSlight(...sides)];
            }),
        ];
    });
}"""
PIECES = """go goes don't dont a lot alot the he He recieve receive Always drives , . ( - ' 's well-known 1,000 3.5
straße STRASSE e\u0301te\u0301 👩\u200d👧 👍🏽 🇵🇱🇩🇪 中文 茶 ﾊﾞ هذا بيت क्षि 각 ไทย İx \u0301 e\u2011mail 𝒳 ’"""
TEXTS = ROOT / "judgments" / "management" / "demo" / "texts"


def rewritten(chance: random.Random, pieces: list[str]) -> list[str]:
    pieces = list(pieces)
    for _ in range(chance.randint(0, 4)):
        at = chance.randrange(len(pieces) + 1)
        two, other = pieces[at : at + 2], chance.choice(PIECES.split())
        pieces[at : at + 2] = chance.choice([[], two[1:], two[::-1], ["".join(two)], [*two, other], [other, *two[1:]]])
    return pieces


@pytest.mark.walk
def test_scripts_derive_edits_as_the_server_does(page, transactional_db):
    begin(page)
    chance = random.Random(7)
    cases = [("a " * 40 + " ".join(map(str, range(300))), " ".join(map(str, range(20, 330))) + " a" * 90)]
    for _ in range(1500):
        space = chance.choice([" ", " ", "", "  ", "\u00a0"])
        pieces = chance.choices(PIECES.split(), k=chance.randint(0, 9))
        written = chance.choice([space, " "]).join(rewritten(chance, pieces))
        cases.append((space.join(pieces), chance.choice([written, f" {written}  "])))
    source, *others = ((TEXTS / name).read_text().splitlines() for name in ("source.txt", "Heron.txt", "Wren.txt"))
    cases += [pair for other in others for pair in zip(source, other, strict=True)]
    found = page.evaluate(DERIVED, cases)
    for (before, written), (words, tidied, edits, is_same, can_be_split, drawings) in zip(cases, found, strict=True):
        assert words == [token.text for token in tokenise(before)]
        assert tidied == tidy(before, written)
        assert edits == [list(edit[:3]) for edit in derive_edits(before, tidied)], (before, written)
        assert is_same
        assert can_be_split
        for edit, drawn in zip(edits, drawings, strict=True):
            piece = Piece(before[edit[0] : edit[1]], edit[2])
            letters = [list(part) for part in piece.letters]
            assert drawn == [piece.lead, piece.gone, letters, piece.tail, piece.is_slight], piece


@pytest.mark.walk
def test_the_next_screen_works_as_the_first(page, transactional_db):
    begin(page, LINE, "It rain .", "We was here .")
    for typed in ("goes", "rains", "were"):
        press(page, "Alt+ArrowRight")
        replace(page, typed)
        submit(page)
    wait_for_judgments(page, 3)
    assert sorted(Edit.objects.values_list("replacement", flat=True)) == ["goes", "rains", "were"]


def test_composed_characters_go_into_the_text(page, transactional_db):
    begin(page, "私は本を読んだ。")
    press(page, "Alt+ArrowRight")
    client = page.context.new_cdp_session(page)
    client.send("Input.imeSetComposition", {"text": "に", "selectionStart": 1, "selectionEnd": 1})
    client.send("Input.imeSetComposition", {"text": "にほ", "selectionStart": 2, "selectionEnd": 2})
    client.send("Input.insertText", {"text": "日本"})
    expect(text(page)).to_have_value("日本は本を読んだ。")
    assert apply_edits("私は本を読んだ。", [Made(*edit) for edit in made(page)]) == "日本は本を読んだ。"
