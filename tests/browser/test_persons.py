"""Personal data on pages: what a judge sees, downloads and deletes, and how an organiser erases a judge."""

import json
import re
from zipfile import ZipFile

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Page, expect

from judgments.models import Judgment, Membership
from tests import factory
from tests.browser.axe import check_with_axe
from tests.browser.entrance import join


@pytest.fixture
def dan(page, campaign) -> Membership:
    """A judge who came by a link, in this browser, and answered everything."""
    join(page, campaign)
    judge = campaign.membership_set.get()
    factory.answer_all(judge)
    return judge


@pytest.fixture
def at_your_data(page, dan) -> Page:
    """The page that every judge finds from the first one."""
    page.goto("/")
    page.get_by_role("link", name="Your data").first.click()
    expect(page.get_by_text("as dan")).to_be_visible()
    return page


def test_a_judge_takes_everything_along(at_your_data, dan):
    with at_your_data.expect_download() as download:
        at_your_data.get_by_role("link", name="Download all of it").click()
    assert download.value.suggested_filename == "your-data.zip"
    with ZipFile(download.value.path()) as file:
        judgments = json.loads(file.read("judgment.json"))
    assert len(judgments) == Judgment.objects.filter(assignment__judge=dan).count() > 0


def test_a_judge_is_forgotten_and_the_answers_stay(at_your_data, dan):
    before = Judgment.objects.count()
    forget = at_your_data.get_by_role("button", name="Forget me")
    forget.click()  # a browser says that the box has to be ticked, and sends nothing
    expect(forget).to_be_visible()
    at_your_data.get_by_label("I want to be forgotten").check()
    forget.click()
    expect(at_your_data).to_have_url(re.compile("/your-data/forgotten/"))
    expect(at_your_data.get_by_text("Your name has been removed from this site")).to_be_visible()
    expect(at_your_data.get_by_text("close this window")).to_be_visible()
    expect(at_your_data.get_by_text("open the link in your invitation")).to_have_count(0)
    check_with_axe(at_your_data)
    at_your_data.goto("/your-data/")
    expect(at_your_data).to_have_url(re.compile("/sign-in/"))
    dan.refresh_from_db()
    assert "dan" not in dan.pseudonym
    assert Judgment.objects.count() == before


def test_an_organiser_forgets_a_judge_by_typing_the_name(page, campaign, ada, sign_in):
    factory.answer_all(ada)
    sign_in(User.objects.create_superuser("operator"))
    page.goto(reverse("forget_judge", args=[campaign.slug, ada.pk]))
    forget = page.get_by_role("button", name="Forget ada for good")
    page.get_by_label("Name of the judge").fill("adam")
    forget.click()
    expect(page.locator("main .errorlist")).to_contain_text("ada")
    page.get_by_label("Name of the judge").fill("ada")
    forget.click()
    expect(page.get_by_text("the judgments stay")).to_be_visible()
    expect(page.locator("main")).not_to_contain_text("ada")
