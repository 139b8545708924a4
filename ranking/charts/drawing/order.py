"""The order of systems and of metrics, the same in every chart of a report."""

from collections.abc import Iterable, Mapping

from ranking.charts.drawing.sheets import lines_of
from ranking.numbers.tables import Table
from ranking.stats.comparisons.metrics import INLIERS
from ranking.stats.metaevaluation.correlations import Coefficient

CORRELATIONS = "metric_correlations"
Metric = tuple[str, str]


def order_of(tables: Mapping[str, Table]) -> list[str]:
    """Return the systems by the first ranking, or else as in the head-to-head table."""
    for name in ("standings", "head_to_head"):
        if name in tables:
            return list(dict.fromkeys(map(str, tables[name].column("system"))))
    return []


def metrics_of(tables: Mapping[str, Table]) -> dict[Metric, str]:
    """Label the metrics, in order of decreasing Pearson correlation.

    A metric given for both systems and sentences counts as two.
    """
    found: dict[Metric, float | None] = {}
    for line in lines_of(tables, CORRELATIONS):
        if line["coefficient"] in list(Coefficient) and line["level"] != INLIERS:
            metric = (str(line["metric"]), str(line["level"]))
            found.setdefault(metric, None)
            if line["coefficient"] == Coefficient.PEARSON:
                found[metric] = line["value"]
    return labelled(sorted(found, key=lambda metric: (found[metric] is None, -(found[metric] or 0), metric)))


def labelled(metrics: Iterable[Metric]) -> dict[Metric, str]:
    """Label metrics by name, and by level if a name has two."""
    ordered = list(metrics)
    names = [name for name, _ in ordered]
    return {(name, level): f"{name} ({level})" if names.count(name) > 1 else name for name, level in ordered}
