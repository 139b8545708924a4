"""Verdicts in a real browser: one key and Enter a screen, kept through a reload, and without scripts."""

import re

import pytest
from playwright.sync_api import expect

from judgments.models import Judgment, Verdict
from tests import factory
from tests.browser.entrance import join, wait_for_next
from tests.services.waiting import wait_until


@pytest.fixture
def campaign(transactional_db):
    return factory.open_verdicts(redundancy=1, batch_size=7, control_share=0.3)


@pytest.mark.walk
def test_a_judge_gives_every_verdict_by_keyboard_alone(page, campaign):
    join(page, campaign)
    for number in range(7):
        expect(page.get_by_text(f"{number + 1} of 7")).to_be_visible()
        page.keyboard.press("123"[number % 3])
        page.keyboard.press("Enter")
    expect(page.get_by_text("You have finished a batch of 7 screens.")).to_be_visible()
    found = ["error", "error", "error", "ok", "ok", "unknown", "unknown"]
    wait_until(lambda: sorted(Verdict.objects.values_list("finding", flat=True)) == found, "seven verdicts")


def test_enter_says_what_is_missing_another_key_changes_the_mind_and_the_same_key_again_submits(page, campaign):
    join(page, campaign)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Choose whether the marked usage is an error.")).to_be_visible()
    expect(page.get_by_text("1 of 7")).to_be_visible()
    page.keyboard.press("2")
    page.keyboard.press("1")
    expect(page.get_by_role("radio", name="Error")).to_be_checked()
    page.keyboard.press("2")
    expect(page.get_by_text("OK. Enter or 2 goes on.")).to_be_visible()
    page.keyboard.press("2")
    expect(page.get_by_text("2 of 7")).to_be_visible()
    wait_until(lambda: list(Verdict.objects.values_list("finding", flat=True)) == ["ok"], "a verdict")


@pytest.mark.walk
def test_one_key_gives_a_verdict_and_backspace_leads_back(page, campaign):
    join(page, campaign)
    page.keyboard.press("a")
    wait_for_next(page)
    page.keyboard.press("2")
    expect(page.get_by_text("“OK” is sent; Backspace goes back to it.")).to_be_visible()
    page.keyboard.press("Backspace")
    expect(page.get_by_text("1 of 7")).to_be_visible()
    expect(page.get_by_role("radio", name="OK")).to_be_checked()
    wait_for_next(page)
    page.keyboard.press("1")
    expect(page.get_by_text("2 of 7")).to_be_visible()
    wait_until(lambda: Judgment.objects.filter(revision=2).exists(), "a revision")
    current = Verdict.objects.filter(judgment__current=True)
    assert list(current.values_list("finding", flat=True)) == ["error"]


@pytest.mark.walk
def test_a_verdict_survives_a_reload(page, campaign):
    join(page, campaign)
    with page.expect_response("**/draft/"):
        page.keyboard.press("3")
    page.reload()
    expect(page.get_by_role("radio", name="Unknown")).to_be_checked()


def test_the_usage_is_marked_by_more_than_colour_named_for_those_who_listen_and_fits_a_phone(page, campaign):
    join(page, campaign)
    expect(page.locator(".source mark")).to_have_css("border-top-style", "solid")
    group = page.get_by_role("group", name="Is the marked usage an error?")
    expect(group).to_have_accessible_description(re.compile(re.escape(page.locator(".source").inner_text())))
    page.set_viewport_size({"width": 360, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    heights = "all => all.map((one) => one.getBoundingClientRect().height)"
    assert min(page.locator(".ranks label span").evaluate_all(heights)) >= 44


@pytest.mark.walk
def test_feedback_comes_with_the_next_screen(page, transactional_db):
    cats = "".join(f"u{n},A cat {n} .,0,1,\n" for n in range(4))
    usages = f"id,sentence,start,end,gold\n{cats}g,A dog .,0,1,ok\n"
    join(page, factory.open_verdicts(factory.usage_files(usages, {}), feedback=True, redundancy=1, control_share=0.2))
    feedback = page.get_by_text("“[A] dog .” was a test, and you were right: OK.")
    for number in range(5):
        was_test = "dog" in page.locator(".source").inner_text()
        page.keyboard.press("2")
        page.keyboard.press("Enter")
        if was_test and number < 4:
            expect(feedback).to_be_visible()
            return
        expect(page.get_by_text(re.compile(f"{number + 2} of 5|finished a batch"))).to_be_visible()
