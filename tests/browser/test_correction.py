"""Correcting in a real browser: by keys alone, by mouse, by finger, without scripts, in other scripts."""

import json
import random
from itertools import chain

import pytest
from playwright.sync_api import Page, expect

from judgments.models import Assignment, Campaign, Draft, Edit, Judgment, Membership
from judgments.rules.texts.edits import LONGEST_REPLACEMENT, MOST_EDITS, Fault, corrected, faults_in, stops_of
from judgments.rules.texts.edits import Edit as Made
from judgments.rules.texts.words import words_of
from tests import factory
from tests.browser.entrance import join, wait_for_next
from tests.browser.test_accessibility import COVERED, FOCUS_MARK, TOO_SMALL, check_that_nothing_is_cut, open_everything
from tests.browser.test_pages import AXE
from tests.services.waiting import wait_until

MOMENT = 350
LINE = "He go school with the his friends ."
SHOWN = """place => [...place.childNodes].map((node) => {
    if (node.nodeName === "DEL") return "";
    return node.className === "substituted" ? node.querySelector("ins").textContent : node.textContent;
}).join("")"""
WHERE = """([needle, from, to]) => {
    const sentence = document.querySelector("[data-editable]");
    const walker = document.createTreeWalker(sentence, NodeFilter.SHOW_TEXT);
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


def begin(page: Page, *lines: str, **settings) -> None:
    join(page, factory.open_correction(list(lines) or [LINE, "It rain ."], redundancy=1, **settings))
    expect(page.locator("[data-editable]")).to_be_visible()


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def write(page: Page, text: str, *keys: str) -> None:
    page.keyboard.type(text)
    press(page, *(keys or ("Enter",)))


def submit(page: Page) -> None:
    """Go on by Enter, not in the moment in which it could be one too many."""
    page.wait_for_timeout(MOMENT)
    with page.expect_navigation():
        press(page, "Enter")


def made(page: Page) -> list[tuple]:
    """The edits that would be sent."""
    edits = json.loads(page.locator("[data-edits]").input_value())
    return [(edit["start"], edit["end"], edit["replacement"]) for edit in edits]


def shown(page: Page) -> str:
    """The corrected sentence as it is shown."""
    return page.locator("[data-corrected]").evaluate(SHOWN)


def drag(page: Page, needle: str) -> None:
    """Select by mouse."""
    left, right, middle = page.evaluate(WHERE, [needle, 0, len(needle)])
    page.mouse.move(left + 1, middle)
    page.mouse.down()
    page.mouse.move(right, middle, steps=4)
    page.mouse.up()


def click(page: Page, needle: str, at: int) -> None:
    """Put the caret into a text."""
    left, _, middle = page.evaluate(WHERE, [needle, at, len(needle)])
    page.mouse.click(left + 1, middle)


def stored() -> list[tuple]:
    return list(Edit.objects.order_by("position").values_list("start", "end", "replacement", "category"))


def test_a_judge_corrects_by_keys_alone(page, transactional_db):
    begin(page, category_list="conll2014")
    press(page, "ArrowRight", "ArrowRight")
    write(page, "goes")
    write(page, "SVA")
    press(page, "Control+ArrowRight")
    write(page, "to")
    write(page, "Prep")
    press(page, *["ArrowRight"] * 3, "Delete")
    write(page, "Art")
    assert shown(page) == "He goes to school with his friends ."
    submit(page)
    wait_until(lambda: page.wait_for_timeout(20) or Judgment.objects.exists(), "the judgment")
    assert stored() == [(3, 5, "goes", "SVA"), (6, 6, "to ", "Prep"), (17, 21, "", "ArtOrDet")]
    assert corrected(LINE, [Made(*edit) for edit in stored()]) == "He goes to school with his friends ."


def test_no_error_is_one_key_and_enter(page, transactional_db):
    begin(page)
    press(page, "n")
    expect(page.get_by_label("No error")).to_be_checked()
    with page.expect_navigation():
        press(page, "Enter")
    wait_until(lambda: page.wait_for_timeout(20) or Judgment.objects.filter(skipped=False).exists(), "the judgment")
    assert not Edit.objects.exists()


def test_enter_says_what_is_missing(page, transactional_db):
    begin(page)
    press(page, "Enter")
    expect(page.get_by_role("status").filter(has_text="Correct the sentence, or state")).to_be_visible()
    press(page, "ArrowRight")
    write(page, "She", "Tab", "Tab")
    page.get_by_role("button", name="Submit and go on").click()
    expect(page.get_by_text("Save or cancel the edit that you are writing.")).to_be_visible()
    assert not Judgment.objects.exists()


def test_no_error_beside_edits_is_refused_with_a_word(page, transactional_db):
    begin(page)
    press(page, "ArrowRight")
    write(page, "She")
    press(page, "n")
    expect(page.get_by_text("There are edits; remove them first")).to_be_visible()
    expect(page.get_by_label("No error")).not_to_be_checked()


def test_an_edit_takes_no_error_back(page, transactional_db):
    begin(page)
    press(page, "n", "ArrowRight")
    write(page, "She")
    expect(page.get_by_label("No error")).not_to_be_checked()
    press(page, "z")
    expect(page.get_by_label("No error")).to_be_checked()


def test_by_mouse_a_stretch_is_selected_and_typed_over(page, transactional_db):
    begin(page)
    drag(page, "the his")
    expect(page.get_by_role("button", name="Replace “the his”")).to_be_enabled()
    write(page, "his")
    left, _, middle = page.evaluate(WHERE, ["school", 0, 3])
    page.mouse.dblclick(left + 8, middle)
    expect(page.get_by_role("button", name="Replace “school”")).to_be_enabled()
    page.get_by_role("button", name="Replace “school”").click()
    page.get_by_label("Replacement").fill("church")
    page.get_by_role("button", name="Save this edit").click()
    assert made(page) == [(6, 12, "church"), (18, 25, "his")]


def test_by_mouse_a_click_is_a_place_to_insert(page, transactional_db):
    begin(page)
    click(page, "school", 0)
    page.get_by_role("button", name="Insert between “go” and “school”").click()
    write(page, "to")
    assert shown(page) == "He go to school with the his friends ."
    click(page, "school", 6)
    write(page, ",")
    assert shown(page) == "He go to school , with the his friends ."


def test_part_of_a_word_can_be_changed(page, transactional_db):
    begin(page, "I see two dog and goverment .")
    click(page, "goverment", 5)
    write(page, "n")
    click(page, "dog", 3)
    page.keyboard.type("s")
    page.get_by_label("Without a space").check()
    press(page, "Enter")
    assert shown(page) == "I see two dogs and government ."


def test_without_the_box_a_word_at_a_boundary_gets_a_space(page, transactional_db):
    begin(page, "Well I am here.")
    click(page, "here", 4)
    write(page, "now")
    assert shown(page) == "Well I am here now."
    click(page, "I am", 0)
    write(page, ",")
    assert shown(page) == "Well, I am here now."


@pytest.mark.parametrize(
    ("line", "word", "left"),
    [
        ("very good .", "very", "good ."),
        ("It is very, very good.", "very,", "It is very good."),
        ("It is good .", ".", "It is good"),
        ("He (really) came.", "(really)", "He came."),
        ("It was was so .", "was", "It was so ."),
    ],
)
def test_a_word_is_deleted_with_one_space(page, transactional_db, line, word, left):
    begin(page, line)
    drag(page, word)
    press(page, "Delete")
    assert shown(page) == left
    ((start, end, replacement),) = made(page)
    assert corrected(line, [Made(start, end, replacement)]) == left


def test_neighbouring_words_are_deleted_one_after_the_other(page, transactional_db):
    begin(page, "one two three")
    for _ in range(3):
        press(page, "ArrowRight", "Delete")
    assert shown(page) == ""
    press(page, "z")
    assert shown(page).strip() == "three"


def test_undo_and_redo_go_through_everything(page, transactional_db):
    begin(page)
    press(page, "ArrowRight")
    write(page, "She")
    press(page, "ArrowRight")
    write(page, "goes")
    page.get_by_role("button", name="Remove: “He” becomes “She”").click()
    assert made(page) == [(3, 5, "goes")]
    press(page, "z")
    assert len(made(page)) == 2
    press(page, "Control+z", "Control+z")
    assert made(page) == []
    press(page, "z")
    expect(page.get_by_text("There is nothing to undo.")).to_be_visible()
    press(page, "Z", "Control+y")
    assert made(page) == [(0, 2, "She"), (3, 5, "goes")]
    page.get_by_role("button", name="Redo").click()
    assert made(page) == [(3, 5, "goes")]


def test_a_partial_overlap_is_refused_with_a_message(page, transactional_db):
    begin(page)
    press(page, "ArrowRight", "Shift+ArrowRight")
    write(page, "They go")
    press(page, "ArrowLeft", "Shift+ArrowRight", "Shift+ArrowRight")
    expect(page.get_by_role("button", name="This overlaps another edit")).to_be_disabled()
    press(page, "Enter")
    expect(page.locator("[data-panel]")).to_be_hidden()
    assert made(page) == [(0, 5, "They go")]


def test_a_mark_within_an_edit_opens_it(page, transactional_db):
    begin(page)
    press(page, "ArrowRight", "Shift+ArrowRight")
    write(page, "They go")
    press(page, "ArrowLeft", "Enter")
    expect(page.get_by_label("Replacement")).to_have_value("They go")
    write(page, "She goes")
    assert made(page) == [(0, 5, "She goes")]


def test_an_edit_can_be_moved_by_buttons_and_keys(page, transactional_db):
    begin(page)
    press(page, *["ArrowRight"] * 3)
    write(page, "x")
    page.get_by_role("button", name="Change: “school” becomes “x”").click()
    page.get_by_role("button", name="Begin a word earlier").click()
    expect(page.locator(".marking")).to_have_text("go school")
    page.get_by_role("button", name="End a character earlier").click()
    expect(page.locator(".marking")).to_have_text("go schoo")
    page.get_by_label("Replacement").focus()
    press(page, "Alt+ArrowRight", "Alt+ArrowRight", "Alt+Shift+ArrowRight")
    expect(page.locator(".marking")).to_have_text("school with")
    press(page, "Enter")
    assert made(page) == [(6, 17, "x")]


def test_an_open_edit_takes_what_is_selected_then(page, transactional_db):
    begin(page)
    drag(page, "school")
    page.keyboard.type("x")
    left, _, middle = page.evaluate(WHERE, ["school", 0, 6])
    _, right, _ = page.evaluate(WHERE, [" with", 0, 5])
    page.mouse.move(left + 1, middle)
    page.mouse.down()
    page.mouse.move(right, middle, steps=4)
    page.mouse.up()
    expect(page.locator("[data-title]")).to_have_text("Replace “school with”")
    page.get_by_role("button", name="Save this edit").click()
    assert made(page) == [(6, 17, "x")]


def test_moving_into_another_edit_is_refused(page, transactional_db):
    begin(page)
    press(page, "ArrowRight")
    write(page, "She")
    press(page, "ArrowRight")
    page.keyboard.type("goes")
    press(page, "Alt+Shift+ArrowLeft")
    expect(page.get_by_role("alert").filter(has_text="This overlaps")).to_be_visible()
    press(page, "Enter")
    assert made(page) == [(0, 2, "She"), (3, 5, "goes")]


def test_what_changes_nothing_is_refused_and_escape_leaves(page, transactional_db):
    begin(page)
    press(page, "ArrowRight", "Enter", "Enter")
    expect(page.get_by_role("alert").filter(has_text="This changes nothing")).to_be_visible()
    press(page, "Escape")
    expect(page.locator("[data-panel]")).to_be_hidden()
    expect(page.locator("[data-editable]")).to_be_focused()
    press(page, "n")
    expect(page.get_by_label("No error")).to_be_checked()


def test_letters_type_over_a_mark_and_are_keys_without_one(page, transactional_db):
    begin(page)
    press(page, "ArrowRight")
    page.keyboard.type("nez")
    expect(page.get_by_label("Replacement")).to_have_value("nez")
    press(page, "Escape", "ArrowRight", "Escape", "n")
    expect(page.get_by_label("No error")).to_be_checked()


def test_a_category_is_wanted_where_there_are_some(page, transactional_db):
    begin(page, category_list="own", categories="Tense: the time\nOther")
    press(page, "ArrowRight")
    write(page, "She", "Enter", "Enter")
    expect(page.get_by_role("alert").filter(has_text="Choose a category.")).to_be_visible()
    write(page, "Te")
    expect(page.locator(".edits li")).to_contain_text("Tense")


def test_edits_survive_a_reload(page, transactional_db):
    begin(page)
    press(page, "ArrowRight")
    with page.expect_response("**/draft/"):
        write(page, "She")
    page.reload()
    expect(page.locator(".edits li")).to_have_count(1)
    assert shown(page).startswith("She go")
    assert json.loads(Draft.objects.get().answers["edits_1"]) == [
        {"start": 0, "end": 2, "replacement": "She", "category": ""}
    ]


def test_one_edit_too_many_is_refused_with_a_word_and_the_others_stay(page, transactional_db):
    begin(page, "a " * MOST_EDITS + "b")
    edits = [{"start": 2 * at, "end": 2 * at + 1, "replacement": "the", "category": ""} for at in range(MOST_EDITS)]
    Draft.objects.create(assignment=Assignment.objects.get(), judge=Membership.objects.get(role="judge"), answers={
        "edits_1": json.dumps(edits),
    })  # fmt: skip
    page.reload()
    page.evaluate(SELECT_BY_HANDLES, "b")
    page.get_by_role("button", name="Replace “b”").click()
    page.get_by_label("Replacement").fill("c")
    press(page, "Enter")
    expect(page.get_by_role("alert").filter(has_text="There are 500 edits already")).to_be_visible()
    press(page, "Escape")
    with page.expect_response("**/draft/"):
        page.get_by_role("button", name="Remove: “a” becomes “the”").last.click()
    with page.expect_response("**/draft/"):
        page.evaluate(SELECT_BY_HANDLES, "b")
        page.get_by_role("button", name="Replace “b”").click()
        page.get_by_label("Replacement").fill("c")
        press(page, "Enter")
    assert json.loads(Draft.objects.get().answers["edits_1"]) == json.loads(page.locator("[data-edits]").input_value())
    assert made(page) == [*((2 * at, 2 * at + 1, "the") for at in range(MOST_EDITS - 1)), (1000, 1001, "c")]


def test_an_edit_that_grows_too_long_by_its_spaces_is_refused_with_a_word(page, transactional_db):
    begin(page, "Go(now)")
    press(page, "ArrowRight")
    click(page, "Go(now)", 2)
    press(page, "Enter")
    page.get_by_label("Replacement").fill("x" * LONGEST_REPLACEMENT)
    press(page, "Enter")
    expect(page.get_by_role("alert").filter(has_text="at most 2000 characters are allowed")).to_be_visible()
    page.get_by_label("Replacement").fill("x" * (LONGEST_REPLACEMENT - 2))
    press(page, "Enter")
    assert [len(replacement) for *_, replacement in made(page)] == [LONGEST_REPLACEMENT]


def test_a_tab_is_refused_with_a_word(page, transactional_db):
    begin(page)
    press(page, "ArrowRight", "Enter")
    page.get_by_label("Replacement").fill("She\tis")
    press(page, "Enter")
    expect(page.get_by_role("alert").filter(has_text="This has a tab")).to_be_visible()
    page.get_by_label("Replacement").fill("She is")
    press(page, "Enter")
    assert made(page) == [(0, 2, "She is")]


def test_edits_survive_a_change_of_the_categories(page, transactional_db):
    begin(page, category_list="own", categories="Verb: x\nOther: y")
    press(page, "ArrowRight")
    write(page, "She", "Enter")
    with page.expect_response("**/draft/"):
        write(page, "Ve")
    Campaign.objects.update(categories="Other: y")
    page.reload()
    expect(page.locator(".edits li")).to_have_count(1)
    with page.expect_response("**/draft/"):
        page.locator("details.remark summary").click()
        page.get_by_label("The sentence itself is broken").check()
    page.reload()
    expect(page.locator(".edits li")).to_have_count(1)
    assert shown(page).startswith("She go")
    press(page, "Enter")
    expect(page.get_by_role("status").filter(has_text="An edit has no category yet.")).to_be_visible()


def test_a_draft_that_is_refused_stays_in_this_browser(page, transactional_db, faults):
    begin(page)
    wait_for_next(page)
    page.context.set_offline(True)
    press(page, "ArrowRight")
    write(page, "She")
    expect(page.get_by_text("kept in this browser")).to_be_visible()
    Campaign.objects.update(state="closed")
    with page.expect_response("**/draft/"):
        page.context.set_offline(False)
    expect(page.get_by_text("it accepts no more answers")).to_be_visible()
    assert "She" in page.evaluate("JSON.stringify(localStorage)")
    faults[:] = [fault for fault in faults if "ERR_INTERNET_DISCONNECTED" not in fault and "409" not in fault]


def test_edits_survive_a_lost_connection(page, transactional_db, faults):
    begin(page)
    wait_for_next(page)
    page.context.set_offline(True)
    press(page, "ArrowRight")
    write(page, "She")
    expect(page.get_by_text("kept in this browser")).to_be_visible()
    assert not Draft.objects.exists()
    with page.expect_response("**/draft/"):
        page.context.set_offline(False)
    assert "She" in Draft.objects.get().answers["edits_1"]
    faults[:] = [fault for fault in faults if "ERR_INTERNET_DISCONNECTED" not in fault]


def test_an_answer_can_be_looked_at_and_changed(page, transactional_db):
    begin(page)
    first = page.url
    press(page, "ArrowRight")
    write(page, "She")
    submit(page)
    wait_until(lambda: page.wait_for_timeout(20) or Judgment.objects.exists(), "the judgment")
    page.goto(first)
    expect(page.locator(".edits li")).to_contain_text("She")
    page.get_by_role("button", name="Remove: “He” becomes “She”").click()
    press(page, "n")
    page.get_by_role("button", name="Submit and go on").click()
    wait_until(lambda: page.wait_for_timeout(20) or Judgment.objects.filter(revision=2).exists(), "the revision")
    assert not Edit.objects.filter(judgment__current=True).exists()


def test_labels_are_reasons_for_no_correction(page, transactional_db):
    begin(page)
    press(page, "s")
    page.keyboard.type("It is a frag")
    page.get_by_role("button", name="Skip this screen").click()
    expect(page.get_by_text("2 of 2")).to_be_visible()
    assert Judgment.objects.get().skip_reason == "fragment"


def test_it_works_without_scripts(chromium, live_server, transactional_db):
    context = chromium.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    join(page, factory.open_correction([LINE, "It rain .", "Good ."], redundancy=1, category_list="errant"))
    expect(page.locator(".editor")).to_be_hidden()
    page.get_by_role("textbox", name="The corrected sentence").fill("He goes to school with his friends .")
    page.get_by_role("button", name="Submit and go on").click()
    expect(page.get_by_text("2 of 3")).to_be_visible()
    assert stored() == [(3, 5, "goes", ""), (5, 5, " to", ""), (17, 21, "", "")]
    page.get_by_role("button", name="Submit and go on").click()
    expect(page.get_by_text("Correct the sentence, or state that there is no error.")).to_be_visible()
    page.get_by_label("No error").check()
    page.get_by_role("button", name="Submit and go on").click()
    expect(page.get_by_text("3 of 3")).to_be_visible()
    context.close()


def test_it_works_by_finger(chromium, live_server, transactional_db, language):
    context = chromium.new_context(
        base_url=live_server.url,
        has_touch=True,
        is_mobile=True,
        viewport={"width": 360, "height": 740},
        locale=language,
    )
    page = context.new_page()
    begin(page)
    left, _, middle = page.evaluate(WHERE, ["school", 0, 3])
    page.touchscreen.tap(left + 1, middle)
    page.get_by_role("button", name="Insert between “go” and “school”").tap()
    page.get_by_label("Replacement").fill("to")
    page.get_by_role("button", name="Save this edit").tap()
    assert shown(page) == "He go to school with the his friends ."
    page.evaluate(SELECT_BY_HANDLES, "the his")
    page.get_by_role("button", name="Replace “the his”").tap()
    page.get_by_label("Replacement").fill("his")
    page.get_by_role("button", name="Save this edit").tap()
    assert shown(page) == "He go to school with his friends ."
    expect(page.locator("[data-editable]")).to_have_attribute("inputmode", "none")
    assert page.evaluate(TOO_SMALL) == []
    context.close()


def test_a_tap_marks_the_word_and_once_more_the_place(chromium, live_server, transactional_db):
    context = chromium.new_context(base_url=live_server.url, has_touch=True, viewport={"width": 360, "height": 740})
    page = context.new_page()
    begin(page)
    left, right, middle = page.evaluate(WHERE, ["school", 0, 6])
    page.touchscreen.tap((left + right) / 2, middle)
    expect(page.locator("[data-open]")).to_have_text("Replace “school”")
    page.wait_for_timeout(2 * MOMENT)  # else it would be a double tap
    page.touchscreen.tap((left + right) / 2, middle)
    expect(page.locator("[data-open]")).to_have_text("Insert between “go sch” and “ool with”")
    context.close()


# What a browser does while the handles of a selection are drawn.
SELECT_BY_HANDLES = """(needle) => {
    const sentence = document.querySelector("[data-editable]");
    sentence.focus();
    sentence.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
    const node = [...sentence.childNodes].find((node) => node.textContent.includes(needle));
    const at = node.textContent.indexOf(needle);
    getSelection().setBaseAndExtent(node, at, node, at + needle.length);
}"""


@pytest.mark.parametrize(
    ("line", "steps", "typed", "expected"),
    [
        ("هذا بيت كبير .", ["ArrowLeft", "ArrowLeft"], "دار", "هذا دار كبير ."),
        ("Cafe\u0301 👩‍👧 is goood 👍🏽 .", ["ArrowRight"] * 4, "good", "Cafe\u0301 👩‍👧 is good 👍🏽 ."),
        ("我喜欢茶。", ["ArrowRight"] * 4, "水", "我喜欢水。"),
    ],
    ids=["right to left", "clusters", "unspaced"],
)
def test_other_scripts(page, transactional_db, line, steps, typed, expected):
    begin(page, line, language="ar" if line.startswith("ه") else "en")
    press(page, *steps)
    page.keyboard.insert_text(typed)
    press(page, "Enter")
    assert shown(page) == expected
    ((start, end, replacement),) = made(page)
    assert corrected(line, [Made(start, end, replacement)]) == expected


def test_the_whole_paragraph_can_be_seen(page, transactional_db):
    begin(page, *[f"Sentence number {number} ." for number in range(40)])
    expect(page.get_by_text("Sentence number 25 .")).to_be_hidden()
    press(page, "c")
    expect(page.get_by_text("Sentence number 25 .")).to_be_visible()
    expect(page.get_by_text("Sentence number 31 .")).to_have_count(0)


@pytest.fixture
def busy(page, transactional_db) -> Page:
    """A screen with an edit of each sort, and the form for one more."""
    begin(page, LINE, *["It rain ."] * 8, category_list="conll2014", instructions="Be *kind*.")
    press(page, "ArrowRight", "ArrowRight")
    write(page, "goes")
    write(page, "SVA")
    press(page, "Control+ArrowRight")
    write(page, "to")
    write(page, "Prep")
    press(page, *["ArrowRight"] * 3, "Delete")
    write(page, "Art")
    press(page, "ArrowRight", "ArrowRight", "Enter")
    expect(page.locator("[data-panel]")).to_be_visible()
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(busy, scheme):
    busy.emulate_media(color_scheme=scheme)
    open_everything(busy)
    press(busy, "Enter", "Enter")
    assert AXE.run(busy).violations_count == 0, AXE.run(busy).generate_report()
    press(busy, "Escape", "ArrowLeft")
    assert AXE.run(busy).violations_count == 0, AXE.run(busy).generate_report()


def test_everything_is_large_enough_for_a_thumb(busy):
    busy.set_viewport_size({"width": 360, "height": 760})
    open_everything(busy)
    assert busy.evaluate(TOO_SMALL) == []


def test_nothing_is_cut_or_lies_over_something_else(busy):
    open_everything(busy)
    check_that_nothing_is_cut(busy)


def test_the_focus_can_be_seen_and_is_never_covered(busy):
    busy.set_viewport_size({"width": 1280, "height": 500})
    busy.evaluate("document.activeElement.blur()")
    for _ in range(40):
        press(busy, "Tab")
        assert busy.evaluate(COVERED) == ""
        assert busy.evaluate(FOCUS_MARK) == "" or busy.evaluate("document.activeElement === document.body")


def test_edits_can_be_seen_in_forced_colours(busy):
    busy.emulate_media(forced_colors="active")
    border = busy.locator(".edited").first.evaluate("edit => getComputedStyle(edit).borderBottomWidth")
    assert border == "3px"
    marking, page_colour = (
        busy.locator(where).first.evaluate("element => getComputedStyle(element).backgroundColor")
        for where in (".marking", "body")
    )
    assert marking != page_colour


def test_changes_are_announced_and_the_sentence_is_a_named_field(busy):
    press(busy, "Escape", "z")
    expect(busy.locator("[data-status][role=status]")).to_have_text("Undone.")
    expect(busy.get_by_role("textbox", name="Sentence to mark")).to_be_visible()
    press(busy, "Home", "ArrowRight")
    expect(busy.locator("[data-marked][role=status]")).to_have_text("Replace “He”")


@pytest.mark.parametrize("width", [360, 1280])
def test_a_long_sentence_fits(page, transactional_db, width):
    page.set_viewport_size({"width": width, "height": 700})
    begin(page, "Donaudampfschifffahrtsgesellschaftskapitänsmütze" * 3 + " word" * 200 + " .")
    press(page, "ArrowRight", "Enter")
    write(page, "x", "Enter")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_scripts_count_characters_and_spaces_as_the_server_does(page, transactional_db):
    begin(page)
    chance = random.Random(7)
    words = ["go", "don't", "👩‍👧", "e\u0301te\u0301", ",", ".", "(a)", "中文", "هذا", "𝒳"]
    cases = []
    for _ in range(400):
        text = chance.choice([" ", " ", "  ", ""]).join(chance.choices(words, k=chance.randint(1, 6)))
        stops = stops_of(text)
        encoded = (" ".join(map(str, numbers)) for numbers in (chain(*words_of(text)), stops))
        start, end = sorted(chance.choices(range(len(stops)), k=2))
        replacement = chance.choice(["", "", "x", " x ", ",", "👍🏽 y", "the"])
        cases.append([text, *encoded, stops[start], stops[end], replacement])
    for (text, *_), (edit, shown) in zip(cases, page.evaluate(TIDIED, cases), strict=True):
        (made,) = json.loads(edit)
        edits = [Made(made["start"], made["end"], made["replacement"])]
        assert corrected(text, edits) == shown
        assert {wrong.fault for wrong in faults_in(text, edits, ())} <= {Fault.IDLE}
        if "  " not in text and not made["replacement"]:
            assert "  " not in shown or not text[made["start"] : made["end"]].strip()


# For each text, mark and replacement: the edit that would be saved, as it is sent, and the sentence that it makes.
TIDIED = """async (cases) => {
    const { pieces, Sentence, tidied } = await import("/static/js/protocols/correction/edits.js");
    return cases.map(([text, words, stops, start, end, replacement]) => {
        const sentence = new Sentence(text, words, stops);
        const mark = sentence.trimmed({ start: sentence.units[start], end: sentence.units[end] });
        const [edit] = tidied(sentence, { ...mark, replacement }, false);
        const shown = pieces(text, [edit]).map((piece) => (piece.edit ? piece.now : piece.same)).join("");
        return [sentence.write([edit]), shown];
    });
}"""


def test_the_next_screen_works_as_the_first(page, transactional_db):
    begin(page, LINE, "It rain .", "We was here .")
    for steps, typed in ((2, "goes"), (2, "rains"), (2, "were")):
        press(page, *["ArrowRight"] * steps)
        write(page, typed)
        submit(page)
    wait_until(lambda: page.wait_for_timeout(20) or Judgment.objects.count() == 3, "three judgments")
    assert sorted(Edit.objects.values_list("replacement", flat=True)) == ["goes", "rains", "were"]


def test_composed_characters_go_into_the_edit(page, transactional_db):
    begin(page)
    press(page, "ArrowRight")
    client = page.context.new_cdp_session(page)
    client.send("Input.imeSetComposition", {"text": "に", "selectionStart": 1, "selectionEnd": 1})
    client.send("Input.insertText", {"text": "日"})
    expect(page.get_by_label("Replacement")).to_have_value("日")
    assert page.locator("[data-editable]").text_content() == LINE


PASTE = """() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData("text/plain", "She");
    const paste = { inputType: "insertFromPaste", dataTransfer, bubbles: true, cancelable: true };
    document.querySelector("[data-editable]").dispatchEvent(new InputEvent("beforeinput", paste));
}"""


def test_pasting_over_a_mark_writes_an_edit(page, transactional_db):
    begin(page)
    press(page, "ArrowRight")
    page.evaluate(PASTE)
    expect(page.get_by_label("Replacement")).to_have_value("She")


def test_a_word_about_an_overlap_goes_when_it_is_over(page, transactional_db):
    begin(page)
    press(page, "ArrowRight", "Shift+ArrowRight")
    write(page, "They go")
    press(page, "ArrowLeft", "Shift+ArrowRight", "Shift+ArrowRight")
    status = page.locator("[data-status]")
    expect(status).to_have_text("This overlaps another edit; change or remove that one.")
    press(page, "ArrowRight", "ArrowRight")
    expect(status).to_have_text("Edits: 1")


def test_enter_once_too_often_does_not_submit(page, transactional_db):
    begin(page)
    press(page, "ArrowRight", "ArrowRight")
    write(page, "goes", "Enter", "Enter")
    expect(page.get_by_text("1 of 2")).to_be_visible()
    assert not Judgment.objects.exists()
    submit(page)
    expect(page.get_by_text("2 of 2")).to_be_visible()


def test_enter_without_a_category_says_what_is_wanted(page, transactional_db):
    begin(page, category_list="conll2014")
    press(page, "ArrowRight", "ArrowRight")
    write(page, "goes")
    expect(page.get_by_text("Choose a category.")).to_be_visible()
    page.locator("[data-category]").select_option("Vt")
    expect(page.get_by_text("Choose a category.")).to_be_hidden()


def test_answers_are_shown_as_corrected_sentences(page, transactional_db):
    begin(page)
    press(page, "ArrowRight", "ArrowRight")
    write(page, "goes")
    page.get_by_role("button", name="Submit and go on").click()
    expect(page.get_by_text("2 of 2")).to_be_visible()
    wait_until(Judgment.objects.exists, "a judgment")
    page.goto("/")
    page.goto(page.get_by_role("link", name="A campaign").get_attribute("href"))
    page.get_by_role("link", name="Your answers").click()
    expect(page.get_by_text("He goes school with the his friends .")).to_be_visible()


def test_an_insertion_is_listed_between_its_neighbours(page, transactional_db):
    begin(page)
    press(page, "ArrowRight", "ArrowRight", "Control+ArrowRight")
    write(page, "to")
    expect(page.locator(".edits li .what")).to_have_text("go to school")
