"""The order of systems and of metrics, the same in every chart of a report."""

from collections.abc import Mapping

from ranking.numbers.tables import Table
from ranking.stats.comparisons.sections.metric_correlations import INLIERS
from ranking.stats.metaevaluation.correlations import Coefficient

CORRELATIONS = "metric_correlations"
Metric = tuple[str, str]


def order_of(tables: Mapping[str, Table]) -> list[str]:
    """Systems by the first ranking, or else in the order of their meetings."""
    for name in ("standings", "head_to_head"):
        if name in tables:
            return list(dict.fromkeys(map(str, tables[name].column("system"))))
    return []


def metrics_of(tables: Mapping[str, Table]) -> dict[Metric, str]:
    """Metrics by name and level with their labels, ordered by decreasing Pearson correlation.

    A metric given for both systems and sentences counts as two; its labels add the level.
    """
    if CORRELATIONS not in tables:
        return {}
    found: dict[Metric, float | None] = {}
    lines: list[dict] = tables[CORRELATIONS].dicts()
    for line in lines:
        if line["coefficient"] in list(Coefficient) and line["level"] != INLIERS:
            metric = (str(line["metric"]), str(line["level"]))
            found.setdefault(metric, None)
            if line["coefficient"] == Coefficient.PEARSON:
                found[metric] = line["value"]
    names = [name for name, _ in found]
    ordered = sorted(found, key=lambda metric: (found[metric] is None, -(found[metric] or 0), metric))
    return {(name, level): f"{name} ({level})" if names.count(name) > 1 else name for name, level in ordered}
