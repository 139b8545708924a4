"""Plans of analysis: fixed once, written as one page, set beside reports."""

from datetime import date

import pytest
from django.urls import reverse

from judgments.jobs.attempts import run_now
from judgments.judges import exclusion, programs
from judgments.models import JournalEntry
from judgments.rules.errors import Refused
from ranking.models import AnalysisPlan, Report
from ranking.reports import building, plans
from ranking.sequential.stopping import course_of
from ranking.stats.comparisons.study import PRESETS
from ranking.stats.verdicts.study import PRESETS as OF_VERDICTS
from tests import factory
from tests.judgments.exchange.importing import bring_in
from tests.judgments.exchange.test_importing_rankings import XML
from tests.program import Program, refused

QUICK = PRESETS["recommended"].with_changes(replicates=200, folds="none")
PLAN = {"wanted": "5", "stopping": "When Ada has judged all.", "preset": "recommended", "delta": "0.03"}


@pytest.fixture
def client(olga, browser_of):
    return browser_of(olga)


def address(campaign) -> str:
    return reverse("analysis_plan", args=[campaign.slug])


def fixed(campaign, olga, parameters=QUICK, wanted: int = 5) -> AnalysisPlan:
    return plans.fix_plan(campaign, olga, "recommended", parameters, wanted, "When Ada has judged all.")


def text_of(client, plan: AnalysisPlan) -> str:
    return client.get(reverse("plan_file", args=[plan.campaign.slug, plan.pk])).content.decode()


def page_of_report(client, campaign, parameters=QUICK) -> str:
    report = building.request_report(campaign, parameters=parameters)
    run_now(report)
    return " ".join(client.get(report.get_absolute_url()).content.decode().split())


def test_a_plan_is_fixed_and_downloaded_as_one_page(client, campaign):
    assert "No plan is fixed yet" in client.get(address(campaign)).content.decode()
    assert "This field is required" in client.post(address(campaign), PLAN | {"wanted": ""}).content.decode()
    assert not AnalysisPlan.objects.exists()
    answer = client.post(address(campaign), PLAN, follow=True)
    assert "The plan is fixed." in answer.content.decode()
    plan = AnalysisPlan.objects.get()
    assert (plan.wanted, plan.judgments, plan.parameters["delta"]) == (5, 0, 0.03)
    text = text_of(client, plan)
    unit = "the broadest for which there are enough judges: sentence and judge from 5 judges on, otherwise sentence"
    for line in (" UTC, before the first judgment.", "- after 5 judgments", "- When Ada has judged all.",
                 "- delta: 0.03", f"- unit: {unit}\n", "- level: 0.95", "- judges per screen: 2",
                 "pilot: no\n"):  # fmt: skip
        assert line in text
    assert len(text.splitlines()) < 50
    assert "preregistration" not in text
    assert "fixed a plan of analysis" in JournalEntry.objects.first().what


def test_a_program_fixes_the_plan_that_the_page_would(client, campaign, olga):
    client.post(address(campaign), PLAN | {"methods": ["bradley-terry"], "level": ".9"})
    program = Program(programs.token_of("olga"))
    changes = ["delta=0.03", "methods=bradley-terry", "level=0.9"]
    wanted = {name: PLAN[name] for name in ("wanted", "stopping", "preset")} | {"changes": changes}
    fixing = reverse("api_fix_plan", args=[campaign.slug])
    assert program.post(fixing, wanted).json()["message"] == plans.FIXED
    one, other = AnalysisPlan.objects.all()
    assert plans.markdown_of(one).splitlines()[3:] == plans.markdown_of(other).splitlines()[3:]
    for faulty, why in {
        "delta": "'delta' is not like NAME=VALUE, such as level=0.9.", "delta=x": "'delta=x' is not like NAME=VALUE",
        "sign=+": "A report has no sign; it has", "level=1": "The level must lie between 0.5 and 0.9999",
    }.items():  # fmt: skip
        assert why in refused(program.post(fixing, wanted | {"changes": [faulty]}), 400)
    assert "no preset 'best'" in refused(program.post(fixing, wanted | {"preset": "best"}), 400)
    assert AnalysisPlan.objects.count() == 2


@pytest.mark.wide
def test_a_plan_fixed_after_judgments_or_reports_says_that_it_is_no_preregistration(client, campaign, olga, ada):
    early = fixed(campaign, olga)
    assert "preregistration" not in client.get(address(campaign)).content.decode()
    factory.answer_all(ada)
    assert "There are already 5 judgments. A plan fixed now is not a" in client.get(address(campaign)).content.decode()
    run_now(building.request_report(campaign, parameters=QUICK))
    building.request_report(campaign, parameters=QUICK)
    exclusion.exclude(ada, "in a hurry")
    late = fixed(campaign, olga)
    known = "after 5 judgments and 1 report"
    assert f" UTC, {known}. This is not a preregistration." in text_of(client, late)
    page = client.get(address(campaign)).content.decode()
    assert f"{known}. This is not a preregistration." in page
    assert "before the first judgment." in text_of(client, early)


@pytest.mark.postgresql
def test_a_plan_has_no_line_on_what_does_not_apply(client, campaign, olga, db):
    text = text_of(client, fixed(campaign, olga))
    for name in ("delta", "weights", "folds"):
        assert f"- {name}: " not in text
    assert "- versions per screen: 5" in text
    verdicts = factory.open_verdicts()
    plan = plans.fix_plan(verdicts, olga, "recommended", OF_VERDICTS["recommended"], 5, "When all is judged.")
    assert "versions per screen" not in plans.markdown_of(plan)
    assert "- judges per screen: " in plans.markdown_of(plan)
    imported = factory.make_campaign()
    bring_in(imported, "judgments.xml", XML.encode(), "appraise-xml")
    text = plans.markdown_of(fixed(imported, olga))
    assert "- judgments: imported" in text
    assert "versions per screen" not in text


def test_a_report_says_that_its_plan_was_kept(client, campaign, olga, ada):
    assert "plan of analysis" not in page_of_report(client, campaign)
    fixed(campaign, olga)
    assert plans.kept_plan_of(Report.objects.get(), {}) is None, "it was fixed after that report"
    factory.answer_all(ada)
    page = page_of_report(client, campaign)
    assert "was kept: all planned judgments were made. It was fixed before the first judgment." in page


@pytest.mark.wide
def test_a_report_says_how_it_departs_from_its_plan(client, campaign, olga, ada):
    fixed(campaign, olga)
    factory.answer_all(ada)
    page_of_report(client, campaign)
    fixed(campaign, olga, QUICK.with_changes(level=0.9), wanted=9)
    page = page_of_report(client, campaign, QUICK.with_changes(level=0.9, methods=("bradley-terry",)))
    assert "methods: bradley-terry instead of expected-wins, bradley-terry; 5 of 9 planned judgments" in page
    known = "after 5 judgments and 1 report, so it is not a preregistration, and replaced 1 earlier plan."
    assert f"It was fixed {known}" in page
    assert "The ranking to cite: Bradley-Terry with ties</strong>, as chosen for this report." in page
    assert "fixed after 5 judgments, judging ends after 9 judgments; or When Ada has judged all." in page
    assert "The analysis departs from this plan in methods." in page


def test_a_plan_counts_at_least_the_judgments_that_there_are(client, campaign, olga, ada):
    factory.answer_all(ada)
    page = client.post(address(campaign), PLAN | {"wanted": "4"}).content.decode()
    assert "Reports count 5 judgments already; plan for so many at least." in page
    assert not AnalysisPlan.objects.exists()
    client.post(address(campaign), PLAN | {"stopping": ""})
    building.request_report(campaign, parameters=QUICK.with_changes(delta=0.03))
    (only,) = course_of(Report.objects.get())
    assert only.endswith(
        ", fixed after 5 judgments, judging ends after 5 judgments. The analysis departs from this plan in replicates "
        "and folds."
    )


def test_only_organisers_see_a_plan(campaign, olga, ada, browser_of, zoe):
    plan = fixed(campaign, olga)
    for person in (ada.user, zoe):
        for page in (address(campaign), reverse("plan_file", args=[campaign.slug, plan.pk])):
            assert browser_of(person).get(page).status_code in (403, 404)


@pytest.mark.wide
def test_a_goal_is_looked_for_at_any_time(client, campaign, olga, ada, ben):
    late = PLAN | {"goal": "best", "until": "2020-01-31", "wanted": "1000", "stopping": ""}
    assert "31 January 2020, has passed; choose a later one." in client.post(address(campaign), late).content.decode()
    client.post(address(campaign), late | {"until": "2099-01-31"})
    plan = AnalysisPlan.objects.get()
    assert plan.parameters["looks"] == "any-time"
    assert "- on 31 Jan 2099\n- when the best system is known, by intervals that hold" in text_of(client, plan)
    factory.answer_all(ada)
    AnalysisPlan.objects.update(until=date(2020, 1, 31))
    page = page_of_report(client, campaign, PRESETS["recommended"].with_changes(looks="any-time", delta=0.03))
    assert "was kept: the last day had passed." in page
    answer = client.post(address(campaign), PLAN | {"goal": "best", "preset": "grundkiewicz2015", "delta": ""})
    assert "choose another preset" in answer.content.decode()
    verdicts = factory.open_verdicts()
    with pytest.raises(Refused, match="choose no goal"):
        plans.fix_plan(verdicts, olga, "recommended", OF_VERDICTS["recommended"], 5, goal="best")
