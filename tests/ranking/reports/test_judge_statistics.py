"""What a report says of single judges stands in the table of judges."""

import pytest
from django.template.defaultfilters import floatformat
from django.urls import reverse

from judgments.jobs.attempts import run_now
from judgments.judges import exclusion, programs
from judgments.models import JudgeStatistics, Membership
from ranking.reports import boards, downloads
from ranking.stats.choices import EVERYBODY
from tests import factory
from tests.ranking.reports.test_reports import QUICK, made


@pytest.fixture
def judged(campaign, ada, ben):
    """Both have judged everything; Ben sees it the other way round."""
    factory.answer_all(ada)
    factory.answer_all(ben)
    return campaign


def figures_of(judge: Membership) -> tuple:
    statistics = JudgeStatistics.objects.get(judge=judge)
    return statistics.others_kappa, statistics.self_kappa, statistics.position_p_value


@pytest.mark.wide
def test_a_report_leaves_what_it_says_of_each_judge(judged, ada, ben):
    report = made(judged)
    tables = downloads.tables_of(report)
    rest = {line["judge"]: line["kappa"] for line in tables["agreement"].dicts() if line["kind"] == "rest"}
    lines = {line["judge"]: line for line in tables["judges"].dicts()}
    assert set(rest) == {"ada", "ben"}
    for judge in (ada, ben):
        line = lines[judge.pseudonym]
        assert figures_of(judge) == (rest[judge.pseudonym], line["self_kappa"], line["position_p_value"])
    assert JudgeStatistics.objects.get(judge=ada).compared_at == report.started_at
    before = figures_of(ada)
    exclusion.apply_rule(judged)
    assert figures_of(ada) == before


@pytest.mark.wide
def test_the_live_board_and_reports_on_programs_say_nothing_of_judges(judged, ada, olga, browser_of):
    interim = boards.refresh(judged)
    run_now(interim)
    way = reverse("judges_in_report", args=[judged.slug])
    assert browser_of(olga).get(way).url == reverse("report_list", args=[judged.slug])
    programs.enrol(judged, "robin")
    robin = Membership.objects.get(pseudonym="robin")
    for assignment in programs.claim(robin, 5):
        factory.answer(assignment)
    made(judged, QUICK.with_changes(judged_by=EVERYBODY))
    assert figures_of(ada) == (None, None, None)


@pytest.mark.wide
def test_the_page_of_a_judge_shows_it_with_the_date(judged, ada, olga, browser_of):
    client, page = browser_of(olga), reverse("judge", args=[judged.slug, ada.pk])
    assert "Make a report</a> to see the agreement" in client.get(page).content.decode()
    made(judged)
    shown = client.get(page).content.decode()
    assert "that of the report made" in shown
    assert floatformat(JudgeStatistics.objects.get(judge=ada).others_kappa, 2) in shown
