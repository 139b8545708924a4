"""Before the first screen: consent, a tutorial, a comprehension check, each only where the organiser wants it."""

import html
import re

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from judgments.assignment import claiming
from judgments.campaigns import settings
from judgments.judges import onboarding
from judgments.judges.onboarding import NotPrepared, OnboardingStep
from judgments.models import Assignment, Campaign, Consent, Judgment, Membership
from judgments.rules.errors import Refused
from judgments.rules.texts.collapsing import fingerprint
from tests import factory
from tests.judgments.judges.test_exclusion import anew

RIGHT = {"question_1": "0", "question_2": "1", "attempts": "0"}
WRONG = {"question_1": "1", "question_2": "0", "attempts": "0"}
AGAIN = {"attempts": "1"}
RANKS = {"key": "00000000-0000-0000-0000-000000000000", "rank_1": "1", "rank_2": "2", "rank_3": "3"}


@pytest.fixture
def prepared(campaign) -> Campaign:
    texts = {"consent": "You *agree*.", "tutorial": factory.TUTORIAL, "questions": factory.QUESTIONS}
    return settings.configure(campaign, **texts)


@pytest.fixture
def judge_page(prepared, ada, browser_of):
    return browser_of(ada.user)


@pytest.fixture
def taught(prepared, ada):
    """All that is left are the questions."""
    factory.agree(ada)
    onboarding.note_example(ada, 1, of=1)


def text_of(answer) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", answer.content.decode()))


def test_a_judge_goes_through_every_step_and_then_judges(prepared, ada, judge_page):
    address = {name: reverse(name, args=[prepared.slug]) for name in ("begin", *OnboardingStep)}
    assert judge_page.post(address["begin"]).url == address["consent"]
    assert "You <em>agree</em>." in judge_page.get(address["consent"]).content.decode()
    assert judge_page.get(address["questions"]).url == address["consent"]
    assert agree_on(judge_page, prepared).url == address["tutorial"]
    assert judge_page.get(address["questions"]).url == address["tutorial"]
    judge_page.post(address["tutorial"], RANKS)
    assert judge_page.post(address["begin"]).url == address["questions"]
    assert "/assignments/" in judge_page.post(address["questions"], RIGHT).url
    assert Assignment.objects.filter(judge=ada).count() == 1


def test_steps_that_do_not_exist_cannot_be_taken_and_hold_nobody_up(campaign, ada, browser_of):
    assert onboarding.next_step(anew(ada)) is None
    assert claiming.claim_next(ada)
    page = browser_of(ada.user)
    for step in ("consent", "tutorial", "questions"):
        page.post(reverse(step, args=[campaign.slug]), {"shown": fingerprint("")})
    judge = anew(ada)
    assert (judge.consented_at, judge.taught_at, judge.passed_at, judge.attempts) == (None, None, None, 0)
    settings.configure(campaign, consent="You *agree*.", tutorial=factory.TUTORIAL, questions=factory.QUESTIONS)
    assert list(onboarding.steps(anew(ada)).values()) == [False, False, False]


def test_an_example_says_what_was_expected_and_why(prepared, ada, judge_page):
    address = reverse("tutorial", args=[prepared.slug])
    assert judge_page.post(address, RANKS).url == reverse("consent", args=[prepared.slug])
    factory.agree(ada)
    page = judge_page.get(address).content.decode()
    key = re.search(r'name="key" value="([^"]+)"', page)[1]
    assert "Rank the sentences from best to worst" in page
    assert 'ties are allowed. <span class="by-key">Or type the ranks. Enter goes on.</span>' in page, "not on phones"
    text = text_of(judge_page.post(address, RANKS | {"key": key, "rank_2": "3", "rank_3": "2"}))
    assert "You put B below C; we put it above." in text
    assert text.count("You put") == 1
    assert "Two errors are mended in the first version" in text
    assert "Just as expected" in text_of(judge_page.post(address, RANKS))
    assert not Judgment.objects.exists()
    in_part = judge_page.post(reverse("example", args=[prepared.slug, 1]), {"rank_1": "1"})
    assert "Give version B a rank." in text_of(in_part)
    for number in (0, 2):
        assert judge_page.get(reverse("example", args=[prepared.slug, number])).status_code == 404


def test_the_example_reached_is_remembered_and_none_is_left_out(prepared, ada, judge_page):
    settings.configure(prepared, tutorial=factory.TUTORIAL * 3)
    factory.agree(ada)
    address = reverse("tutorial", args=[prepared.slug])
    for sent, reached in ((3, 1), (1, 2), (2, 3), (1, 3)):
        judge_page.post(reverse("example", args=[prepared.slug, sent]), RANKS)
        assert judge_page.get(address).context["number"] == reached
        assert not anew(ada).taught_at
    settings.configure(prepared, tutorial=factory.TUTORIAL)
    assert judge_page.get(address).context["number"] == 1
    judge_page.post(reverse("example", args=[prepared.slug, 1]), RANKS)
    assert anew(ada).taught_at


@pytest.mark.usefixtures("taught")
def test_wrong_answers_are_reported_with_the_reason_and_can_be_mended(prepared, ada, judge_page):
    address = reverse("questions", args=[prepared.slug])
    assert "Choose an answer." in text_of(judge_page.post(address, {"question_1": "0"}))
    assert anew(ada).attempts == 0, "questions left open are no attempt"
    assert judge_page.post(address, RIGHT | {"question_1": "1"}).url == address, "which can be reloaded"
    answer = judge_page.get(address)
    assert "1 answer was not right. You can try once more." in text_of(answer)
    assert "The same number says that you see no difference." in text_of(answer)
    assert answer.context["form"].initial == {"question_1": 1, "question_2": 1}, (
        "what was right need not be chosen anew"
    )
    assert judge_page.post(address, RIGHT | AGAIN).status_code == 302
    assert anew(ada).passed_at


@pytest.mark.usefixtures("taught")
def test_after_the_last_attempt_a_judge_is_turned_away_with_a_code(prepared, ada, olga, judge_page, browser_of):
    back = "https://example.org/?cc={code}&who={PROLIFIC_PID}"
    settings.configure(prepared, screened_out_code="SORRY", return_address=back)
    Membership.objects.filter(pk=ada.pk).update(platform={"PROLIFIC_PID": "p 1"})
    address = reverse("questions", args=[prepared.slug])
    for attempt in (WRONG, WRONG | AGAIN):
        judge_page.post(address, attempt)
    for answer in (judge_page.post(address, RIGHT), judge_page.get(address)):
        assert "Your code is SORRY" in text_of(answer)
        assert 'href="https://example.org/?cc=SORRY&amp;who=p%201"' in answer.content.decode()
    assert anew(ada).attempts == 2
    assert not anew(ada).passed_at
    page = text_of(judge_page.get(reverse("campaign", args=[prepared.slug])))
    assert "you cannot judge in this campaign" in page
    assert "Begin judging" not in page
    assert "failed the questions" in text_of(browser_of(olga).get(reverse("judges", args=[prepared.slug])))
    told = text_of(browser_of(olga).get(reverse("judge", args=[prepared.slug, ada.pk])))
    assert "Has not passed the questions; attempts: 2 of 2. With more Attempts on Settings" in told
    settings.configure(prepared, most_attempts=3)
    assert "You can try once more." in text_of(judge_page.get(address))


@pytest.mark.usefixtures("taught")
def test_answers_sent_twice_are_one_attempt_and_the_judge_is_told(prepared, ada, judge_page):
    """By two presses, by going back, or from another tab; nor can going back be used to guess for nothing."""
    address = reverse("questions", args=[prepared.slug])
    judge_page.post(address, RIGHT | {"question_1": "1"})
    answer = judge_page.post(address, WRONG, follow=True)
    assert "your new answers do not count" in text_of(answer)
    assert "1 answer was not right. You can try once more." in text_of(answer)
    assert anew(ada).attempts == 1


def test_the_share_of_right_answers_decides_and_nobody_answers_more_often_than_allowed(prepared, ada, ben):
    for attempts in "01":
        assert not onboarding.answer_questions(ada, [False, False], attempts)
    with pytest.raises(Refused, match="your new answers do not count"):
        onboarding.answer_questions(ada, [True, True], "2")
    settings.configure(prepared, pass_share=0.5, most_attempts=1)
    ben = anew(ben)
    assert onboarding.answer_questions(ben, [True, False], "0")
    assert onboarding.answer_questions(ben, [False, False], "1"), "what is passed stays passed"


def agree_on(page: Client, campaign: Campaign) -> HttpResponse:
    address = reverse("consent", args=[campaign.slug])
    shown = re.search(r'name="shown" value="([^"]+)"', page.get(address).content.decode())
    return page.post(address, {"shown": shown[1]})


def test_consent_is_given_once_to_each_text_and_can_be_read_again(prepared, ada, judge_page):
    factory.agree(ada)
    first, text = anew(ada).consented_at, prepared.consent
    factory.agree(ada)
    assert (anew(ada).consented_at, Consent.objects.count()) == (first, 1)
    page = text_of(judge_page.get(reverse("consent", args=[prepared.slug])))
    assert "You agreed to this on" in page
    assert "I agree<" not in page
    settings.configure(prepared, consent="Something else.")
    assert not anew(ada).consented_at
    settings.configure(prepared, consent=text)
    assert anew(ada).consented_at == first, "nobody is asked again"


def test_a_changed_text_asks_again_and_it_is_seen_who_agreed_to_which(prepared, ada, ben, olga, judge_page, browser_of):
    factory.agree(ada)
    factory.agree(ben)
    settings.configure(prepared, consent="You agree to *more*.")
    assert onboarding.next_step(anew(ada)) == OnboardingStep.CONSENT
    with pytest.raises(NotPrepared, match="consent"):
        claiming.claim_next(anew(ada))
    assert "You agree to <em>more</em>." in judge_page.get(reverse("consent", args=[prepared.slug])).content.decode()
    agree_on(judge_page, prepared)
    assert onboarding.next_step(anew(ada)) == OnboardingStep.TUTORIAL
    given = {(consent.judge.pseudonym, consent.text.number) for consent in Consent.objects.select_related()}
    assert given == {("ada", 1), ("ben", 1), ("ada", 2)}
    page = text_of(browser_of(olga).get(reverse("consents", args=[prepared.slug])))
    assert re.findall(r"Text \d|ada|ben", page)[-5:] == ["Text 2", "ada", "Text 1", "ada", "ben"]
    ben_page = text_of(browser_of(olga).get(reverse("judge", args=[prepared.slug, ben.pk])))
    assert "Has not agreed to the consent text as it is now." in ben_page


def test_who_refuses_reads_what_to_do_and_may_change_their_mind(prepared, ada, judge_page):
    address = reverse("consent", args=[prepared.slug])
    refused = re.search(r'<a href="(\?refused)">I do not agree', judge_page.get(address).content.decode())[1]
    page = text_of(judge_page.get(address + refused))
    assert "nothing more is asked of you" in page
    assert "Return the task" not in page
    Membership.objects.filter(pk=ada.pk).update(platform={"PROLIFIC_PID": "p 1"})
    assert "Return the task on the platform" in text_of(judge_page.get(address + refused))
    agree_on(judge_page, prepared)
    assert "You agreed to this on" in text_of(judge_page.get(address + refused))


def test_nobody_agrees_to_a_text_that_was_not_shown(prepared, ada, judge_page):
    address = reverse("consent", args=[prepared.slug])
    for shown in ({}, {"shown": fingerprint("an earlier text")}):
        assert "This text has just changed." in text_of(judge_page.post(address, shown, follow=True))
        assert not anew(ada).consented_at
