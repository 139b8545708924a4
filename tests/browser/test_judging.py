"""Judging in a real browser: from the link of an invitation to the last screen."""

import re
from urllib.parse import parse_qsl

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from judgments.campaigns import settings, states
from judgments.judges import invitations
from judgments.models import Assignment, Draft, Judgment, Membership, Placement, Rating
from tests import factory
from tests.browser.entrance import join, wait_for_next
from tests.browser.in_view import hidden_versions
from tests.services.waiting import wait_until


@pytest.mark.walk
def test_a_judge_ranks_every_screen_by_keyboard_alone(page, campaign):
    join(page, campaign)
    for number in range(5):
        groups = page.get_by_role("group", name="Rank, 1 is best")
        count = groups.count()
        for place in range(count):
            groups.nth(place).get_by_role("radio").first.focus()
            page.keyboard.press("Space")
        page.get_by_role("button", name="Submit and go on").focus()
        with page.expect_navigation():
            page.keyboard.press("Enter")
        if number == 2:
            expect(page.get_by_text("You have finished a batch of 3 screens.")).to_be_visible()
            page.get_by_role("button", name="Go on with another batch").focus()
            page.keyboard.press("Enter")
            page.wait_for_url("**/assignments/*/")
    expect(page.get_by_text("nothing left for you to judge")).to_be_visible()
    wait_until(lambda: Judgment.objects.current().count() == 5, "five judgments")


@pytest.mark.walk
def test_five_candidates_need_six_keys(page, transactional_db):
    texts = {name: [f"{name} writes ."] for name in ("source", "Heron", "Wren", "Magpie", "Plover")}
    join(page, factory.open_campaign(texts, redundancy=1))
    for digit in "12345":
        page.keyboard.press(digit)
    expect(page.get_by_text("5 of 5 ranked")).to_be_visible()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    wait_until(lambda: sorted(p.rank for p in Placement.objects.all()) == [1, 2, 3, 4, 5], "five ranks")


@pytest.mark.walk
@pytest.mark.parametrize("protocol", ["ranking", "rating"])
def test_the_source_and_five_versions_are_in_view_together(page, transactional_db, protocol):
    page.set_viewport_size({"width": 1366, "height": 768})
    line = "{} tell me about the fox that know the name of every tree in the wood where it lives , and she laughs ."
    texts = {name: [line.format(name)] for name in ("source", "Heron", "Wren", "Magpie", "Plover")}
    join(page, factory.open_campaign(texts, protocol=protocol, redundancy=1))
    expect(page.locator(".candidate")).to_have_count(5)
    assert hidden_versions(page) == 0


def test_a_long_source_stays_in_view(page, transactional_db):
    page.set_viewport_size({"width": 1366, "height": 768})
    line = "{} tell me about the fox that know the name of every tree . " * 5
    texts = {name: [line.format(*[name] * 5)] for name in ("source", "Heron", "Wren", "Magpie")}
    join(page, factory.open_campaign(texts))
    for _ in range(page.locator(".candidate").count()):
        page.keyboard.press("ArrowDown")
        expect(page.locator(".source")).to_be_in_viewport(ratio=1)
        current = page.locator(".candidate.current").bounding_box()
        assert current["y"] >= page.locator(".near").bounding_box()["height"]
    page.keyboard.press("PageDown")
    expect(page.locator(".source")).to_be_in_viewport(ratio=1)


@pytest.mark.walk
def test_enter_goes_to_what_is_missing_the_same_digit_is_a_tie_z_takes_back_and_e_hides_marks(page, campaign):
    join(page, campaign)
    for key in ("ArrowDown", "1", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_text("Version A has no rank yet.")).to_be_visible()
    expect(page.locator(".candidate").first).to_be_focused()
    page.keyboard.press("1")
    expect(page.get_by_text(re.compile("^2 of . ranked$"))).to_be_visible()
    page.keyboard.press("z")
    expect(page.get_by_text(re.compile("^1 of . ranked$"))).to_be_visible()
    page.keyboard.press("e")
    expect(page.locator("main")).to_have_class(re.compile("plain"))
    page.keyboard.press("e")
    expect(page.locator("main")).not_to_have_class(re.compile("plain"))


def rank_all(page, keys: str = "1") -> None:
    for _ in range(page.locator(".candidate").count()):
        page.keyboard.press(keys)


# How a campaign of each protocol is opened, and keys that answer its first screen.
ANSWERS = {
    "ranking": (lambda: factory.open_campaign(redundancy=1), "1 2 3"),
    "rating": (lambda: factory.open_campaign(protocol="rating", redundancy=1), "9 0 8 0 7 0"),
    "verdict": (lambda: factory.open_verdicts(redundancy=1), "2"),
    "correction": (lambda: factory.open_correction(["It rain .", "He go ."], redundancy=1), "Alt+ArrowRight a"),
    "marking": (lambda: factory.open_campaign(redundancy=1, protocol="marking"), "1 1 1 Enter 1 2 3"),
    "essays": (lambda: factory.open_essays(redundancy=1), "3 4 2 1 3 4"),
}


@pytest.mark.walk
@pytest.mark.parametrize("protocol", ANSWERS)
def test_no_key_after_enter_changes_what_was_answered(page, transactional_db, protocol):
    opened, keys = ANSWERS[protocol]
    held = []
    page.route("**/next/", lambda route: held.append(route))
    join(page, opened())
    for key in keys.split():
        page.keyboard.press(key)
    fields = "[...new FormData(document.querySelector('form.answers'))].filter(([name, value]) => value)"
    first, given = page.url, dict(page.evaluate(fields))
    with page.expect_request(first) as sent:
        for key in ("Enter", *"132", "Backspace", "a", "ArrowDown", "Tab", "Space", "z", "p", "Enter"):
            page.keyboard.press(key)
    expect(page.get_by_text("Saving…")).to_be_visible()
    held[0].continue_()
    page.wait_for_url(lambda url: url != first)
    answer = dict(parse_qsl(sent.value.post_data)) | {"active": "0", "csrfmiddlewaretoken": "any"}
    assert answer == given | {"active": "0", "csrfmiddlewaretoken": "any"}
    expect(page.locator(".candidate :checked")).to_have_count(0)


# What the browser has moved, but for messages about the answer.
MOVES = """
    window.moved = [];
    new PerformanceObserver((list) => {
        const nodes = list.getEntries().flatMap(({sources}) => sources.map(({node}) => node)).filter(Boolean);
        const elements = nodes.map((node) => node.closest ? node : node.parentElement).filter(Boolean);
        const others = elements.filter((element) => !element.closest("output, [role=status]"));
        moved.push(...others.map((element) => element.outerHTML.slice(0, 200)));
    }).observe({type: "layout-shift"});
"""


@pytest.mark.wide
@pytest.mark.parametrize("protocol", ANSWERS)
def test_nothing_moves_while_a_judge_answers(page, transactional_db, protocol):
    opened, keys = ANSWERS[protocol]
    page.add_init_script(MOVES)
    join(page, opened())
    expect(page.locator("[data-status]")).not_to_be_empty()
    page.evaluate("moved.length = 0")
    for key in keys.split():
        page.keyboard.press(key)
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")
    assert page.evaluate("moved") == []


def test_p_leads_to_the_previous_screen_and_enter_back(page, campaign):
    join(page, campaign)
    first = page.url
    rank_all(page)
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != first)
    second = page.url
    page.keyboard.press("p")
    page.wait_for_url(first)
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url(second)
    assert Judgment.objects.count() == 1
    page.keyboard.press("p")
    page.wait_for_url(first)
    page.keyboard.press("2")
    expect(page.get_by_role("button", name="Submit and go on")).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url(second)
    wait_until(lambda: Judgment.objects.filter(revision=2, current=True).exists(), "a revision")
    Session.objects.all().delete()
    page.keyboard.press("p")
    page.wait_for_url("**/sign-in/**")


@pytest.mark.walk
def test_a_fetch_that_failed_is_repeated_and_a_judge_reads_what_the_page_waits_for(page, campaign, faults):
    """Otherwise a moment without connection makes the judge wait long after it has passed."""
    page.route("**/next/", lambda route: route.abort(), times=1)
    with page.expect_response("**/next/"):
        join(page, campaign)
    first, held = page.url, []
    page.route("**/next/", lambda route: held.append(route), times=1)
    rank_all(page)
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != first)
    assert all("ERR_FAILED" in fault for fault in faults)
    faults.clear()
    second = page.url
    rank_all(page)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Waiting for the next screen. Your answer is kept")).to_be_visible()
    assert page.url == second
    held[0].continue_()
    page.wait_for_url(lambda url: url != second)
    wait_until(lambda: Judgment.objects.count() == 2, "two judgments")


@pytest.mark.long
def test_no_connection_is_called_so_while_the_judge_waits(page, campaign, faults):
    join(page, campaign)
    wait_for_next(page)
    first = page.url
    page.route("**/next/", lambda route: route.abort())
    rank_all(page)
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != first)
    second = page.url
    rank_all(page)
    page.keyboard.press("Enter")
    expect(page.get_by_text("No connection. Your answers are kept")).to_be_visible()
    page.unroute("**/next/")
    page.wait_for_url(lambda url: url != second)
    faults.clear()


def test_a_break_is_suggested_once_up_and_down_change_no_rank_and_the_keys_come_into_view(page, campaign):
    minutes_ago = "JSON.stringify({since: Date.now() - 51 * 60000, last: Date.now(), told: false})"
    page.context.add_init_script(f"localStorage.worked ??= {minutes_ago}")
    join(page, campaign)
    expect(page.get_by_text("You have judged for 51 minutes without a break.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("0 of 3 ranked")).to_be_visible()
    expect(page.get_by_text("without a break")).to_be_hidden()
    page.get_by_role("radio").first.check()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio").first).to_be_checked()
    page.keyboard.press("?")
    expect(page.get_by_text("these keys")).to_be_in_viewport()


def test_v_shows_versions_by_their_differences(page, transactional_db):
    texts = {
        "source": ["He go to school , by bus .", "She go to school , by bus ."],
        "Heron": ["He goes to school by bus .", "She goes to school by bus ."],
        "Wren": ["He goes to the school , by bus .", "She goes to the school , by bus ."],
    }
    campaign = factory.open_campaign(texts, redundancy=1)
    join(page, campaign)
    readings = page.locator(".readings")
    expect(readings.first).to_be_hidden()
    page.keyboard.press("v")
    expect(page.locator(".candidate > .sentence").first).to_be_hidden()
    expect(page.locator(".changed")).to_have_text(["go to school ,"])
    edges = [[span.bounding_box()["x"] for span in row.locator("> span").all()] for row in readings.all()]
    assert edges[1:] == [pytest.approx(edges[0], abs=1)] * 2
    page.keyboard.press("e")  # the choice of one view leaves the others alone
    page.keyboard.press("e")
    first = page.url
    for key in ("1", "2", "3", "Enter"):
        page.keyboard.press(key)
    page.wait_for_url(lambda url: url != first)
    expect(readings.first).to_be_visible()
    for key in ("1", "2", "3", "Enter"):
        page.keyboard.press(key)
    wait_until(lambda: Judgment.objects.count() == 2, "two judgments")
    assert sorted(Judgment.objects.values_list("view", flat=True)) == ["both", "compact"]


@pytest.mark.parametrize(("compact_view", "shown", "stored"), [("first", 1, "compact"), ("never", 0, "full")])
def test_an_organiser_sets_which_view_comes_first(page, transactional_db, compact_view, shown, stored):
    texts = {"source": ["He go ."], "Heron": ["He goes ."], "Wren": ["He went ."]}
    join(page, factory.open_campaign(texts, redundancy=1, compact_view=compact_view))
    if not shown:
        page.keyboard.press("v")
    expect(page.locator(".readings:visible")).to_have_count(3 * shown)
    for key in ("1", "2", "3", "Enter"):
        page.keyboard.press(key)
    wait_until(lambda: Judgment.objects.exists(), "a judgment")
    assert Judgment.objects.get().view == stored


def test_an_edit_shows_what_it_replaced_unless_a_judge_hides_it_and_it_is_not_copied(page, transactional_db):
    join(page, factory.open_campaign({"source": ["He go ."], "Heron": ["He goes ."]}))
    old = page.locator(".sentence .edit del")
    expect(old).to_be_visible()
    expect(page.locator(".sentence .note")).to_have_text("unchanged")
    copied = page.locator(".candidate .sentence", has=page.locator("ins")).evaluate(
        "sentence => { getSelection().selectAllChildren(sentence); return getSelection().toString(); }"
    )
    assert copied == "He goes ."
    expect(old).to_have_text("go")
    page.keyboard.press("o")
    for _ in ("now", "again"):
        expect(old).to_be_hidden()
        page.reload()


@pytest.mark.walk
def test_a_judge_rates_with_numbers_and_sliders(page, transactional_db):
    join(page, factory.open_campaign(protocol="rating"))
    assignment, scores = page.url, page.get_by_role("spinbutton")
    # Two digits go on to the next sentence, up and down to others; these change no answer.
    page.keyboard.type("90")
    expect(scores.first).to_have_value("90")
    expect(page.locator(".candidate").nth(1)).to_be_focused()
    slider, score = page.get_by_role("slider").nth(1), scores.nth(1)
    slider.focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator(".candidate").first).to_be_focused()
    # A slider is untouched until it is moved, and reaches both ends.
    expect(slider).to_have_attribute("aria-valuetext", "not rated yet")
    expect(score).to_have_value("")
    slider.focus()
    for key, value, meaning in (
        ("End", "100", "Perfect"),
        ("PageDown", "90", "Perfect"),
        ("PageDown", "80", "Small errors"),
        ("Home", "0", "Completely ungrammatical / Garbled"),
    ):
        page.keyboard.press(key)
        expect(score).to_have_value(value)
        expect(slider).to_have_attribute("aria-valuetext", f"{value} {meaning}")
    # A score out of range is not submitted.
    for place in range(scores.count()):
        scores.nth(place).fill("150" if place == 1 else str(100 - place))
    page.get_by_label("Meaning changed").first.check()
    page.get_by_role("button", name="Submit and go on").click()
    expect(page.get_by_text("Version B has no score from 0 to 100 yet.")).to_be_visible()
    assert page.url == assignment
    assert not Judgment.objects.exists()
    score.fill("99")
    page.get_by_role("button", name="Submit and go on").click()
    expect(page.get_by_text("2 of 3")).to_be_visible()
    wait_until(lambda: Rating.objects.filter(score=100, meaning_changed=True).exists(), "the rating")
    # A phone has room for the ends of the scale, beside which no other word stands.
    words = page.locator(".ends span")
    for width, shown in ((390, [0, 4]), (800, [0, 4]), (1280, range(5))):
        page.set_viewport_size({"width": width, "height": 800})
        assert [place for place in range(5) if words.nth(place).is_visible()] == [*shown]


def test_scores_are_typed_one_after_the_other_clicked_and_copied_from_above(page, transactional_db):
    join(page, factory.open_campaign(protocol="rating"))
    scores, slider = page.get_by_role("spinbutton"), page.get_by_role("slider").first

    def given() -> list[str]:
        return [score.input_value() for score in scores.all()]

    for typed, expected in {"1007105": ["100", "71", "5"], "10957": ["10", "95", "7"], "5": ["5", "95", "7"]}.items():
        page.locator(".candidate").first.focus()
        page.keyboard.type(typed)
        assert [str(int(score)) for score in given()] == expected
    box = slider.bounding_box()
    slider.click(position={"x": 1, "y": box["height"] / 2})
    assert given()[0] == "0", "where the thumb waits"
    slider.click(position={"x": box["width"] - 1, "y": box["height"] / 2})
    assert given()[0] == "100"
    page.locator(".candidate").nth(1).focus()
    page.keyboard.press("=")
    assert given() == ["100", "100", "7"]
    expect(page.locator(".candidate").nth(2)).to_be_focused()
    page.keyboard.press("z")
    assert given() == ["100", "95", "7"]
    scores.last.focus()
    page.keyboard.type(".e-")  # keys that are no digits neither write into a score nor empty it
    assert given() == ["100", "95", "7"]
    expect(page.get_by_role("button", name="Marks")).to_have_attribute("aria-pressed", "false")


def test_a_press_on_a_rank_goes_on_as_a_key_does(page, campaign):
    join(page, campaign)
    page.get_by_role("radio").first.click()
    expect(page.locator(".candidate").nth(1)).to_be_focused()


@pytest.mark.walk
def test_answers_survive_a_lost_connection_and_a_reload(page, campaign, faults):
    join(page, campaign)
    page.context.set_offline(True)
    page.keyboard.press("2")
    expect(page.get_by_role("alert")).to_contain_text("Your answers are kept in this browser")
    assert not Draft.objects.exists()
    with page.expect_response("**/draft/"):
        page.context.set_offline(False)
    expect(page.get_by_role("alert")).to_be_hidden()
    assert Draft.objects.get().answers == {"rank_1": "2"}
    page.reload()
    expect(page.get_by_text(re.compile("^1 of . ranked$"))).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("1")
    page.reload()  # before the draft has been sent
    expect(page.get_by_text(re.compile("^2 of . ranked$"))).to_be_visible()
    faults[:] = [fault for fault in faults if "ERR_INTERNET_DISCONNECTED" not in fault]


def test_a_page_left_open_elsewhere_overwrites_nothing(page, campaign):
    page.clock.install()
    join(page, campaign)
    expect(page.get_by_text(re.compile("^0 of . ranked$"))).to_be_visible()
    elsewhere = {"assignment": Assignment.objects.get(pk=int(page.url.split("/")[-2])), "answers": {"rank_1": "2"}}
    Draft.objects.create(judge=elsewhere["assignment"].judge, **elsewhere)
    with page.expect_response("**/draft/"):
        page.clock.fast_forward(61_000)
    assert Draft.objects.get().answers == {"rank_1": "2"}


@pytest.mark.walk
def test_enter_submits_and_a_skip_wants_a_reason(page, campaign):
    join(page, campaign)
    skip = page.get_by_role("button", name="Skip this screen")
    groups = page.get_by_role("group", name="Rank, 1 is best")
    for place in range(groups.count()):
        groups.nth(place).get_by_role("radio").first.check()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    wait_until(lambda: Judgment.objects.filter(skipped=False).count() == 1, "the judgment")
    expect(page.get_by_text("2 of 3")).to_be_visible()
    assignment = page.url
    page.keyboard.press("s")
    skip.click()
    assert page.url == assignment
    assert page.get_by_label("Reason for skipping").evaluate("field => !field.checkValidity()")
    page.get_by_label("Reason for skipping").select_option("cannot tell")
    skip.click()
    expect(page.get_by_text("3 of 3")).to_be_visible()
    assert list(Judgment.objects.order_by("pk").values_list("skip_reason", flat=True)) == ["", "cannot tell"]


@pytest.mark.walk
def test_it_works_without_scripts(chromium, live_server, campaign):
    context = chromium.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    join(page, campaign)
    groups = page.get_by_role("group", name="Rank, 1 is best")
    for place in range(groups.count()):
        groups.nth(place).get_by_role("radio").first.check()
    page.get_by_role("button", name="Submit and go on").click()
    expect(page.get_by_text("2 of 3")).to_be_visible()
    context.close()


@pytest.mark.walk
def test_nothing_is_wider_than_the_window(page, transactional_db):
    longest = "Donaudampfschifffahrtsgesellschaftskapitänsmütze" * 3
    lines = [f"{longest} {'word ' * 200}."]
    campaign = factory.open_campaign({"source": lines, "Heron": [f"{lines[0]} !"]})
    join(page, campaign)
    for width in (360, 768, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def answer_by_keys(page) -> None:
    """Rank everything on the screen and press Enter."""
    rank_all(page)
    with page.expect_navigation():
        page.keyboard.press("Enter")


@pytest.mark.walk
def test_the_next_screen_is_there_before_the_answer_has_arrived(page, campaign):
    """The server is slow, and judging goes on all the same."""
    join(page, campaign)
    waiting = []
    assignment = page.url
    page.route(assignment, lambda route: waiting.append(route) if route.request.method == "POST" else route.continue_())
    with page.expect_response("**/next/"):
        page.reload()
    answer_by_keys(page)
    expect(page.get_by_text("2 of 3")).to_be_visible()
    wait_until(lambda: waiting or page.wait_for_timeout(20), "the answer to be sent")
    assert not Judgment.objects.exists()
    waiting[0].continue_()
    wait_until(lambda: page.wait_for_timeout(20) or Judgment.objects.exists(), "the answer to arrive")


@pytest.mark.walk
def test_an_answer_given_without_a_connection_arrives_when_it_returns(page, campaign, faults):
    join(page, campaign)
    with page.expect_response("**/assignments/*/"):
        page.reload()
    wait_for_next(page)
    page.context.set_offline(True)
    answer_by_keys(page)
    expect(page.get_by_role("alert")).to_contain_text("kept in this browser")
    rank_all(page)
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text(re.compile("kept"))
    assert not Judgment.objects.exists()
    page.context.set_offline(False)
    wait_until(lambda: page.wait_for_timeout(50) or Judgment.objects.count() == 2, "both answers, without another key")
    faults[:] = [fault for fault in faults if "ERR_INTERNET_DISCONNECTED" not in fault]


@pytest.mark.walk
def test_a_judge_with_a_link_signs_in_elsewhere_or_again_in_place_and_loses_nothing(page, campaign, sign_in, faults):
    join(page, campaign)
    assignment, again = page.url, page.get_by_role("button", name="Sign in again")
    expect(again).to_be_hidden()
    sign_out_elsewhere(page)
    assert not Draft.objects.exists()
    with page.expect_response(lambda answer: "/draft/" in answer.url and answer.status == 200):
        sign_in(Membership.objects.get(pseudonym="dan").user)
    expect(page.get_by_role("alert")).to_be_hidden()
    assert Draft.objects.get().answers == {"rank_1": "2"}
    sign_out_elsewhere(page)
    again.click()
    with page.expect_response(lambda answer: "/draft/" in answer.url and answer.status == 200):
        page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_hidden()
    assert page.url == assignment
    assert Draft.objects.get().answers == {"rank_1": "2", "rank_2": "2"}
    answer_by_keys(page)
    wait_until(lambda: page.wait_for_timeout(20) or Judgment.objects.count() == 1, "the judgment")
    faults[:] = [fault for fault in faults if "Failed to load resource" not in fault]


@pytest.mark.walk
def test_enter_twice_is_one_judgment_and_one_step_and_back_shows_the_answer(page, campaign):
    join(page, campaign)
    rank_all(page)
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 of 3")).to_be_visible()
    wait_until(lambda: page.wait_for_timeout(20) or Judgment.objects.count() == 1, "the judgment")
    page.go_back()
    expect(page.get_by_text("Answered before")).to_be_visible()
    expect(page.get_by_role("radio", checked=True).first).to_be_checked()


@pytest.mark.walk
def test_a_judge_who_was_away_and_lost_the_screen_sees_a_message_and_goes_on(page, campaign, ben, faults):
    join(page, campaign)
    wait_for_next(page)
    lost = page.url
    Assignment.objects.filter(pk=lost.split("/")[-2]).update(judge=ben)
    rank_all(page)
    expect(page.get_by_role("alert")).to_contain_text("for another judge")
    for _ in range(2):  # what was lost holds nothing up behind it
        answer_by_keys(page)
        expect(page.get_by_text("0 of 3 ranked")).to_be_visible()
    wait_until(lambda: page.wait_for_timeout(20) or Judgment.objects.count() == 1, "the second screen's judgment")
    empty = "!Object.keys(localStorage).some((place) => place.startsWith('outbox'))"
    wait_until(lambda: page.wait_for_timeout(20) or page.evaluate(empty), "the outbox to be empty")
    faults[:] = [fault for fault in faults if "409" not in fault]


def test_who_answers_after_the_end_reads_it_on_the_page_of_the_campaign(page, campaign, faults):
    join(page, campaign)
    states.close_campaign(campaign)
    rank_all(page)
    page.keyboard.press("Enter")
    expect(page.get_by_text("This campaign is closed, so it accepts no more answers.")).to_be_visible()
    expect(page).to_have_url(re.compile(f"/campaigns/{campaign.slug}/$"))
    faults[:] = [fault for fault in faults if "409" not in fault]


@pytest.mark.walk
def test_from_consent_to_the_code_by_keyboard(page, campaign):
    settings.configure(
        campaign,
        consent="You *agree*.",
        tutorial=factory.TUTORIAL * 2,
        questions=factory.QUESTIONS,
        completion_code="C1A2",
        batches_per_judge=1,
        return_address="https://example.org/done?cc={code}&who={PROLIFIC_PID}",
    )
    page.goto(f"/join/shared/{invitations.share(campaign, 3).token}/?PROLIFIC_PID=p1")
    page.get_by_role("button", name="Join as a judge").press("Enter")
    expect(page.get_by_text("You agree.")).to_be_visible()
    page.keyboard.press("Enter")
    for digits, said in ("113", "You tie A and B; we put B below A."), ("123", "Just as expected"):
        expect(page.get_by_text("0 of 3 ranked")).to_be_visible()
        for digit in digits:
            page.keyboard.press(digit)
        page.keyboard.press("Enter")
        expect(page.get_by_text(said)).to_be_visible()
        expect(page.get_by_label("3")).to_have_count(3)
        for height in 390, 900:  # a phone is turned, which must disturb nothing
            page.set_viewport_size({"width": 844, "height": height})
        page.keyboard.press("Enter")
    page.get_by_label("I give them the same rank.").check()
    page.get_by_label("A worse version.").check()
    page.get_by_role("button", name="Answer").press("Enter")
    page.wait_for_url("**/assignments/*/")
    for _ in range(3):
        answer_by_keys(page)
    expect(page.get_by_text("Your code is C1A2")).to_be_visible()
    hand_in = page.get_by_role("link", name="Submit the code and finish")
    expect(hand_in).to_have_attribute("href", "https://example.org/done?cc=C1A2&who=p1")
    assert Judgment.objects.count() == 3


def test_on_a_phone_help_leads_to_the_page_of_the_campaign(page, campaign):
    """The line of tools has no room for its name there."""
    page.set_viewport_size({"width": 390, "height": 844})
    join(page, campaign)
    expect(page.locator(".home")).to_be_hidden()
    page.get_by_role("button", name="Help").click()
    page.get_by_role("link", name="The page of this campaign").click()
    expect(page.get_by_role("link", name="Your data")).to_be_visible()


def test_enter_pressed_again_while_the_link_is_opened_is_not_refused(page, campaign):
    settings.configure(campaign, consent="You *agree*.", tutorial=factory.TUTORIAL)
    (invitation,) = invitations.invite(campaign, ["dan"])
    sent = []
    page.route("**/join/*/", lambda route: sent.append(route) if route.request.method == "POST" else route.continue_())
    page.goto(f"/join/{invitation.token}/")
    for _ in range(2):
        page.keyboard.press("Enter")
        wait_until(lambda: page.wait_for_timeout(20) or sent, "the button's form")
    assert len(sent) == 1
    sent[0].continue_()
    expect(page.get_by_text("You agree.")).to_be_visible()


def sign_out_elsewhere(page) -> None:
    """The session ends without the page knowing; the next key finds out."""
    wait_for_next(page)
    Session.objects.all().delete()
    page.keyboard.press("2")
    expect(page.get_by_role("alert")).to_contain_text("You are signed out.")


def test_a_judge_with_an_account_signs_in_again_in_place(page, campaign, faults):
    zoe = User.objects.create_user("zoe", password="a good one, this")
    Membership.objects.create(campaign=campaign, user=zoe, role="judge", pseudonym="zoe")
    page.goto("/sign-in/")
    page.get_by_label("Username").fill("zoe")
    page.get_by_label("Password").fill("a good one, this")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="A campaign").click()
    page.get_by_role("button", name="Begin judging").click()
    page.wait_for_url("**/assignments/*/")
    sign_out_elsewhere(page)
    page.get_by_role("button", name="Sign in again").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Username").fill("zoe")
    dialog.get_by_label("Password").fill("not this one")
    dialog.get_by_role("button", name="Sign in").click()
    expect(dialog.get_by_text("The user name or the password is wrong.")).to_be_visible()
    dialog.get_by_label("Password").fill("a good one, this")
    with page.expect_response(lambda answer: "/draft/" in answer.url and answer.status == 200):
        page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    assert Draft.objects.get().answers == {"rank_1": "2"}
    faults[:] = [fault for fault in faults if "Failed to load resource" not in fault]


@pytest.mark.long
def test_an_answer_that_waits_is_not_sent_as_somebody_else(page, campaign, faults):
    """Two judges share a browser; the first one's answer waits until the first one is back."""
    join(page, campaign)
    wait_for_next(page)
    page.context.set_offline(True)
    answer_by_keys(page)
    page.route("**/assignments/*/", lambda one: one.abort() if one.request.method == "POST" else one.continue_())
    page.context.set_offline(False)
    ben, dan = invitations.invite(campaign, ["ben", "dan"])
    for invitation, judged in ((ben, 0), (dan, 1)):
        page.goto(f"/join/{invitation.token}/")
        page.get_by_role("main").get_by_role("button").click()
        page.unroute("**/assignments/*/")
        if not judged:
            page.get_by_role("button", name="judging").click()
        page.wait_for_url("**/assignments/*/")
        wait_until(lambda n=judged: page.wait_for_timeout(50) or Judgment.objects.count() == n, f"{judged} judgments")
    assert Judgment.objects.get().assignment.judge.pseudonym == "dan"
    faults[:] = [fault for fault in faults if "Failed to load resource" not in fault]


@pytest.mark.walk
def test_a_draft_that_is_saved_late_hides_no_message_of_the_next_screen(page, campaign):
    join(page, campaign)
    other = page.context.new_page()
    other.goto(page.url)
    answer_by_keys(page)
    wait_until(lambda: page.wait_for_timeout(20) or Judgment.objects.count() == 1, "the first answer")
    waiting = []
    other.route("**/draft/", lambda route: waiting.append(route))
    rank_all(other, "2")
    wait_until(lambda: other.wait_for_timeout(20) or waiting, "the draft")
    with other.expect_navigation():
        other.keyboard.press("Enter")
    expect(other.get_by_role("alert")).to_contain_text("You had already answered that screen")
    with other.expect_response("**/draft/"):
        waiting[0].continue_()
    other.wait_for_timeout(200)
    expect(other.get_by_role("alert")).to_contain_text("You had already answered that screen")


@pytest.mark.walk
def test_the_same_screen_in_two_tabs_is_one_judgment_and_the_newest_counts(page, campaign):
    join(page, campaign)
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.get_by_text(re.compile("^0 of . ranked$"))).to_be_visible()
    answer, repeated = [], []  # held until the test lets them continue
    page.route(page.url, lambda route: answer.append(route), times=1)
    other.route(page.url, lambda route: repeated.append(route), times=1)
    answer_by_keys(page)
    wait_until(lambda: page.wait_for_timeout(20) or answer, "the first answer")
    rank_all(other, "2")
    with other.expect_navigation():
        other.keyboard.press("Enter")
    wait_until(lambda: other.wait_for_timeout(20) or repeated, "the second answer")
    with page.expect_response(answer[0].request.url):
        answer[0].continue_()
    page.wait_for_timeout(200)
    repeated[0].continue_()
    expect(other.get_by_role("alert")).to_contain_text("You had already answered that screen")
    expect(page.get_by_role("alert")).to_have_count(0)
    with other.expect_response("**/draft/"):
        other.keyboard.press("1")
    other.wait_for_timeout(200)
    expect(other.get_by_role("alert")).to_contain_text("You had already answered that screen")
    assert other.url == page.url
    assert set(Placement.objects.filter(judgment__current=True).values_list("rank", flat=True)) == {2}
    assert Judgment.objects.current().count() == 1


@pytest.mark.walk
def test_an_answer_that_is_refused_is_kept_and_shown_again(page, campaign, faults):
    join(page, campaign)
    wait_for_next(page)
    assignment = page.url
    states.close_campaign(campaign)
    rank_all(page, "2")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("it accepts no more answers")
    campaign.refresh_from_db()
    states.open_campaign(campaign)
    page.goto(assignment)
    expect(page.get_by_role("radio", checked=True)).to_have_count(page.locator(".candidate").count())
    faults[:] = [fault for fault in faults if "409" not in fault]


def test_a_remark_goes_with_a_skip_which_gives_up_what_was_begun_and_enter_goes_on(page, campaign):
    join(page, campaign)
    page.keyboard.press("1")
    page.get_by_role("button", name="Remark").click()
    page.get_by_label("The sentence itself is broken").check()
    page.get_by_label("A remark for the organiser").fill("Two sentences?")
    page.keyboard.press("Escape")
    expect(page.locator(".candidate").nth(1)).to_be_focused()
    page.keyboard.press("Enter")  # which does not open the remark again
    expect(page.get_by_text("Version B has no rank yet.")).to_be_visible()
    page.keyboard.press("s")
    page.get_by_label("Reason for skipping").select_option("cannot tell")
    page.get_by_role("button", name="Skip this screen").click()
    expect(page.get_by_text("2 of 3")).to_be_visible()
    judgment = Judgment.objects.get()
    assert (judgment.skip_reason, judgment.comment, judgment.flagged) == ("cannot tell", "Two sentences?", True)
    assert judgment.active_seconds is not None
    page.keyboard.press("p")
    expect(page.get_by_text("Skipped: I cannot tell")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 of 3")).to_be_visible()


def test_a_remark_survives_a_lost_connection_too(page, campaign, faults):
    join(page, campaign)
    assignment = page.url
    page.context.set_offline(True)
    page.get_by_role("button", name="Remark").click()
    page.get_by_label("A remark for the organiser").fill("Two sentences?")
    page.get_by_label("The sentence itself is broken").check()
    expect(page.get_by_role("alert")).to_contain_text("kept in this browser")
    page.close()
    faults.clear()
    page.context.set_offline(False)
    again = page.context.new_page()
    again.goto(assignment)
    expect(again.get_by_label("A remark for the organiser")).to_have_value("Two sentences?")
    expect(again.get_by_label("The sentence itself is broken")).to_be_checked()
