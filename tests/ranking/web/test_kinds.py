"""Campaigns with several kinds of reports: those in which judges mark edits and rank versions."""

import pytest
from django.core.management import call_command
from django.urls import reverse

from judgments.jobs.attempts import run_now
from judgments.judges.programs import token_of
from judgments.models import Campaign
from judgments.rules.errors import Refused
from ranking.models import Report
from ranking.reports import building
from ranking.reports.downloads import tables_of
from ranking.stats.comparisons.study import PRESETS
from tests import factory
from tests.program import Program

QUICK = PRESETS["recommended"].with_changes(methods=("expected-wins",), replicates=200, folds="none")


@pytest.fixture
def campaign(db) -> Campaign:
    made = factory.open_campaign(protocol="marking")
    for name in ("ada", "ben"):
        factory.answer_all(factory.judge(made, name))
    return made


def compared(campaign: Campaign) -> Report:
    report = building.request_report(campaign, parameters=QUICK, study="comparisons")
    run_now(report)
    report.refresh_from_db()
    return report


@pytest.mark.wide
def test_ranks_are_compared_by_the_methods_for_rankings_where_there_are_ranks(campaign, no_worker):
    report = compared(campaign)
    assert report.state == Report.State.DONE, report.error
    assert len(tables_of(report)["standings"].rows) == 4
    unranked = factory.open_campaign(protocol="marking", asks_for_ranks=False)
    factory.answer_all(factory.judge(unranked, "ada"))
    report = compared(unranked)
    assert report.state == Report.State.FAILED
    assert report.error.startswith("There are no judgments yet that count")


def test_the_first_kind_is_made_unless_somebody_chooses_another(campaign, no_worker, olga, browser_of):
    assert building.request_report(campaign).study == "edits"
    with pytest.raises(Refused, match="have no report on verdicts; choose from edits, comparisons"):
        building.request_report(campaign, study="verdicts")
    office, address = browser_of(olga), reverse("report_list", args=[campaign.slug])
    page = office.get(address).content.decode()
    assert 'href="?kind=comparisons"' in page
    assert 'name="methods"' not in page
    page = office.get(address, {"kind": "comparisons"}).content.decode()
    assert 'name="methods"' in page
    office.post(reverse("new_report", args=[campaign.slug]) + "?kind=comparisons", {"preset": "recommended"})
    assert Report.objects.first().study == "comparisons"


@pytest.mark.wide
def test_programs_and_commands_choose_a_kind(campaign, olga, no_worker, capsys):
    program, address = Program(token_of(olga.username)), f"/api/campaigns/{campaign.slug}/reports/"
    assert program.post(address, {}).json()["study"] == "edits"
    assert program.post(address, {"study": "comparisons", "replicates": 200}).json()["study"] == "comparisons"
    assert program.post(address, {"study": "verdicts"}).status_code == 409
    call_command(
        "build_report", campaign.slug, "--study", "comparisons", "--method", "expected-wins", "--folds", "none"
    )
    assert Report.objects.first().study == "comparisons"
