"""Making a report with one worker or several: one gathers, each draws some replicates, the last one concludes."""

from dataclasses import replace

import numpy as np
from celery import chord, group, shared_task
from django.conf import settings

from judgments.jobs.attempts import Attempt
from judgments.jobs.kinds import LONG, handles
from judgments.jobs.queues import send
from ranking.models import Report, ReportPart
from ranking.numbers.tables import StatisticsError
from ranking.reports import report_job
from ranking.reports.downloads import gathered
from ranking.reports.kinds.registry import kind_of, parameters_of
from ranking.stats.comparisons.study import Part, Study, drawn, joined, parts_of

GATHERED, DRAWN = 0.05, 0.4


@handles(Report, LONG, explained=(StatisticsError,))
def make(report: Report, attempt: Attempt) -> None:
    """Make a report, with as many workers as the settings allow if it can be split; interim reports are too small."""
    workers = settings.REPORT_WORKERS
    if workers == 1 or report.is_interim or not kind_of(report).is_splittable:
        report_job.make_alone(report, attempt)
        return
    parts = prepare(report, attempt, workers)
    draw = group(draw_part.s(report.pk, attempt.number, *part) for part in parts)
    send(chord(draw, conclude_report.si(report.pk, attempt.number)))


def prepare(report: Report, attempt: Attempt, workers: int) -> list[Part]:
    """Gather the study, and return the parts for the workers."""
    ReportPart.objects.filter(report=report).delete()
    report_job.gather(report, attempt)
    attempt.step("drawing replicates", GATHERED)
    attempt.wait_for_others()
    return parts_of(parameters_of(report), workers)


@shared_task(name="ranking.draw_part", ignore_result=False)
def draw_part(report_id: int, attempt_number: int, method: str, unit: str, first: int, number: int) -> None:
    """Draw some of a report's replicates; a method's refusal is reported when the report is concluded."""
    attempt = _attempt(report_id, attempt_number)
    with attempt.running():
        report = attempt.job
        try:
            scores = drawn(_gathered(report), Part(method, unit, first, number))
        except StatisticsError:
            return
        ReportPart.objects.update_or_create(
            report=report, attempt=attempt.number, method=method, unit=unit, first=first,
            defaults={"number": number, "scores": scores.astype("<f8").tobytes()},
        )  # fmt: skip
        rows = ReportPart.objects.filter(report=report, attempt=attempt.number)
        chosen = parameters_of(report)
        share = sum(rows.values_list("number", flat=True)) / (chosen.replicates * len(chosen.methods))
        attempt.step("drawing replicates", GATHERED + DRAWN * share)
        attempt.wait_for_others()


@shared_task(name="ranking.conclude_report")
def conclude_report(report_id: int, attempt_number: int) -> None:
    """Make a report from the replicates that all workers drew; missing parts are drawn here."""
    attempt = _attempt(report_id, attempt_number)
    with attempt.running():
        report = attempt.job
        study = _gathered(report)
        systems = len(study.names.systems)
        rows = ReportPart.objects.filter(report=report, attempt=attempt.number)
        parts = {
            Part(row.method, row.unit, row.first, row.number): np.frombuffer(row.scores, "<f8").reshape(-1, systems)
            for row in rows
        }
        report_job.conclude(report, attempt, replace(study, drawn=joined(parts, study.parameters.replicates)))
        rows.delete()


def _attempt(report_id: int, number: int) -> Attempt:
    return Attempt(Report.objects.select_related("campaign").get(pk=report_id), number)


def _gathered(report: Report) -> Study:
    study = gathered(report)
    if not isinstance(study, Study):
        raise TypeError("Only reports on comparisons are split over workers.")
    return study
