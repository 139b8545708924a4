"""A judge's progress: on the list of campaigns, on a campaign's page, after a batch."""

import html
import re

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from judgments.assignment import claiming
from judgments.campaigns import overview, settings
from judgments.judging import progress
from judgments.models import Membership
from tests import factory

pytestmark = pytest.mark.postgresql


@pytest.fixture
def judge_page(ada, browser_of):
    return browser_of(ada.user)


def text_of(client, name: str, *args) -> str:
    return html.unescape(
        " ".join(re.sub(r"<[^>]+>", " ", client.get(reverse(name, args=args)).content.decode()).split())
    )


def test_progress_is_shown_within_the_batch_and_in_total(campaign, ada, judge_page):
    assert "You have not judged anything yet." in text_of(judge_page, "campaign", campaign.slug)
    factory.answer(claiming.claim_next(ada))
    claiming.claim_next(ada)
    assert "You have judged 1 screen, 1 of 3 in the batch you began." in text_of(judge_page, "campaign", campaign.slug)
    factory.judge_batch(ada)
    assert "You have judged 3 screens. " in text_of(judge_page, "campaign", campaign.slug)


def test_all_campaigns_are_listed_with_their_progress(campaign, ada, olga, browser_of):
    other = factory.open_campaign(name="Another one")
    Membership.objects.create(campaign=other, user=ada.user, role="judge", pseudonym="ada")
    factory.judge_batch(ada)
    parts = {part.campaign: part for part in progress.parts_of(ada.user)}
    assert (parts[campaign].judged, parts[campaign].batches) == (3, 1)
    assert (parts[other].judged, parts[other].batches) == (0, 0)
    assert not progress.parts_of(olga)


def test_an_organiser_sees_the_progress_of_their_campaigns(campaign, ada, olga, browser_of):
    factory.judge_batch(ada)
    other = factory.open_campaign()
    (run,) = overview.runs_of(olga)
    assert (run.campaign, run.assignments, run.done, run.judges_today) == (campaign, 10, 3, 1)
    assert run.last is not None
    page = text_of(browser_of(olga), "home")
    assert "3 of 10" in page
    assert "A new campaign" in page
    assert "A new campaign" not in text_of(browser_of(ada.user), "home")
    everything = overview.runs_of(User.objects.create_superuser("operator"))
    assert {one.campaign for one in everything} == {campaign, other}


def test_the_list_of_campaigns_asks_a_fixed_number_of_questions(campaign, ada, browser_of, django_assert_num_queries):
    client = browser_of(ada.user)
    for _ in range(2):
        with django_assert_num_queries(7):
            client.get(reverse("home"))
        other = factory.open_campaign()
        Membership.objects.create(campaign=other, user=ada.user, role="judge", pseudonym="ada")


def test_after_a_batch_come_thanks_and_the_way_on(campaign, ada, judge_page):
    factory.judge_batch(ada)
    page = text_of(judge_page, "thanks", campaign.slug)
    assert "You have finished a batch of 3 screens." in page
    assert "Go on with another batch" in page
    assert "code" not in page


def test_a_code_comes_with_the_way_back_to_the_platform(campaign, ada, judge_page):
    back = "https://app.example.org/done?cc={code}&s={SESSION_ID}"
    settings.configure(campaign, completion_code="C1A2", return_address=back, batches_per_judge=1)
    Membership.objects.filter(pk=ada.pk).update(platform={"SESSION_ID": "s1"})
    factory.judge_batch(ada)
    page = text_of(judge_page, "thanks", campaign.slug)
    assert "Your code is C1A2" in page
    assert "You have reached the limit for one judge." in page
    raw = judge_page.get(reverse("thanks", args=[campaign.slug])).content.decode()
    assert 'href="https://app.example.org/done?cc=C1A2&amp;s=s1"' in raw
    assert "code C1A2" in text_of(judge_page, "campaign", campaign.slug)


def test_no_code_is_shown_before_a_batch_is_finished(campaign, ada, judge_page):
    settings.configure(campaign, completion_code="C1A2")
    factory.answer(claiming.claim_next(ada))
    for name in ("thanks", "campaign"):
        assert "C1A2" not in text_of(judge_page, name, campaign.slug)
