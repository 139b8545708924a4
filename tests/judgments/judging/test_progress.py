"""A judge's progress: on the list of campaigns, on a campaign's page, after a batch."""

import html
import re

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from judgments.actions.judges import SetPause
from judgments.assignment import claiming
from judgments.campaigns import overview, settings, states
from judgments.judges import exclusion, onboarding
from judgments.judging import progress
from judgments.models import Assignment, Campaign, Membership
from judgments.web.views.shared import CAME_WITH
from ranking.models import Report
from tests import factory
from tests.judgments.exchange.importing import bring_in


@pytest.fixture
def judge_page(ada, browser_of):
    return browser_of(ada.user)


def text_of(client, name: str, *args) -> str:
    page = client.get(reverse(name, args=args)).content.decode()
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", page).split()))


def test_progress_is_shown_within_the_batch_and_in_total(campaign, ada, judge_page):
    settings.configure(campaign, completion_code="C1A2")
    assert "You have judged" not in text_of(judge_page, "campaign", campaign.slug)
    factory.answer(claiming.claim_next(ada))
    claiming.claim_next(ada)
    page = text_of(judge_page, "campaign", campaign.slug)
    assert "You have judged 1 screen, 1 of 3 in the batch you began." in page
    assert "C1A2" not in page + text_of(judge_page, "thanks", campaign.slug)
    factory.judge_batch(ada)
    assert "You have judged 3 screens. " in text_of(judge_page, "campaign", campaign.slug)
    page = text_of(judge_page, "thanks", campaign.slug)
    assert "Your code is C1A2 Copy it, and enter it where you found this task." in page
    assert "You can stop here and come back later by the same link, or go on now." in page


def test_campaigns_are_listed_with_their_progress(campaign, ada, ben, olga, browser_of):
    other = factory.open_campaign(name="Another one")
    Membership.objects.create(campaign=other, user=ada.user, role="judge", pseudonym="ada")
    factory.judge_batch(ada)
    parts = {part["campaign"]: (part["judged"], part["batches"]) for part in progress.parts_of(ada.user)}
    assert parts == {campaign: (3, 1), other: (0, 0)}
    assert [[done.judge for done in progress.completions(one)] for one in (ada, ben)] == [[ada], []]
    assert not progress.parts_of(olga)
    (run,) = overview.runs_of(olga)
    assert (run.campaign, run.assignments, run.done, run.last_day, run.at_work) == (campaign, 10, 3, 3, 1)
    assert run.last is not None
    Membership.objects.filter(pk=ada.pk).update(user=None)
    assert [run.at_work for run in overview.runs_of(olga)] == [0], "in an imported copy nobody works"
    Membership.objects.filter(pk=ada.pk).update(user=ada.user)
    page = text_of(browser_of(olga), "home")
    assert "3 of 10" in page
    assert "A new campaign" in page
    assert "A new campaign" not in text_of(browser_of(ada.user), "home")
    everything = overview.runs_of(User.objects.create_superuser("operator"))
    assert {one.campaign for one in everything} == {campaign, other}


def test_the_list_of_campaigns_asks_a_fixed_number_of_questions(campaign, ada, browser_of, django_assert_num_queries):
    client = browser_of(ada.user)
    for _ in range(2):
        with django_assert_num_queries(8):
            client.get(reverse("home"))
        other = factory.open_campaign()
        Membership.objects.create(campaign=other, user=ada.user, role="judge", pseudonym="ada")


def test_after_a_batch_come_thanks_and_the_way_on_or_a_code_with_the_way_back(campaign, ada, judge_page):
    factory.judge_batch(ada)
    page = text_of(judge_page, "thanks", campaign.slug)
    assert "You have finished a batch of 3 screens." in page
    assert "Go on with another batch" in page
    assert "code" not in page
    back = "https://app.example.org/done?cc={code}&s={SESSION_ID}"
    settings.configure(campaign, completion_code="C1A2", return_address=back, batches_per_judge=1)
    Membership.objects.filter(pk=ada.pk).update(platform={"SESSION_ID": "s1"})
    page = text_of(judge_page, "thanks", campaign.slug)
    assert "Your code is C1A2" in page
    assert "Copy it" not in page
    assert "You have done all that we ask of one person." in page
    raw = judge_page.get(reverse("thanks", args=[campaign.slug])).content.decode()
    assert 'href="https://app.example.org/done?cc=C1A2&amp;s=s1"' in raw
    assert "code C1A2" in text_of(judge_page, "campaign", campaign.slug)
    session = judge_page.session
    session[CAME_WITH] = {"SESSION_ID": "s2"}
    session.save()
    raw = judge_page.get(reverse("thanks", args=[campaign.slug])).content.decode()
    assert "cc=C1A2&amp;s=s2" in raw, "another browser may have come with something else"


@pytest.mark.postgresql
def test_who_has_not_begun_reads_what_comes_next(campaign, ada, judge_page):
    texts = {"consent": "You *agree*.", "tutorial": factory.TUTORIAL, "questions": factory.QUESTIONS}
    settings.configure(campaign, **texts)
    factory.agree(ada)
    assert re.search(
        "Read what happens to your answers, and agree done .*Try 1 example; your answer is not stored .*"
        "Answer 2 questions about the instructions .*Judge up to 3 screens, in about 2 min.",
        text_of(judge_page, "campaign", campaign.slug),
    )
    Membership.objects.filter(pk=ada.pk).update(taught_at=timezone.now(), passed_at=timezone.now())
    factory.judge_batch(Membership.objects.get(pk=ada.pk))
    assert "What comes next" not in text_of(judge_page, "campaign", campaign.slug)


def test_no_screens_are_announced_before_they_are_planned(db, browser_of):
    campaign = factory.make_campaign(instructions="Be kind.")
    page = text_of(browser_of(factory.judge(campaign, "ada").user), "campaign", campaign.slug)
    assert "This campaign has not begun yet" in page
    assert "0 screens" not in page


def test_as_many_screens_are_announced_as_the_batch_has(db, browser_of):
    lines = ["One .", "Two .", "Three .", "Four ."]
    texts = {"source": lines, "Heron": [f"{line} Yes ." for line in lines], "Wren": [f"{line} No ." for line in lines]}
    campaign = factory.open_campaign(texts, batch_size=3, redundancy=1)
    for name, announced in (("ada", "Judge up to 3 screens"), ("ben", "Judge 1 screen,")):
        judge = factory.judge(campaign, name)
        assert announced in text_of(browser_of(judge.user), "campaign", campaign.slug)
        factory.judge_batch(judge)


def is_told(client, campaign, *sentences: str) -> None:
    """What a judge can expect, on the campaign's page and after a batch."""
    for name in ("campaign", "thanks"):
        page = text_of(client, name, campaign.slug)
        assert all(sentence in page for sentence in sentences), page


def turn_away(judge: Membership) -> None:
    settings.configure(judge.campaign, questions=factory.QUESTIONS, most_attempts=1)
    onboarding.answer_questions(judge, [False, False], "0")


@pytest.mark.parametrize(
    ("act", "sentences"),
    [
        (factory.answer_all, ["There is nothing left for you to judge: you are done."]),
        (lambda judge: factory.act(SetPause, judge, is_paused=True), ["The organiser has paused your judging."]),
        (turn_away, ["you cannot judge in this campaign", "Read why"]),
        (
            lambda judge: states.close_campaign(judge.campaign),
            ["This campaign has ended, and nothing more is asked of you."],
        ),
    ],
    ids=["done", "paused", "turned away", "ended"],
)
def test_the_outlook_of_a_judge(campaign, ada, judge_page, act, sentences):
    act(ada)
    is_told(judge_page, campaign, *sentences)


def test_the_outlook_before_a_campaign_has_begun_and_after_a_dismissal(db, browser_of):
    campaign = factory.make_campaign()
    client = browser_of(factory.judge(campaign, "ada").user)
    is_told(client, campaign, "This campaign has not begun yet", "Come back later")
    campaign = factory.open_verdicts()
    eve = factory.judge(campaign, "eve")
    states.close_campaign(campaign)
    assert "is saved" not in text_of(browser_of(eve.user), "campaign", campaign.slug), "who came after the end"
    exclusion.exclude(eve, "too many wrong")
    is_told(browser_of(eve.user), campaign, "There are no more screens for you in this campaign.")


@pytest.mark.postgresql
def test_the_outlook_while_others_hold_the_rest(ada, ben, campaign, judge_page):
    Assignment.objects.filter(round=1).delete()
    claiming.claim_next(ben)
    Assignment.objects.filter(batch=ben.assignment_set.get().batch, judge=None).update(
        judge=ben, claimed_at=timezone.now(), leased_until=timezone.now() + campaign.lease
    )
    factory.answer_all(ada)
    is_told(judge_page, campaign, "There is nothing for you to judge right now.", "look in again later")
    Campaign.objects.update(one_domain_a_day=True)
    is_told(judge_page, campaign, "There is nothing more for you today.")


def test_the_list_of_campaigns_says_what_comes_next(db):
    olga = User.objects.create_user("olga", is_staff=True)

    def next_of(campaign: Campaign) -> str:
        return next(run.next_step[0] for run in overview.runs_of(olga) if run.campaign == campaign)

    empty = Campaign.objects.create(slug="empty", name="Empty")
    texts = factory.make_campaign()
    opened = factory.open_campaign(redundancy=1)
    for campaign in (empty, texts, opened):
        settings.make_organiser(campaign, "olga")
    assert [next_of(campaign) for campaign in (empty, texts, opened)] == ["material", "screens", ""]
    factory.answer_all(factory.judge(opened, "ada"))
    assert next_of(opened) == "report_list"
    Report.objects.create(campaign=opened, state="done", is_interim=True, started_at=timezone.now())
    assert next_of(opened) == "report_list"
    Report.objects.update(is_interim=False)
    assert next_of(opened) == ""
    Report.objects.update(started_at=opened.opened_at)
    assert next_of(opened) == "report_list", "judgments came after it"
    table = b"segmentId,judgeId,system1Id,system1rank,system2Id,system2rank\n1,dan,Heron,1,Wren,2\n"
    bring_in(texts, "pairs.csv", table, "pairs-csv", numbered_from=1)
    assert next_of(texts) == "report_list"
