"""Figures of a report about each judge, stored where the table of judges shows them."""

from collections.abc import Iterator, Mapping
from typing import Any

from judgments.models import JudgeStatistics
from ranking.models import Report
from ranking.numbers.tables import Cell, Table
from ranking.stats.choices import PEOPLE
from ranking.stats.comparisons.sections.judges import REST


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
        yield (
            line["judge"],
            {
                "others_kappa": with_others.get(line["judge"]),
                "self_kappa": line["self_kappa"],
                "position_p_value": line["position_p_value"],
            },
        )
    # Verdicts have no places, and repeats of them are too few for a kappa.
    for line in tables["verdict_judges"].dicts() if "verdict_judges" in tables else []:
        yield line["judge"], {"others_kappa": line["others_kappa"], "self_kappa": None, "position_p_value": None}
