"""Does a correlation hang on the poor systems?: Pearson of each metric among the best systems alone."""

from collections.abc import Mapping

from judgments.web.charts.chart import NO_PICTURE, Plot
from judgments.web.charts.drawing import frame
from judgments.web.charts.numbers import number
from ranking.plots.order import metrics_of
from ranking.plots.panels import Curve, Panel, Picture
from ranking.stats.metaevaluation.correlations import Coefficient
from ranking.stats.tables import Table

NAME, TITLE = "metric_windows", "Metrics among the best systems"
FOOT = "best systems counted"
AXIS = 130
MOST = 24
Curves = dict[str, dict[int, float | None]]


def metric_windows(tables: Mapping[str, Table]) -> list[Plot]:
    """The plot, if there are metrics and systems enough."""
    if NAME not in tables:
        return []
    curves = _curves(tables)
    if not curves:
        return []
    told = sentence(curves)
    if len(curves) > MOST:
        told += f" With {len(curves)} metrics there are too many curves for a picture; the numbers have them all."
        return [Plot(NAME, TITLE, told, NO_PICTURE, (NAME,))]
    panels = tuple(Panel(name, (Curve("", "curve", tuple(sorted(points.items()))),)) for name, points in curves.items())
    picture = Picture(panels, FOOT, AXIS)
    return [Plot(NAME, TITLE, told, frame(NAME, TITLE, told, *picture.whole, picture.parts()), (NAME,))]


def _curves(tables: Mapping[str, Table]) -> Curves:
    """Pearson by the number of best systems, metrics in the order of their correlations with all."""
    found: Curves = {}
    lines: list[dict] = tables[NAME].dicts()
    for line in lines:
        if line["kind"] == "top" and line["coefficient"] == Coefficient.PEARSON and line["last"] is not None:
            # A metric that was given at two levels stands here twice under one name; the first one is drawn.
            found.setdefault(str(line["metric"]), {}).setdefault(line["last"], line["value"])
    order = dict.fromkeys([*(name for name, _ in metrics_of(tables)), *found])
    return {name: found[name] for name in order if any(value is not None for value in found.get(name, {}).values())}


def sentence(curves: Curves) -> str:
    """Which metric is best over all systems, how it does among the better half, and what a fall means."""
    most = max(last for points in curves.values() for last in points)
    half = max((last for points in curves.values() for last in points if last <= (most + 1) // 2), default=most)
    best = _best(curves, most)
    if best is None:
        return "How metrics do over all systems is not known."
    told = f"Over all {most} systems {best} correlates best ({number(curves[best][most])} by Pearson)"
    best_of_half = _best(curves, half)
    if half == most or best_of_half is None:
        return f"{told}."
    told += f"; over the best {half} alone"
    if best_of_half == best:
        told += f" it still does ({number(curves[best][half])})."
    else:
        told += f" {best_of_half} does ({number(curves[best_of_half][half])}), and {best} has "
        told += f"{number(curves[best].get(half))}."
    return f"{told} A correlation that falls when poor systems are left out hangs on them."


def _best(curves: Curves, last: int) -> str | None:
    known = {name: value for name, points in curves.items() if (value := points.get(last)) is not None}
    return max(known, key=lambda name: known[name], default=None)
