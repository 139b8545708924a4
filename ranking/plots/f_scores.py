"""F of every system over beta, a panel a metric: where the order of systems depends on the weight of precision."""

from collections.abc import Iterator, Mapping

from judgments.web.charts.chart import NO_PICTURE, Plot
from judgments.web.charts.drawing import frame
from judgments.web.charts.lettering import shortened
from judgments.web.charts.numbers import counted
from ranking.plots.panels import Curve, Panel, Picture
from ranking.stats.tables import Table

NAME, TITLE = "f_scores", "F for every beta"
FOOT = "beta: under 1, precision counts more"
MOST, MOST_METRICS = 20, 6
WIDE = 320
# Metric, system, and what it has at each beta.
Lines = dict[str, dict[str, dict[float, float]]]


def f_scores(tables: Mapping[str, Table]) -> list[Plot]:
    """The plot, if a metric with precision and recall scored the outputs."""
    if NAME not in tables or not tables[NAME].rows:
        return []
    found = _lines(tables[NAME])
    told = sentence(found)
    if len(found) > MOST_METRICS or max(map(len, found.values())) > MOST:
        told += " There are too many curves for a picture; the numbers have them all."
        return [Plot(NAME, TITLE, told, NO_PICTURE, (NAME,))]
    picture = Picture(tuple(_panel(metric, systems) for metric, systems in found.items()), FOOT, WIDE)
    return [Plot(NAME, TITLE, told, frame(NAME, TITLE, told, *picture.whole, picture.parts()), (NAME,))]


def _lines(table: Table) -> Lines:
    found: Lines = {}
    for row in table.dicts():
        if isinstance(row["beta"], float | int) and isinstance(row["f"], float | int):
            found.setdefault(str(row["metric"]), {}).setdefault(str(row["system"]), {})[row["beta"]] = row["f"]
    return found


def _panel(metric: str, systems: Mapping[str, Mapping[float, float]]) -> Panel:
    styles = ("curve", "curve dashed", "curve dotted")
    order = sorted(systems, key=lambda system: -list(systems[system].values())[-1])
    return Panel(
        metric,
        tuple(
            Curve(shortened(system), styles[place % len(styles)], tuple(sorted(systems[system].items())))
            for place, system in enumerate(order)
        ),
    )


def sentence(found: Lines) -> str:
    """Who is best at the ends, and how many pairs of systems change places between."""
    return " ".join(_told(found))


def _told(found: Lines) -> Iterator[str]:
    for metric, systems in found.items():
        betas = sorted({beta for values in systems.values() for beta in values})
        low, high = betas[0], betas[-1]
        best = [max(systems, key=lambda system: systems[system].get(beta, 0.0)) for beta in (low, high)]
        names = list(systems)
        pairs = [(one, other) for place, one in enumerate(names) for other in names[place + 1 :]]
        turned = sum(
            (systems[one].get(low, 0.0) - systems[other].get(low, 0.0))
            * (systems[one].get(high, 0.0) - systems[other].get(high, 0.0))
            < 0
            for one, other in pairs
        )
        where = f"is best at beta {low:g} and {best[1]} at {high:g}"
        if best[0] == best[1]:
            where = f"is best both at beta {low:g} and at {high:g}"
        yield (
            f"By {metric} {best[0]} {where};"
            f" {turned} of {counted(len(pairs), 'pair')} of systems change places between."
        )
