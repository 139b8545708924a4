"""The job that makes a report: read the judgments, compute with one worker or several, write all tables at once."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
from celery import chord, group, signature
from django.conf import settings
from django.db import transaction

from judgments.assignment import planning
from judgments.exchange.importers.writer import recorded_screens
from judgments.jobs.attempts import Attempt
from judgments.jobs.queues import send
from judgments.judges import watching
from judgments.judges.exclusion import describe_rule
from judgments.models import JudgeStatistics, Judgment, Membership, System
from judgments.models.assignments import with_answers
from ranking.charts.lines import kappas_of, lines_of
from ranking.models import Report, ReportInputs, ReportPart, ReportTable
from ranking.numbers.tables import StatisticsError, Table
from ranking.reports.downloads import make_zip, stored_study
from ranking.reports.kinds.kind import kind_of, parameters_of
from ranking.reports.rows import judges_that_count, judgments_that_count, members_of
from ranking.sequential.stopping import course_of
from ranking.stats import study_files
from ranking.stats.analysis import ABOUT, analyse
from ranking.stats.choices import ADJUDICATED, INDEPENDENT, PEOPLE, PROGRAMS, REVISED
from ranking.stats.comparisons.judges import REST
from ranking.stats.comparisons.study import DESIGN, ComparisonStudy, ReplicatePart, join_parts, parts_of, scores_of_part

WEIGHTED = (
    "Judgments are weighted by the probability of drawing their screens, so these numbers describe the collection."
)
USED = {
    INDEPENDENT: "the independent answers",
    REVISED: "the changed answers in place of the first ones",
    ADJUDICATED: "the adjudicated answers in place of those of the judges on these screens",
}


def make_alone(report: Report, attempt: Attempt) -> None:
    conclude(report, attempt, gather(report, attempt))


def gather(report: Report, attempt: Attempt) -> ComparisonStudy:
    """Read the judgments that count now; store them with the report unless it is interim."""
    attempt.step("reading judgments", 0.0)
    if not report.is_interim:
        watching.check_all(report.campaign)
    kind = kind_of(report)
    other_inputs = kind.other_inputs(report.campaign)
    members = members_of(report.campaign, report.judged_by, report.answers)
    excluded = with_answers(members.exclude(excluded_at=None)).count()
    if excluded and not with_answers(members.filter(excluded_at=None)).exists():
        raise StatisticsError(
            f"No judgment counts: every judge with answers is excluded, {excluded:,} in all. Judges says why; include "
            "those who judged well, or collect more judgments."
        )
    study, newest, judgments = kind.extract(report.campaign, parameters_of(report))
    report.exclusion = describe_rule(report.campaign) | _scope_in_words(report)
    report.course = list(course_of(report))
    if not recorded_screens(report.campaign).exists():
        # What judges saw, and how often; beside programs, people are the judges.
        judged_by = PEOPLE if kind.needs_programs else report.judged_by
        judges = list(judges_that_count(report.campaign, judged_by).values_list("pk", flat=True))
        counted = judgments_that_count(report.campaign, judges, INDEPENDENT).filter(skipped=False)
        if design := planning.design_of(report.campaign, counted):
            report.course = [design, *report.course]
    with transaction.atomic():
        attempt.write(
            judgments=judgments, newest_judgment=newest,
            exclusion=report.exclusion, other_inputs=other_inputs, course=report.course,
        )  # fmt: skip
        if not report.is_interim:
            about = json.dumps(report.metadata(), ensure_ascii=False, indent=1) + "\n"
            content = make_zip(study_files.write(study) | {ABOUT: about})
            inputs = {"content": content, "output_scores": kind.output_scores(study) if kind.output_scores else b""}
            ReportInputs.objects.update_or_create(report=report, defaults=inputs)
    return study


def _scope_in_words(report: Report) -> dict[str, str]:
    """A sentence each on the answers used, what numbers are about, systems left out and programs, where it is needed.

    Nothing is said on answers if there are only independent ones, and nothing on what numbers are about if judgments
    were imported or no outputs are compared.
    """
    campaign, said = report.campaign, {}
    given = Judgment.objects.filter(assignment__campaign=campaign, assignment__judge__excluded_at=None)
    # A change after feedback is a revision, and revisions have an index.
    changed = given.filter(after_feedback=True, revision__gt=1).values("assignment").distinct().count()
    adjudicated = given.current().filter(assignment__judge__role=Membership.Role.ADJUDICATOR).count()
    if changed or adjudicated or report.answers != INDEPENDENT:
        numbers = f"Answers changed after feedback: {changed:,}; adjudicated screens: {adjudicated:,}."
        said["answers"] = f"{numbers} This report uses {USED[report.answers]}."
    if not recorded_screens(campaign).exists():
        about = WEIGHTED if report.parameters.get("weights") == DESIGN else planning.scope_of(campaign, {})
        said |= {"about": about} if about else {}
    if chosen := report.parameters.get("systems"):
        others = System.objects.filter(campaign=campaign).judged().exclude(name__in=chosen).order_by("name")
        if names := list(others.values_list("name", flat=True)):
            said["systems"] = f"Not analysed in this report: {', '.join(names)}."
    if report.judged_by != PEOPLE:
        members = judges_that_count(campaign, report.judged_by).filter(role=Membership.Role.PROGRAM)
        if names := list(members.order_by("pseudonym").values_list("pseudonym", flat=True)):
            by = "programs alone" if report.judged_by == PROGRAMS else "people and programs"
            said[PROGRAMS] = f"Judged by {by}: {', '.join(names)}."
    return said


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
    kappas = {line["judge"]: line["kappa"] for line in kappas_of(tables) if line["kind"] == REST}
    found = [
        (line["judge"], kappas.get(line["judge"]), line["self_kappa"], line["position_p_value"])
        for line in lines_of(tables, "judges")
    ]
    # Verdicts have no positions on the screen, and their repeats are too few for a kappa.
    found += [(line["judge"], line["others_kappa"], None, None) for line in lines_of(tables, "verdict_judges")]
    rows = JudgeStatistics.objects.filter(judge__campaign=report.campaign_id)
    for judge, others, own, position in found:
        rows.filter(judge__pseudonym=judge).update(
            others_kappa=others, self_kappa=own, position_p_value=position, compared_at=report.started_at
        )


# Progress at the end of each phase when several workers draw.
GATHERED, DRAWN = 0.05, 0.4


def make(report: Report, attempt: Attempt) -> None:
    """Make a report; split it over workers if its kind allows it and it is not interim, hence too small."""
    workers = settings.REPORT_WORKERS
    if workers == 1 or report.is_interim or not kind_of(report).is_splittable:
        make_alone(report, attempt)
        return
    ReportPart.objects.filter(report=report).delete()
    study = gather(report, attempt)
    attempt.step("drawing replicates", GATHERED)
    attempt.wait_for_others()
    # By name, because tasks import this module.
    given = report.pk, attempt.number
    draw = group(signature("ranking.draw_part", (*given, *part)) for part in parts_of(study.parameters, workers))
    send(chord(draw, signature("ranking.conclude_report", given, immutable=True)))


def draw_part(report_id: int, attempt_number: int, method: str, unit: str, first: int, number: int) -> None:
    """Draw some of a report's replicates; a method's refusal is reported when the report is concluded."""
    with _running(report_id, attempt_number) as (attempt, report, study):
        try:
            scores = scores_of_part(study, ReplicatePart(method, unit, first, number))
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
    with _running(report_id, attempt_number) as (attempt, report, study):
        systems = len(study.names.systems)
        rows = ReportPart.objects.filter(report=report, attempt=attempt.number)
        parts = {
            ReplicatePart(row.method, row.unit, row.first, row.number): np.frombuffer(row.scores, "<f8").reshape(
                -1, systems
            )
            for row in rows
        }
        conclude(report, attempt, replace(study, drawn=join_parts(parts, study.parameters)))
        rows.delete()


@contextmanager
def _running(report_id: int, number: int) -> Iterator[tuple[Attempt, Report, ComparisonStudy]]:
    """The attempt while it runs, its report, and the study that another worker stored."""
    attempt = Attempt(Report.objects.select_related("campaign").get(pk=report_id), number)
    with attempt.running():
        study = stored_study(attempt.job)
        if not isinstance(study, ComparisonStudy):
            raise TypeError("Only reports on comparisons are split over workers.")
        yield attempt, attempt.job, study
