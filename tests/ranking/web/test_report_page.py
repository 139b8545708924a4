"""Charts where people meet them: on the page of a report, as files, in the ZIP."""

import io
import re
import zipfile

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from judgments.charts.svg import to_svg
from judgments.jobs.attempts import run_now
from judgments.models import Alarm, Campaign
from ranking.charts.shown_tables import words_for
from ranking.models import Report, ReportTable
from ranking.numbers.tables import Table
from ranking.reports import building, downloads
from ranking.reports.kinds.comparisons import COMPARISONS
from ranking.reports.kinds.kind import answer_of
from ranking.stats.comparisons.study import PRESETS
from tests import factory
from tests.ranking.charts.cast import HOSTILE, tables

QUICK = PRESETS["recommended"].with_changes(replicates=200)


@pytest.fixture(scope="module")
def made(lasting) -> Report:
    with lasting():
        campaign = factory.open_campaign()
        for name in ("ada", "ben"):
            factory.answer_all(factory.judge(campaign, name))
        report = building.request_report(campaign, parameters=QUICK)
        run_now(report)
        return report


@pytest.fixture
def report(made, db) -> Report:
    return Report.objects.get(pk=made.pk)


@pytest.fixture
def campaign(report) -> Campaign:
    return report.campaign


def test_the_answer_comes_first_then_what_to_paste_then_chapters(report, olga, browser_of):
    page = browser_of(olga).get(reverse("report", args=[report.pk])).content.decode()
    answer = COMPARISONS.answer(downloads.tables_of(report), report.parameters)
    parts = [f">{answer.sentence}</h1>", "You may say", "You may not say", "<h2>Text for your paper", "Appendix"]
    assert sorted(parts, key=page.index) == parts
    assert "hold, at 95% and for each system alone, for other sentences of the same kind, judged by" in page
    assert page.count(" open>") == 0
    chapters = re.findall(r'<div id="([\w-]+)">', page)
    assert chapters[-1] == "files"
    assert {"methods", "uncertainty", "head-to-head", "judges", "judged"} <= set(chapters)


def test_excluded_judges_stand_before_the_ranking_and_in_the_text_for_a_paper(report, olga, browser_of):
    rule = "Judges who take less than 2 seconds are excluded."
    Report.objects.filter(pk=report.pk).update(
        exclusion={"rule": rule, "excluded": 1, "by_rule": 1, "by_hand": 0, "included_by_hand": 0}
    )
    page = browser_of(olga).get(reverse("report", args=[report.pk])).content.decode()
    assert "1 of 3 judges was excluded by the rule." in page.partition('id="ranking"')[0]
    report.refresh_from_db()
    paper = answer_of(report, downloads.tables_of(report)).paper.files()["paper.md"]
    assert f"{rule} In all, 1 of 3 judges was excluded by the rule." in paper
    Report.objects.filter(pk=report.pk).update(exclusion={})
    report.refresh_from_db()
    assert "No judge was excluded." in answer_of(report, downloads.tables_of(report)).paper.methods
    report.exclusion = {"included_by_hand": 2}
    said = "No judge was excluded. The organisers included 2 judges again."
    assert said in answer_of(report, downloads.tables_of(report)).paper.methods


def test_the_list_of_campaigns_leads_to_the_newest_report_of_each(report, olga, browser_of, no_worker):
    made = browser_of(olga).get(reverse("home")).content.decode()
    assert f'<a href="{report.get_absolute_url()}">{report.finished_at:%-d %b %Y %H:%M}</a>' in made
    later = building.request_report(report.campaign)
    assert (
        f'<a href="{later.get_absolute_url()}">being made</a>' in browser_of(olga).get(reverse("home")).content.decode()
    )


def test_judges_who_need_a_look_are_named_above_the_numbers_with_what_they_change(report, olga, browser_of):
    def page() -> str:
        return browser_of(olga).get(reverse("report", args=[report.pk])).content.decode()

    assert "a look." not in page()
    judge = report.campaign.membership_set.get(pseudonym="ada")
    Alarm.objects.create(judge=judge, kind="ties", figures={"same": 14, "screens": 14}, first=1, last=14)
    assert "1 of 2 judges needs a look. Without ada, " in page().partition('id="ranking"')[0]


def test_a_report_is_interim_while_judging_goes_on_unless_one_may_look_at_any_time(report, olga, browser_of):
    address, words = reverse("report", args=[report.pk]), "so this report is interim"
    done = browser_of(olga).get(address).content.decode()
    overview = reverse("organise", args=[report.campaign.slug])
    assert f'is judged. <a href="{overview}">Close the campaign</a>, then make the report again.</p>' in done
    assert words not in done
    Campaign.objects.update(later_screens=1)
    assert words in browser_of(olga).get(address).content.decode()
    Report.objects.update(parameters=report.parameters | {"looks": "any-time"})
    assert words not in browser_of(olga).get(address).content.decode()
    Report.objects.update(parameters=report.parameters)
    Campaign.objects.update(state=Campaign.State.CLOSED)
    assert words not in browser_of(olga).get(address).content.decode()


def test_every_chart_has_its_sentence_and_its_numbers_behind_a_switch(report, olga, browser_of):
    page = browser_of(olga).get(reverse("report", args=[report.pk])).content.decode()
    charts = COMPARISONS.charts_of(downloads.tables_of(report))
    assert "head_to_head" in charts
    for chart in charts.values():
        assert f'href="{chart.name}.svg"' in page
        if not chart.name.startswith("forest"):  # its numbers and their plot are one table
            assert page.count(chart.svg) == 1
            assert page.count(f'name="{chart.name}" class="as-numbers"') == 1
            assert [page.count(f'aria-label="Numbers: {words_for(table)}"') for table in chart.tables] == [1] * len(
                chart.tables
            )
    assert '<th scope="col" class="number" title="p_value in head_to_head.csv">p</th>' in page


def test_a_method_that_could_not_rank_and_a_hostile_name_are_text_on_the_page(report, olga, browser_of):
    refused = Table.of("standings_refused", ("reason",), [("TrueSkill: too few <judgments>.",)])
    ReportTable.of(report, refused).save()
    page = browser_of(olga).get(reverse("report", args=[report.pk])).content.decode()
    assert "TrueSkill: too few &lt;judgments&gt;." in page
    row = ReportTable.objects.get(report=report, name="standings")
    ReportTable.objects.filter(pk=row.pk).update(rows=row.rows.replace("Heron", HOSTILE[:30].replace('"', "'")))
    page = browser_of(olga).get(reverse("report", args=[report.pk])).content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


@pytest.mark.wide
def test_a_large_report_asks_no_more_questions_and_leaves_long_tables_to_the_file(report, olga, browser_of):
    client, address = browser_of(olga), reverse("report", args=[report.pk])
    client.get(address)
    with CaptureQueriesContext(connection) as small:
        client.get(address)
    report.reporttable_set.all().delete()
    names = ([f"{of} {number}" for number in range(many)] for of, many in (("System", 50), ("judge", 20), ("m", 10)))
    for table in tables(*names).values():
        ReportTable.of(report, table).save()
    with CaptureQueriesContext(connection) as large:
        page = client.get(address).content.decode()
    assert len(large) == len(small)
    assert "These are the first 200 of 2450 rows; the CSV has all." in page


def test_a_chart_can_be_taken_along_and_is_in_the_zip(report, olga, zoe, browser_of):
    client = browser_of(olga)
    answer = client.get(reverse("report_file", args=[report.pk, "head_to_head.svg"]))
    assert answer["Content-Type"] == "image/svg+xml"
    assert answer["Content-Disposition"].startswith("attachment")
    charts = COMPARISONS.charts_of(downloads.tables_of(report))
    assert answer.content.decode() == to_svg(charts["head_to_head"])
    with zipfile.ZipFile(
        io.BytesIO(client.get(reverse("report_zip", args=[report.pk]) + "?tables=all").content)
    ) as archive:
        assert {f"{name}.svg" for name, chart in charts.items() if chart.svg} <= set(archive.namelist())
        assert archive.read("head_to_head.svg") == answer.content
    for name in ("nothing.svg", "standings.svg", "report.svg"):
        assert client.get(f"/reports/{report.pk}/{name}").status_code == 404
    address = reverse("report_file", args=[report.pk, "head_to_head.svg"])
    assert browser_of(zoe).get(address).status_code == 404, "strangers see no chart"
