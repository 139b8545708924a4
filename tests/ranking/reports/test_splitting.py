"""A report by several workers: the same bytes however it is split, and nothing is lost if a worker is."""

import pytest

from judgments.jobs.attempts import run_now
from judgments.jobs.control import cancel
from judgments.jobs.tasks import sweep_jobs
from judgments.models import Job
from ranking.models import Report, ReportInputs, ReportPart, ReportTable
from ranking.reports import building, downloads, report_job
from ranking.reports.report_job import conclude_report, draw_part
from ranking.stats.comparisons.study import PRESETS
from tests import factory

CHOSEN = PRESETS["recommended"].with_changes(
    methods=("expected-wins", "bradley-terry", "trueskill"), replicates=200, seed=3, folds="none"
)


def requested(campaign, parameters=CHOSEN) -> Report:
    return building.request_report(campaign, parameters=parameters)


def files(report: Report) -> list[tuple[str, str]]:
    return list(downloads.report_files(report).items())


@pytest.fixture
def prepare(settings, monkeypatch):
    """Gather a report for so many workers; the number of its attempt, and the parts they would draw."""
    sent = []
    monkeypatch.setattr(report_job, "send", sent.append)

    def prepare(report: Report, workers: int) -> tuple[int, list[tuple]]:
        settings.REPORT_WORKERS = workers
        run_now(report)
        message = sent.pop()
        assert [task.args[0] for task in (*message.tasks, message.body)] == [report.pk] * (len(message.tasks) + 1)
        return message.body.args[1], [task.args[2:] for task in message.tasks]

    return prepare


@pytest.fixture
def split(prepare):
    def split(report: Report, workers: int, draw=draw_part) -> Report:
        attempt, parts = prepare(report, workers)
        for part in reversed(parts):
            draw(report.pk, attempt, *part)
        conclude_report(report.pk, attempt)
        report.refresh_from_db()
        return report

    return split


@pytest.fixture
def judged(campaign, ada, ben):
    factory.answer_all(ada)
    factory.answer_all(ben)
    return campaign


@pytest.mark.wide
def test_the_numbers_are_the_same_however_the_work_is_split_and_if_a_part_never_came(judged, split):
    whole = requested(judged)
    run_now(whole)
    whole.refresh_from_db()
    for workers in (2, 7, 40):
        report = split(requested(judged), workers)
        assert report.state == Job.State.DONE
        assert files(report) == files(whole)
    assert not ReportPart.objects.exists()
    lost = []

    def draw(pk, attempt, method, unit, first, number):
        if first and not lost:
            lost.append(first)
        else:
            draw_part(pk, attempt, method, unit, first, number)

    assert files(split(requested(judged), 2, draw)) == files(whole)
    assert lost


@pytest.mark.wide
def test_a_method_that_refuses_is_reported_when_the_report_is_concluded(judged, split):
    report = split(requested(judged, CHOSEN.with_changes(methods=("expected-wins", "z-score"))), 2)
    assert "This method is for ratings" in downloads.tables_of(report)["standings_refused"].rows[0][0]


@pytest.mark.wide
def test_judgments_that_come_meanwhile_do_not_count(campaign, ada, ben, prepare):
    factory.answer_all(ada)
    report = requested(campaign)
    attempt, parts = prepare(report, 2)
    factory.answer_all(ben)
    for part in parts:
        draw_part(report.pk, attempt, *part)
    conclude_report(report.pk, attempt)
    report.refresh_from_db()
    assert (report.judgments, building.is_stale(report)) == (5, True)


def test_parts_of_an_attempt_that_was_overtaken_change_nothing(judged, prepare):
    report = requested(judged)
    attempt, parts = prepare(report, 2)
    Report.objects.filter(pk=report.pk).update(state=Job.State.QUEUED)
    again, _ = prepare(report, 2)
    draw_part(report.pk, attempt, *parts[0])
    conclude_report(report.pk, attempt)
    report.refresh_from_db()
    assert (report.state, report.attempt) == (Job.State.RUNNING, again)
    assert not ReportTable.objects.filter(report=report).exists()


def test_parts_that_wait_for_a_worker_are_not_lost_and_a_cancelled_report_is_not_concluded(judged, no_worker, prepare):
    report = requested(judged)
    attempt, parts = prepare(report, 2)
    sweep_jobs()
    assert not no_worker
    report.refresh_from_db()
    assert report.state == Job.State.RUNNING
    cancel(report)
    draw_part(report.pk, attempt, *parts[0])
    conclude_report(report.pk, attempt)
    report.refresh_from_db()
    assert report.state == Job.State.CANCELLED
    assert ReportInputs.objects.filter(report=report).exists()


@pytest.mark.wide
def test_progress_grows_with_every_part(judged, prepare):
    report = requested(judged)
    attempt, parts = prepare(report, 3)
    progress = []
    for part in parts:
        draw_part(report.pk, attempt, *part)
        report.refresh_from_db()
        progress.append(report.progress)
    assert progress == sorted(set(progress))
    assert progress[-1] == pytest.approx(0.45)
