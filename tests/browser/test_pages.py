"""All pages in a real browser: accessible, within their policy, light and dark, and never running what is uploaded."""

import json
import re
from zipfile import ZipFile

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from judgments.assignment import claiming
from judgments.campaigns import settings
from judgments.exchange.importers.rules.recorded import ImportOptions
from judgments.jobs.attempts import run_now
from judgments.judges import invitations
from judgments.material import uploads
from judgments.material.rules.reading import Roles
from judgments.models import Campaign, Judgment, System, Upload, heartbeats
from judgments.rules.files.text_files import UploadedFile
from ranking.models import Report
from ranking.reports import building
from tests import factory
from tests.browser.axe import check_with_axe
from tests.browser.entrance import join

ORGANISING = (
    "organise", "material", "screens", "judges", "board", "metrics", "report_list", "exports", "settings", "journal",
    "delete_campaign", "preview", "programs", "import_judgments", "submissions", "disputes", "organisers", "mail_links",
    "consents", "power",
)  # fmt: skip
LONG = "Tohoku-NICT-transformer-big-ensemble-finetuned-on-the-shared-task"


def nothing_in_it() -> Campaign:
    """A campaign that was just made."""
    return settings.configure(Campaign(slug="empty", name="Empty"))


def everything_in_it() -> Campaign:
    """Twenty systems and a judge with names as long as can be, and a report on them."""
    systems = {f"{LONG}-{number}": factory.SYSTEMS["Heron"] for number in range(18)}
    campaign = factory.open_campaign({"source": factory.SOURCE, **factory.SYSTEMS, **systems}, name=f"{LONG} " * 3)
    judge = factory.judge(campaign, LONG.replace("-", "")[:50])
    factory.answer_all(judge)
    invitations.invite(campaign, [f"{LONG[:40]}@example.org"])
    run_now(building.request_report(campaign))
    return campaign


@pytest.fixture
def operator(campaign) -> User:
    return User.objects.create_superuser("operator")


@pytest.fixture
def addresses(campaign, operator, ada) -> list[str]:
    """Every page of the platform with something on it."""
    judge = factory.judge(campaign, "dan")
    judge.user = operator
    judge.save()
    assignment = claiming.claim_next(judge)
    factory.answer_all(ada)
    done, later, waiting, failed = (building.request_report(campaign) for _ in range(4))
    run_now(done)
    factory.answer_all(factory.judge(campaign, "ben"))
    run_now(later)
    over = {"state": "failed", "error": "There was a reason.", "finished_at": timezone.now()}
    type(failed).objects.filter(pk=failed.pk).update(**over)
    heartbeats.beat(LONG, "short, long")
    (invitation,) = invitations.invite(campaign, ["eve"])
    shared = invitations.share(campaign, 5)
    submission = factory.submission(campaign)
    texts = {"consent": "You *agree*.", "tutorial": factory.TUTORIAL, "questions": factory.QUESTIONS}
    settings.configure(campaign, **texts, completion_code="C1", return_address="https://example.org/{code}")
    texts = ({"Plover": factory.SOURCE}, {"x y": ["a"]}, {"Plover": factory.SOURCE})
    good, bad, queued = (uploads.upload_files(campaign, operator, factory.upload(files), Roles()) for files in texts)
    ranked = b"segmentId,judgeId,system1Id,system1rank,system2Id,system2rank\n0,eve,Heron,1,Magpie,2\n"
    judgments = [
        uploads.upload_files(
            campaign,
            operator,
            [UploadedFile("j.csv", ranked)],
            ImportOptions("pairs-csv", base),
            Upload.Purpose.JUDGMENTS,
        )
        for base in (0, None)
    ]
    for upload in (good, bad, *judgments):
        run_now(upload)
    preparing = ("consent", "tutorial", "questions", "thanks", "differences")
    slugs = [reverse(name, args=[campaign.slug]) for name in ("campaign", *ORGANISING, *preparing)]
    handed_in = [upload.get_absolute_url() for upload in (good, bad, queued, *judgments)]
    shown = [reverse("report", args=[report.pk]) for report in (done, waiting, failed)]
    return [
        "/",
        "/sign-in/",
        "/nowhere/",
        "/campaigns/new/",
        "/operation/",
        "/your-data/",
        "/help/",
        *(reverse(name, args=[campaign.slug, judge.pk]) for name in ("judge", "forget_judge")),
        f"/join/{invitation.token}/",
        f"/join/shared/{shared.token}/",
        f"/teams/{submission.team.token}/",
        reverse("assignment", args=[assignment.pk]),
        reverse("adjudicate", args=[campaign.slug, assignment.screen_id]),
        *slugs,
        *shown,
        *handed_in,
        reverse("system", args=[campaign.slug, System.objects.filter(campaign=campaign)[0].pk]),
        reverse("report_changes", args=[done.pk, later.pk]),
        *(reverse(name, args=[later.pk]) for name in ("report_pairs", "report_judges", "report_metrics")),
    ]


@pytest.mark.long
def test_axe_finds_nothing_on_any_page_and_none_is_wider_than_the_window(page, sign_in, operator, addresses, faults):
    sign_in(operator)
    for address in addresses:
        page.goto(address)
        check_with_axe(page)
        for width in (360, 768, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, address
    faults[:] = [fault for fault in faults if "404" not in fault]  # one address is meant to lead nowhere


@pytest.mark.parametrize("fill", [nothing_in_it, everything_in_it])
def test_no_page_of_an_empty_or_a_crowded_campaign_is_wider_than_a_phone(page, sign_in, operator, fill):
    campaign = fill()
    sign_in(operator)
    page.set_viewport_size({"width": 360, "height": 800})
    for name in ("campaign", *ORGANISING):
        page.goto(reverse(name, args=[campaign.slug]))
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, name


@pytest.mark.walk
def test_a_report_appears_when_it_is_ready(page, sign_in, operator, campaign, ada, no_worker):
    factory.answer_all(ada)
    sign_in(operator)
    page.goto(reverse("report_list", args=[campaign.slug]))
    page.get_by_role("button", name="Make a report").click()
    expect(page.get_by_text("waiting for a worker")).to_be_visible()
    run_now(Report.objects.get(campaign=campaign))
    expect(page.get_by_text("The ranking to cite: Expected Wins")).to_be_visible()


@pytest.mark.walk
def test_scripts_in_texts_and_names_do_not_run(page, sign_in, transactional_db):
    hostile = "<img src=x onerror=document.title='taken'><script>document.title='taken'</script>"
    texts = {"source": [hostile], "Heron": [f"{hostile} !"]}
    campaign = factory.open_campaign(texts, name=hostile, instructions=hostile)
    judge = factory.judge(campaign, "ada")
    assignment = claiming.claim_next(judge)
    sign_in(judge.user)
    for address in ("/", reverse("campaign", args=[campaign.slug]), reverse("assignment", args=[assignment.pk])):
        page.goto(address)
        assert "onerror" in page.content()
        assert page.title() != "taken"
        assert page.locator("img").count() == 0


def test_a_new_campaign_offers_the_presets_of_its_protocol(page, sign_in, operator):
    sign_in(operator)
    page.goto(reverse("new_campaign"))
    offered = "[...document.querySelectorAll('[name=preset_name] option')].filter((one) => !one.matches(':disabled'))"
    values = f"{offered}.map((one) => one.value)"
    assert page.evaluate(values) == ["recommended", "grundkiewicz2015"]
    page.get_by_text("More ways to judge").click()
    page.locator("[name=preset_name]").select_option("grundkiewicz2015")
    page.locator("[name=protocol][value=rating]").check()
    assert page.evaluate(values) == ["recommended", "napoles2019"]
    expect(page.locator("[name=preset_name]")).to_have_value("recommended")


def test_a_judge_takes_everything_along_and_is_forgotten(page, campaign):
    """Somebody who came by a link, in this browser, and answered everything."""
    join(page, campaign)
    dan = campaign.membership_set.get()
    answered = len(factory.answer_all(dan))
    page.goto("/")
    page.get_by_role("link", name="Your data").first.click()
    expect(page.get_by_text("as dan")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download all of it").click()
    assert download.value.suggested_filename == "your-data.zip"
    with ZipFile(download.value.path()) as file:
        assert len(json.loads(file.read("judgment.json"))) == answered
    forget = page.get_by_role("button", name="Forget me")
    forget.click()  # a browser says that the box has to be ticked, and sends nothing
    expect(forget).to_be_visible()
    page.get_by_label("I want to be forgotten").check()
    forget.click()
    expect(page).to_have_url(re.compile("/your-data/forgotten/"))
    expect(page.get_by_text("Your name has been removed from this site")).to_be_visible()
    expect(page.get_by_text("close this window")).to_be_visible()
    expect(page.get_by_text("open the link in your invitation")).to_have_count(0)
    check_with_axe(page)
    page.goto("/your-data/")
    expect(page).to_have_url(re.compile("/sign-in/"))
    dan.refresh_from_db()
    assert "dan" not in dan.pseudonym
    assert Judgment.objects.count() == answered
