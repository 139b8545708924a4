"""Agreement of metrics with people: one row a metric, one panel a coefficient, points with intervals.

The second chart shows whether a correlation depends on the poor systems: Pearson among the best systems alone.
"""

from collections.abc import Iterator, Mapping

from django.utils.safestring import SafeString

from judgments.web.charts.chart import NO_PICTURE
from judgments.web.charts.chart import Plot as Chart
from judgments.web.charts.drawing import SMALL, box, dot, frame, line, words
from judgments.web.charts.lettering import shortened, width_of
from judgments.web.charts.numbers import counted, number, span
from judgments.web.charts.scale import Scale
from ranking.charts.drawing.framed import framed
from ranking.charts.drawing.order import CORRELATIONS, Metric, metrics_of
from ranking.charts.drawing.panels import Curve, Panel, PanelChart
from ranking.numbers.tables import Table
from ranking.stats.comparisons.sections.metric_correlations import INLIERS
from ranking.stats.metaevaluation.correlations import Coefficient
from ranking.stats.metaevaluation.tables import SYSTEM

METRIC_CORRELATIONS, CORRELATIONS_TITLE, INTERVALS = CORRELATIONS, "Correlations with people", "metric_intervals"
PANELS = {coefficient: coefficient.capitalize() for coefficient in Coefficient}
ROW, TOP, BOTTOM, GAP, CORRELATIONS_AXIS, FIGURES = 28, 28, 28, 12, 180, 56
CORRELATIONS_MOST = 60
# The interval over other systems is drawn behind the one over other judgments.
SYSTEMS = "system"
Key = tuple[str, str, str]
Lines = dict[Key, dict]


def metric_correlations(tables: Mapping[str, Table]) -> list[Chart]:
    """The chart, if metrics were compared with people over systems."""
    metrics = metrics_of(tables)
    if not metrics:
        return []
    lines = {_key(one): one for one in tables[METRIC_CORRELATIONS].dicts()}
    others = [one for one in tables[INTERVALS].dicts() if one["drawn"] == SYSTEMS] if INTERVALS in tables else []
    wide = {_key(one): one for one in others}
    text = correlations_sentence(metrics, lines, wide)
    used = tuple(name for name in (METRIC_CORRELATIONS, INTERVALS) if name in tables)
    if len(metrics) > CORRELATIONS_MOST:
        text += f" With {counted(len(metrics), 'metric')} a chart would be too long; see the numbers below."
        return [Chart(METRIC_CORRELATIONS, CORRELATIONS_TITLE, text, NO_PICTURE, used)]
    return [Chart(METRIC_CORRELATIONS, CORRELATIONS_TITLE, text, _svg(metrics, lines, wide, text), used)]


def _key(one: dict) -> Key:
    return str(one["metric"]), str(one["level"]), str(one["coefficient"])


def _svg(metrics: Mapping[Metric, str], lines: Lines, wide: Lines, text: str) -> SafeString:
    names = [_label(metric, label) for metric, label in metrics.items()]
    start, bottom = width_of(names) + GAP, TOP + ROW * len(names)
    shown = [found.get((*metric, name), {}) for found in (lines, wide) for metric in metrics for name in PANELS]
    known = [one[column] for one in shown for column in ("value", "low", "high") if one.get(column) is not None]
    width = start + len(PANELS) * (CORRELATIONS_AXIS + FIGURES + GAP)
    parts = [box(0, TOP + ROW * row, width, ROW, "band") for row in range(0, len(names), 2)]
    parts += [words(start - GAP, TOP + ROW * (row + 0.5), name, "end", "name") for row, name in enumerate(names)]
    for place, (coefficient, head) in enumerate(PANELS.items()):
        left = start + place * (CORRELATIONS_AXIS + FIGURES + GAP)
        scale = Scale.around([0.0, *known], left, left + CORRELATIONS_AXIS)
        parts.append(words(left, TOP / 2, head, class_="faded", size=SMALL))
        parts += _axis(scale, bottom)
        for row, metric in enumerate(metrics):
            found = (
                lines.get((*metric, coefficient)),
                wide.get((*metric, coefficient)),
                _inlier(metric, coefficient, lines),
            )
            parts += _marks(*found, scale, TOP + ROW * (row + 0.5))
    return frame(METRIC_CORRELATIONS, CORRELATIONS_TITLE, text, width, bottom + BOTTOM, parts)


def _label(metric: Metric, label: str) -> str:
    """The shortened name, with the additions of the label."""
    name, _ = metric
    return shortened(name) + label.removeprefix(name)


def _inlier(metric: Metric, coefficient: str, lines: Lines) -> dict | None:
    name, level = metric
    return lines.get((name, INLIERS, coefficient)) if level == SYSTEM else None


def _axis(scale: Scale, bottom: float) -> Iterator[SafeString]:
    for value, text in scale.ticks(4):
        yield line(scale.at(value), TOP, scale.at(value), bottom, "zero" if value == 0 else "grid")
        yield words(scale.at(value), bottom + BOTTOM / 2, text, "middle", "faded", SMALL)


def _marks(one: dict | None, wide: dict | None, inlier: dict | None, scale: Scale, y: float) -> Iterator[SafeString]:
    """Intervals, the point without outliers, the point, and its number."""
    for found, class_ in ((wide, "lead"), (one, "interval")):
        if found and found["low"] is not None and found["high"] is not None:
            yield line(scale.at(found["low"]), y, scale.at(found["high"]), y, class_)
    if inlier and inlier["value"] is not None:
        yield dot(scale.at(inlier["value"]), y, "point hollow", 3)
    if one and one["value"] is not None:
        yield dot(scale.at(one["value"]), y, radius=3.5)
        yield words(scale.end + GAP, y, number(one["value"]))
    else:
        yield words((scale.start + scale.end) / 2, y, "not known", "middle", "faded", SMALL)


def correlations_sentence(metrics: Mapping[Metric, str], lines: Lines, wide: Lines) -> str:
    """The best metric with its uncertainty, and the meaning of pale lines and hollow points."""
    sentences = [_correlations_best(metrics, lines)]
    if any(one["low"] is not None for one in wide.values()):
        sentences.append("The pale line is the interval over other systems instead of other judgments.")
    if any(level == INLIERS for _, level, _ in lines):
        sentences.append("A hollow point is the correlation without the systems that stand far apart from the others.")
    return " ".join(sentences)


def _correlations_best(metrics: Mapping[Metric, str], lines: Lines) -> str:
    known = [(label, found) for metric, label in metrics.items()
             if (found := lines.get((*metric, Coefficient.PEARSON))) and found["value"] is not None]  # fmt: skip
    if not known:
        return "No correlation by Pearson is known."
    (best, first), *others = known
    over = f"with people over {counted(first['systems'], 'system')}: {_value(first)}"
    if not others:
        return f"By Pearson {best} correlates {over}."
    text = f"By Pearson {best} correlates best {over}"
    second, runner_up = others[0]
    text += f". {second} comes second with {_value(runner_up)}"
    bounds = [runner_up["high"], first["low"]]
    if None in bounds:
        return f"{text}."
    if runner_up["high"] >= first["low"]:
        return f"{text}, and their intervals overlap."
    return f"{text}, and their intervals do not overlap."


def _value(one: dict) -> str:
    return number(one["value"]) + span(one["low"], one["high"])


METRIC_WINDOWS, WINDOWS_TITLE = "metric_windows", "Metrics among the best systems"
FOOT = "best systems counted"
WINDOWS_AXIS = 130
WINDOWS_MOST = 24
Curves = dict[str, dict[int, float | None]]


def metric_windows(tables: Mapping[str, Table]) -> list[Chart]:
    """The chart, if there are metrics and enough systems."""
    if METRIC_WINDOWS not in tables:
        return []
    curves = _curves(tables)
    if not curves:
        return []
    text = windows_sentence(curves)
    if len(curves) > WINDOWS_MOST:
        text += f" With {len(curves)} metrics there are too many curves for a chart; see the numbers below."
        return [Chart(METRIC_WINDOWS, WINDOWS_TITLE, text, NO_PICTURE, (METRIC_WINDOWS,))]
    panels = tuple(Panel(name, (Curve("", "curve", tuple(sorted(points.items()))),)) for name, points in curves.items())
    drawing = PanelChart(panels, FOOT, WINDOWS_AXIS)
    return [framed(METRIC_WINDOWS, WINDOWS_TITLE, text, drawing, (METRIC_WINDOWS,))]


def _curves(tables: Mapping[str, Table]) -> Curves:
    """Pearson by the number of best systems; metrics are ordered by their correlations over all systems."""
    found: Curves = {}
    lines: list[dict] = tables[METRIC_WINDOWS].dicts()
    for row in lines:
        if row["kind"] == "top" and row["coefficient"] == Coefficient.PEARSON and row["last"] is not None:
            # A metric given at two levels is here twice under one name; the first one is drawn.
            found.setdefault(str(row["metric"]), {}).setdefault(row["last"], row["value"])
    order = dict.fromkeys([*(name for name, _ in metrics_of(tables)), *found])
    return {name: found[name] for name in order if any(value is not None for value in found.get(name, {}).values())}


def windows_sentence(curves: Curves) -> str:
    """The best metric over all systems and over the better half, and the meaning of a fall."""
    most = max(last for points in curves.values() for last in points)
    half = max((last for points in curves.values() for last in points if last <= (most + 1) // 2), default=most)
    best = _windows_best(curves, most)
    if best is None:
        return "The correlations over all systems are not known."
    text = f"Over all {most} systems {best} correlates best ({number(curves[best][most])} by Pearson)"
    best_of_half = _windows_best(curves, half)
    if half == most or best_of_half is None:
        return f"{text}."
    text += f"; over the best {half} alone"
    if best_of_half == best:
        text += f" it still does ({number(curves[best][half])})."
    else:
        text += f" {best_of_half} does ({number(curves[best_of_half][half])}), and {best} has "
        text += f"{number(curves[best].get(half))}."
    return f"{text} A correlation that falls without poor systems depends on them."


def _windows_best(curves: Curves, last: int) -> str | None:
    known = {name: value for name, points in curves.items() if (value := points.get(last)) is not None}
    return max(known, key=lambda name: known[name], default=None)
