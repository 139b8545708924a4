"""Making a report: gather what counts, compute, and write every table at once."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django.db import transaction

from judgments.jobs.attempts import Attempt
from judgments.judges.exclusion import stated
from judgments.models import JudgeStatistics
from ranking.models import Report, ReportInputs, ReportTable
from ranking.numbers.tables import Cell, Table
from ranking.reports.downloads import zipped
from ranking.reports.kinds.registry import kind_of, parameters_of
from ranking.stats.analysis import ABOUT, AnyStudy, analyse
from ranking.stats.choices import PEOPLE
from ranking.stats.comparisons.sections.judges import REST


def make_alone(report: Report, attempt: Attempt) -> None:
    conclude(report, attempt, gather(report, attempt))


def gather(report: Report, attempt: Attempt) -> AnyStudy:
    """Read what counts now, and store it with the report unless it belongs to the live board."""
    attempt.step("reading judgments", 0.0)
    kind = kind_of(report)
    other_inputs = kind.other_inputs(report.campaign)
    study, newest = kind.extract(report.campaign, parameters_of(report))
    report.exclusion = stated(report.campaign)
    with transaction.atomic():
        attempt.write(
            judgments=study.judgments, newest_judgment=newest, exclusion=report.exclusion, other_inputs=other_inputs
        )
        if not report.is_interim:
            about = json.dumps(report.about(), ensure_ascii=False, indent=1) + "\n"
            content = zipped(kind.study.written(study) | {ABOUT: about})
            ReportInputs.objects.update_or_create(report=report, defaults={"content": content})
    return study


def conclude(report: Report, attempt: Attempt, study: AnyStudy) -> None:
    kind = kind_of(report).study
    sections = kind.at_a_glance if report.is_interim else kind.sections
    analysis = analyse(study, sections, lambda name, done: attempt.step(name, 0.1 + 0.8 * done))
    with transaction.atomic():
        attempt.step("writing", 0.9)
        ReportTable.objects.filter(report=report).delete()
        ReportTable.objects.bulk_create(ReportTable.written(report, table) for table in analysis.tables.values())
        record_judge_statistics(report, analysis.tables)
        attempt.finish(signature=study.signature(), gaps=analysis.gaps)


def record_judge_statistics(report: Report, tables: Mapping[str, Table]) -> None:
    """Store agreement with others and with themselves, and the test of position bias, for each judge in a report."""
    if report.is_interim or report.judged_by != PEOPLE:
        return
    conducts = JudgeStatistics.objects.filter(judge__campaign=report.campaign_id)
    for judge, found in _statistics(tables):
        conducts.filter(judge__pseudonym=judge).update(**found, compared_at=report.started_at)


def _statistics(tables: Mapping[str, Table]) -> Iterator[tuple[Cell, dict[str, Any]]]:
    agreement = tables["agreement"].dicts() if "agreement" in tables else []
    with_others = {line["judge"]: line["kappa"] for line in agreement if line["kind"] == REST}
    for line in tables["judges"].dicts() if "judges" in tables else []:
        own = {name: line[name] for name in ("self_kappa", "position_p_value")}
        yield line["judge"], {"others_kappa": with_others.get(line["judge"]), **own}
    # Verdicts have no places, and repeats of them are too few for a kappa.
    for line in tables["verdict_judges"].dicts() if "verdict_judges" in tables else []:
        yield line["judge"], {"others_kappa": line["others_kappa"], "self_kappa": None, "position_p_value": None}
