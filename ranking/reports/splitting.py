"""A report on comparisons by several workers: one gathers, each draws some replicates, the last one concludes."""

from dataclasses import replace

import numpy as np
from django.utils import timezone

from judgments.models.jobs import LONGEST_PATIENCE
from ranking.models import Report, ReportPart
from ranking.numbers.tables import StatisticsError
from ranking.reports.attempts import Attempt
from ranking.reports.inputs import gathered
from ranking.reports.kinds.registry import parameters_of
from ranking.stats.comparisons.splitting import Part, drawn, joined, parts_of
from ranking.stats.comparisons.study import Study

GATHERED, DRAWN = 0.05, 0.4


def prepare(report_id: int, workers: int) -> tuple[int, list[Part]] | None:
    """Claim a queued report and gather what it is made from; the attempt and its parts, or None if that is over."""
    number = Report.objects.begin(report_id)
    if number is None:
        return None
    attempt = Attempt(report_id, number)
    with attempt.going_on() as report:
        ReportPart.objects.filter(report=report).delete()
        attempt.gather(report)
        attempt.step("drawing replicates", GATHERED)
        _wait(attempt)
        return number, parts_of(parameters_of(report), workers)
    return None


def draw(report_id: int, number: int, part: Part) -> None:
    """Draw one part; what a method refuses is told when the report is concluded."""
    attempt = Attempt(report_id, number)
    with attempt.going_on() as report:
        try:
            scores = drawn(_gathered(report), part)
        except StatisticsError:
            return
        ReportPart.objects.update_or_create(
            report=report, attempt=number, method=part.method, unit=part.unit, first=part.first,
            defaults={"number": part.number, "scores": scores.astype("<f8").tobytes()},
        )  # fmt: skip
        done = sum(ReportPart.objects.filter(report=report, attempt=number).values_list("number", flat=True))
        chosen = parameters_of(report)
        attempt.step("drawing replicates", GATHERED + DRAWN * done / (chosen.replicates * len(chosen.methods)))
        _wait(attempt)


def conclude(report_id: int, number: int) -> None:
    """Make the report from all parts; what is missing of them is drawn here."""
    attempt = Attempt(report_id, number)
    with attempt.going_on() as report:
        study = _gathered(report)
        systems = len(study.names.systems)
        rows = ReportPart.objects.filter(report=report, attempt=number)
        parts = {
            Part(row.method, row.unit, row.first, row.number): np.frombuffer(row.scores, "<f8").reshape(-1, systems)
            for row in rows
        }
        attempt.conclude(report, replace(study, drawn=joined(parts, study.parameters.replicates)))
        rows.delete()


def _gathered(report: Report) -> Study:
    study = gathered(report)
    if not isinstance(study, Study):
        raise StatisticsError("Only reports on comparisons are split over workers.")
    return study


def _wait(attempt: Attempt) -> None:
    """Parts may wait for workers that are busy with other things, before the report counts as lost."""
    attempt.mine.update(heartbeat=timezone.now() + LONGEST_PATIENCE)
