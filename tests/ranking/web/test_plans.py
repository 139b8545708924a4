"""Plans of analysis: fixed once, written as one page, set beside reports."""

import pytest
from django.urls import reverse

from judgments.jobs.attempts import run_now
from judgments.models import JournalEntry
from ranking.models import AnalysisPlan
from ranking.reports import building, plans
from ranking.stats.comparisons.parameters import PRESETS
from tests import factory

pytestmark = pytest.mark.postgresql

QUICK = PRESETS["recommended"].changed(replicates=200, folds="none")
PLAN = {"wanted": "5", "stopping": "When Ada has judged all.", "preset": "recommended", "delta": "0.03"}


@pytest.fixture
def client(olga, browser_of):
    return browser_of(olga)


def address(campaign) -> str:
    return reverse("analysis_plan", args=[campaign.slug])


def fixed(campaign, olga, parameters=QUICK, wanted: int = 5) -> AnalysisPlan:
    return plans.fix_plan(campaign, olga, "recommended", parameters, wanted, "When Ada has judged all.")


def page_of_report(client, campaign, parameters=QUICK) -> str:
    report = building.request_report(campaign, parameters=parameters)
    run_now(report)
    return " ".join(client.get(report.get_absolute_url()).content.decode().split())


def test_a_plan_is_fixed_and_downloaded_as_one_page(client, campaign):
    assert "No plan is fixed yet" in client.get(address(campaign)).content.decode()
    answer = client.post(address(campaign), PLAN, follow=True)
    assert "The plan is fixed." in answer.content.decode()
    plan = AnalysisPlan.objects.get()
    assert (plan.wanted, plan.judgments, plan.parameters["delta"]) == (5, 0, 0.03)
    text = client.get(reverse("plan_file", args=[campaign.slug, plan.pk])).content.decode()
    for line in ("with no judgment made.", "- after 5 judgments", "- When Ada has judged all.", "- delta: 0.03",
                 "- unit: broadest", "- level: 0.95", "- redundancy: 2"):  # fmt: skip
        assert line in text
    assert len(text.splitlines()) < 50
    assert "fixed plan of analysis" in JournalEntry.objects.first().what


@pytest.mark.parametrize("missing", ["wanted", "stopping"])
def test_a_plan_needs_a_number_and_an_end(client, campaign, missing):
    assert "This field is required" in client.post(address(campaign), PLAN | {missing: ""}).content.decode()
    assert not AnalysisPlan.objects.exists()


def test_a_report_says_that_its_plan_was_kept(client, campaign, olga, ada):
    assert "plan of analysis" not in page_of_report(client, campaign)
    fixed(campaign, olga)
    factory.judge_all(ada)
    page = page_of_report(client, campaign)
    assert "was kept. It was fixed before the first judgment." in page


def test_a_report_says_how_it_departs_from_its_plan(client, campaign, olga, ada):
    fixed(campaign, olga)
    factory.judge_all(ada)
    fixed(campaign, olga, QUICK.changed(level=0.9), wanted=9)
    page = page_of_report(client, campaign, QUICK.changed(level=0.9, methods=("bradley-terry",)))
    assert "methods is bradley-terry, planned was expected-wins, bradley-terry; 5 of 9 planned judgments" in page
    assert "It was fixed after 5 judgments, and replaced 1 earlier plan." in page


def test_a_plan_fixed_after_a_report_says_nothing_about_it(client, campaign, olga, ada):
    factory.judge_all(ada)
    report = building.request_report(campaign, parameters=QUICK)
    run_now(report)
    fixed(campaign, olga)
    assert plans.beside(report) is None


def test_only_organisers_see_a_plan(campaign, olga, ada, browser_of, zoe):
    plan = fixed(campaign, olga)
    for person in (ada.user, zoe):
        for page in (address(campaign), reverse("plan_file", args=[campaign.slug, plan.pk])):
            assert browser_of(person).get(page).status_code in (403, 404)
