"""A report by several workers: the same bytes however it is split, and nothing is lost if a worker is."""

import pytest

from judgments.jobs.attempts import cancel
from judgments.models import Work
from ranking import tasks
from ranking.models import Report, ReportInputs, ReportPart, ReportTable
from ranking.reports import building, downloads, splitting
from ranking.stats.comparisons.parameters import PRESETS
from tests import factory

CHOSEN = PRESETS["recommended"].changed(
    methods=("expected-wins", "bradley-terry", "trueskill"), replicates=25, seed=3, folds="none"
)


def asked(campaign, parameters=CHOSEN) -> Report:
    return building.request_report(campaign, parameters=parameters)


def split(report: Report, workers: int, draw=splitting.draw) -> Report:
    attempt, parts = splitting.prepare(report.pk, workers)
    for part in reversed(parts):
        draw(report.pk, attempt, part)
    splitting.conclude(report.pk, attempt)
    report.refresh_from_db()
    return report


def files(report: Report) -> list[tuple[str, str]]:
    return [(file.name, file.text) for file in downloads.report_files(report)]


@pytest.fixture
def judged(campaign, ada, ben):
    factory.judge_all(ada)
    factory.judge_all(ben)
    return campaign


def test_the_numbers_are_the_same_however_the_work_is_split(judged):
    whole = asked(judged)
    building.build(whole.pk)
    whole.refresh_from_db()
    for workers in (1, 2, 7, 40):
        report = split(asked(judged), workers)
        assert report.state == Work.State.DONE
        assert files(report) == files(whole)
    assert not ReportPart.objects.exists()


def test_a_part_that_never_came_is_drawn_at_the_end(judged):
    whole = asked(judged)
    building.build(whole.pk)
    whole.refresh_from_db()
    lost = []

    def draw(pk, attempt, part):
        if part.first and not lost:
            lost.append(part)
        else:
            splitting.draw(pk, attempt, part)

    assert files(split(asked(judged), 2, draw)) == files(whole)
    assert lost


def test_a_method_that_refuses_is_told_when_the_report_is_concluded(judged):
    report = split(asked(judged, CHOSEN.changed(methods=("expected-wins", "z-score"))), 2)
    assert "This method is for ratings" in downloads.tables_of(report)["standings_refused"].rows[0][0]


def test_judgments_that_come_meanwhile_do_not_count(campaign, ada, ben):
    factory.judge_all(ada)
    report = asked(campaign)
    attempt, parts = splitting.prepare(report.pk, 2)
    factory.judge_all(ben)
    for part in parts:
        splitting.draw(report.pk, attempt, part)
    splitting.conclude(report.pk, attempt)
    report.refresh_from_db()
    assert (report.judgments, building.is_stale(report)) == (5, True)


def test_parts_of_an_attempt_that_was_overtaken_change_nothing(judged):
    report = asked(judged)
    attempt, parts = splitting.prepare(report.pk, 2)
    Report.objects.filter(pk=report.pk).update(state=Work.State.QUEUED)
    again, _ = splitting.prepare(report.pk, 2)
    splitting.draw(report.pk, attempt, parts[0])
    splitting.conclude(report.pk, attempt)
    report.refresh_from_db()
    assert (report.state, report.attempt) == (Work.State.RUNNING, again)
    assert not ReportTable.objects.filter(report=report).exists()


def test_a_report_is_prepared_once(judged):
    report = asked(judged)
    assert splitting.prepare(report.pk, 2)
    assert splitting.prepare(report.pk, 2) is None


def test_a_cancelled_report_is_not_concluded(judged):
    report = asked(judged)
    attempt, parts = splitting.prepare(report.pk, 2)
    cancel(report)
    splitting.draw(report.pk, attempt, parts[0])
    splitting.conclude(report.pk, attempt)
    report.refresh_from_db()
    assert report.state == Work.State.CANCELLED
    assert ReportInputs.objects.filter(report=report).exists()


def test_parts_that_wait_for_a_worker_are_not_taken_for_lost(judged, no_worker):
    report = asked(judged)
    splitting.prepare(report.pk, 2)
    tasks.sweep_reports()
    assert not no_worker
    report.refresh_from_db()
    assert report.state == Work.State.RUNNING


def test_progress_grows_with_every_part(judged):
    report = asked(judged)
    attempt, parts = splitting.prepare(report.pk, 3)
    told = []
    for part in parts:
        splitting.draw(report.pk, attempt, part)
        report.refresh_from_db()
        told.append(report.progress)
    assert told == sorted(set(told))
    assert told[-1] == pytest.approx(0.45)
