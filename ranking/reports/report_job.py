"""The job that makes a report: read the judgments, compute with one worker or several, write all tables at once."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from celery import chord, group, signature
from django.conf import settings
from django.db import transaction

from judgments.jobs.attempts import Attempt
from judgments.jobs.queues import send
from judgments.judges import watching
from judgments.judges.exclusion import stated
from judgments.models import JudgeStatistics
from ranking.charts.lines import kappas_of
from ranking.models import Report, ReportInputs, ReportPart, ReportTable
from ranking.numbers.tables import Cell, StatisticsError, Table
from ranking.reports.downloads import stored_study, zipped
from ranking.reports.kinds.registry import kind_of, parameters_of
from ranking.reports.rows import answers_used, left_out, numbers_are_about, programs_that_judged, refuse_all_excluded
from ranking.sequential.stopping import course_of
from ranking.stats import study_files
from ranking.stats.analysis import ABOUT, analyse
from ranking.stats.choices import INDEPENDENT, PEOPLE
from ranking.stats.comparisons.judges import REST
from ranking.stats.comparisons.splitting import Part, join_parts, parts_of, scores_of_part
from ranking.stats.comparisons.study import ComparisonStudy


def make_alone(report: Report, attempt: Attempt) -> None:
    conclude(report, attempt, gather(report, attempt))


def gather(report: Report, attempt: Attempt) -> ComparisonStudy:
    """Read the judgments that count now; store them with the report unless it is interim."""
    attempt.step("reading judgments", 0.0)
    if not report.is_interim:
        watching.look_at_all(report.campaign)
    kind = kind_of(report)
    other_inputs = kind.other_inputs(report.campaign)
    refuse_all_excluded(report.campaign, report.judged_by, report.answers)
    study, newest, judgments = kind.extract(report.campaign, parameters_of(report))
    answers = answers_used(report.campaign, report.answers)
    report.exclusion = stated(report.campaign) | answers | numbers_are_about(report.campaign, report.parameters)
    report.exclusion |= left_out(report.campaign, report.parameters)
    report.exclusion |= programs_that_judged(report.campaign, report.judged_by)
    report.course = list(course_of(report))
    with transaction.atomic():
        attempt.write(
            judgments=study.judgments if judgments is None else judgments, newest_judgment=newest,
            exclusion=report.exclusion, other_inputs=other_inputs, course=report.course,
        )  # fmt: skip
        if not report.is_interim:
            about = json.dumps(report.metadata(), ensure_ascii=False, indent=1) + "\n"
            content = zipped(study_files.write(study) | {ABOUT: about})
            inputs = {"content": content, "output_scores": kind.output_scores(study)}
            ReportInputs.objects.update_or_create(report=report, defaults=inputs)
    return study


def conclude(report: Report, attempt: Attempt, study: ComparisonStudy) -> None:
    kind = kind_of(report)
    sections = kind.at_a_glance if report.is_interim else kind.sections
    attempt.write(signature=study.signature())
    ReportTable.objects.filter(report=report).delete()

    def show(table: Table) -> None:
        """Store it at once: the page shows it while the rest is computed, and keeps it if that is cancelled."""
        if not report.is_interim:
            ReportTable.of(report, table).save()

    analysis = analyse(study, sections, lambda name, done: attempt.step(name, 0.1 + 0.8 * done), show)
    with transaction.atomic():
        attempt.step("writing", 0.9)
        ReportTable.objects.filter(report=report).delete()
        ReportTable.objects.bulk_create(ReportTable.of(report, table) for table in analysis.tables.values())
        record_judge_statistics(report, analysis.tables)
        attempt.finish(gaps=analysis.gaps)


def record_judge_statistics(report: Report, tables: Mapping[str, Table]) -> None:
    """Store each judge's agreement with others and with themselves, and the test for position bias."""
    if report.is_interim or (report.judged_by, report.answers) != (PEOPLE, INDEPENDENT):
        return
    rows = JudgeStatistics.objects.filter(judge__campaign=report.campaign_id)
    for judge, found in _statistics(tables):
        rows.filter(judge__pseudonym=judge).update(**found, compared_at=report.started_at)


def _statistics(tables: Mapping[str, Table]) -> Iterator[tuple[Cell, dict[str, Any]]]:
    with_others = {line["judge"]: line["kappa"] for line in kappas_of(tables) if line["kind"] == REST}
    for line in tables["judges"].dicts() if "judges" in tables else []:
        own = {name: line[name] for name in ("self_kappa", "position_p_value")}
        yield line["judge"], {"others_kappa": with_others.get(line["judge"]), **own}
    # Verdicts have no positions on the screen, and their repeats are too few for a kappa.
    for line in tables["verdict_judges"].dicts() if "verdict_judges" in tables else []:
        yield line["judge"], {"others_kappa": line["others_kappa"], "self_kappa": None, "position_p_value": None}


# Progress at the end of each phase when several workers draw.
GATHERED, DRAWN = 0.05, 0.4


def make(report: Report, attempt: Attempt) -> None:
    """Make a report; split it over workers if its kind allows it and it is not interim, hence too small."""
    workers = settings.REPORT_WORKERS
    if workers == 1 or report.is_interim or not kind_of(report).is_splittable:
        make_alone(report, attempt)
        return
    parts = prepare(report, attempt, workers)
    # By name, because tasks import this module.
    draw = group(signature("ranking.draw_part", (report.pk, attempt.number, *part)) for part in parts)
    send(chord(draw, signature("ranking.conclude_report", (report.pk, attempt.number), immutable=True)))


def prepare(report: Report, attempt: Attempt, workers: int) -> list[Part]:
    """Gather the study, and return the parts for the workers."""
    ReportPart.objects.filter(report=report).delete()
    study = gather(report, attempt)
    attempt.step("drawing replicates", GATHERED)
    attempt.wait_for_others()
    return parts_of(study.parameters, workers)


def draw_part(report_id: int, attempt_number: int, method: str, unit: str, first: int, number: int) -> None:
    """Draw some of a report's replicates; a method's refusal is reported when the report is concluded."""
    attempt = _attempt(report_id, attempt_number)
    with attempt.running():
        report = attempt.job
        study = _stored_study(report)
        try:
            scores = scores_of_part(study, Part(method, unit, first, number))
        except StatisticsError:
            return
        ReportPart.objects.update_or_create(
            report=report, attempt=attempt.number, method=method, unit=unit, first=first,
            defaults={"number": number, "scores": scores.astype("<f8").tobytes()},
        )  # fmt: skip
        rows = ReportPart.objects.filter(report=report, attempt=attempt.number)
        wanted = sum(part.number for part in parts_of(study.parameters, 1))
        share = sum(rows.values_list("number", flat=True)) / wanted
        attempt.step("drawing replicates", GATHERED + DRAWN * share)
        attempt.wait_for_others()


def conclude_report(report_id: int, attempt_number: int) -> None:
    """Make a report from the replicates that all workers drew; missing parts are drawn here."""
    attempt = _attempt(report_id, attempt_number)
    with attempt.running():
        report = attempt.job
        study = _stored_study(report)
        systems = len(study.names.systems)
        rows = ReportPart.objects.filter(report=report, attempt=attempt.number)
        parts = {
            Part(row.method, row.unit, row.first, row.number): np.frombuffer(row.scores, "<f8").reshape(-1, systems)
            for row in rows
        }
        conclude(report, attempt, replace(study, drawn=join_parts(parts, study.parameters)))
        rows.delete()


def _attempt(report_id: int, number: int) -> Attempt:
    return Attempt(Report.objects.select_related("campaign").get(pk=report_id), number)


def _stored_study(report: Report) -> ComparisonStudy:
    study = stored_study(report)
    if not isinstance(study, ComparisonStudy):
        raise TypeError("Only reports on comparisons are split over workers.")
    return study
