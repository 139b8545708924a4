"""Lines of tables as charts need them: those with values, by group, in the order of the report, as rows of a chart."""

from collections.abc import Iterable, Mapping

from judgments.charts.rows import IntervalPoint, IntervalRow
from ranking.numbers.tables import Table
from ranking.stats.agreement.kappa import Weighting
from ranking.stats.comparisons.metrics import INLIERS
from ranking.stats.metaevaluation.correlations import Coefficient
from ranking.stats.rankings.methods import METHODS


def lines_of(tables: Mapping[str, Table], name: str, *known: str) -> list[dict]:
    """Return the rows of a table, if the report has it, in which these columns have values."""
    lines: list[dict] = tables[name].dicts() if name in tables else []
    return [line for line in lines if all(line[column] is not None for column in known)]


def group_by(column: str, lines: Iterable[dict]) -> dict[str, list[dict]]:
    found: dict[str, list[dict]] = {}
    for line in lines:
        found.setdefault(str(line[column]), []).append(line)
    return found


def point_of(line: dict, column: str, ends: str = "", is_hollow: bool = False) -> IntervalPoint | None:
    """Return the value of a column, if it is known, and its interval, whose columns begin with `ends`."""
    value, ends = line[column], ends or column
    return None if value is None else IntervalPoint(value, line[f"{ends}_low"], line[f"{ends}_high"], is_hollow)


def rows_of(lines: Iterable[dict], *columns: str, name: str = "system") -> list[IntervalRow]:
    return [IntervalRow(str(line[name]), "", tuple(point_of(line, column) for column in columns)) for line in lines]


def method_label(method: str) -> str:
    return METHODS[method].label if method in METHODS else method


def order_of(tables: Mapping[str, Table]) -> list[str]:
    """Return the systems by the first ranking, or else as in the head-to-head table."""
    for name in ("standings", "head_to_head"):
        if name in tables:
            return list(dict.fromkeys(map(str, tables[name].column("system"))))
    return []


def kappas_of(tables: Mapping[str, Table]) -> list[dict]:
    """Lines on the agreement of judges as published, in which all disagreements count alike."""
    return [line for line in lines_of(tables, "agreement") if line["weighting"] == Weighting.NOMINAL]


def names_in_order(order: Iterable[str], pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Return the names in the pairs, those in `order` first."""
    met = dict.fromkeys(name for pair in pairs for name in pair)
    return [name for name in dict.fromkeys([*order, *met]) if name in met]


def metrics_of(tables: Mapping[str, Table]) -> dict[str, str]:
    """The metrics, in order of decreasing Pearson correlation, with their first level: their own scores of systems."""
    found: dict[str, tuple[float, str]] = {}
    for line in lines_of(tables, "metric_correlations"):
        if line["coefficient"] == Coefficient.PEARSON and line["level"] != INLIERS:
            value = -2.0 if line["value"] is None else line["value"]
            found.setdefault(str(line["metric"]), (-value, str(line["level"])))
    return {name: found[name][1] for name in sorted(found, key=lambda name: (found[name][0], name))}
