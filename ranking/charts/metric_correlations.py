"""Agreement of metrics with people: one row per metric, one panel per coefficient, points with intervals.

The second chart shows whether a correlation depends on the poor systems: Pearson among the best systems alone.
"""

from collections.abc import Iterator, Mapping, Sequence

from django.utils.safestring import SafeString

from judgments.web.charts.drawing import SMALL, Chart, box, dot, line, shortened, width_of, words
from judgments.web.charts.numbers import counted, number, span
from judgments.web.charts.scale import Scale
from ranking.charts.drawing.order import CORRELATIONS, Metric, metrics_of
from ranking.charts.drawing.panels import Curve, Panel, PanelChart
from ranking.charts.drawing.sheets import BOTTOM, ROW, Sheet, axis, lines_of, plotted
from ranking.numbers.tables import Table
from ranking.stats.comparisons.metrics import INLIERS
from ranking.stats.metaevaluation.correlations import Coefficient
from ranking.stats.metaevaluation.overview import INLIER, NAME
from ranking.stats.metaevaluation.tables import ON_SENTENCES, SYSTEM

CORRELATIONS_TITLE, INTERVALS = "Correlations with people", "metric_intervals"
TOP, GAP, CORRELATIONS_AXIS, FIGURES, CORRELATIONS_MOST = 28, 12, 180, 56, 60
# The interval over other systems is drawn behind the one over other judgments.
SYSTEMS = "system"
Key = tuple[str, str, str]
Lines = dict[Key, dict]


def metric_correlations(tables: Mapping[str, Table]) -> list[Chart]:
    metrics = metrics_of(tables)
    if not metrics:
        return []
    lines = {_key(one): one for one in lines_of(tables, CORRELATIONS)}
    wide = {_key(one): one for one in lines_of(tables, INTERVALS) if one["drawn"] == SYSTEMS}
    text = correlations_sentence(metrics, lines, wide)
    used = tuple(name for name in (CORRELATIONS, INTERVALS) if name in tables)
    too_large = ""
    if len(metrics) > CORRELATIONS_MOST:
        too_large = f"With {counted(len(metrics), 'metric')} a chart would be too long"
    return plotted(CORRELATIONS, CORRELATIONS_TITLE, text, lambda: _sheet(metrics, lines, wide), too_large, used)


def meta_evaluation(tables: Mapping[str, Table]) -> list[Chart]:
    """Pearson's r of every metric, a panel for each ranking by people, hollow without outliers."""
    rows = lines_of(tables, NAME)
    ways = tuple(dict.fromkeys(str(row["people"]) for row in rows if not str(row["people"]).endswith(INLIER)))
    if not ways:
        return []
    lines: Lines = {}
    for row in rows:
        way, level = str(row["people"]).removesuffix(INLIER), INLIERS if row["people"] not in ways else SYSTEM
        found = {end or "value": row[f"system_pearson{end and '_'}{end}"] for end in ("", "low", "high")}
        lines[str(row["metric"]), level, way] = found
    first = {name: one["value"] for (name, level, way), one in lines.items() if (level, way) == (SYSTEM, ways[0])}
    order = sorted(dict.fromkeys(name for name, *_ in lines), key=lambda name: (-(first.get(name) or -2), name))
    metrics = {(name, SYSTEM): name for name in order}
    text = "Pearson's r with each ranking by people."
    if any(level == INLIERS for _, level, _ in lines):
        text += " A hollow point is r without the systems that stand far apart."
    too_large = "" if len(metrics) <= CORRELATIONS_MOST else f"{counted(len(metrics), 'metric')} make it too long"
    return plotted(NAME, "Metrics and rankings", text, lambda: _sheet(metrics, lines, {}, ways), too_large)


def _key(one: dict) -> Key:
    return str(one["metric"]), str(one["level"]), str(one["coefficient"])


def _sheet(metrics: Mapping[Metric, str], lines: Lines, wide: Lines, panels: Sequence[str] = ()) -> Sheet:
    # Shorten the name, but not the level that a label may add.
    names = [shortened(name) + label.removeprefix(name) for (name, _), label in metrics.items()]
    start, bottom = width_of(names) + GAP, TOP + ROW * len(names)
    panels = panels or [*Coefficient, *(name for name in ON_SENTENCES if any((*one, name) in lines for one in metrics))]
    shown = [found.get((*metric, name), {}) for found in (lines, wide) for metric in metrics for name in panels]
    known = [one[column] for one in shown for column in ("value", "low", "high") if one.get(column) is not None]
    width = start + len(panels) * (CORRELATIONS_AXIS + FIGURES + GAP)
    parts = [box(0, TOP + ROW * row, width, ROW, "band") for row in range(0, len(names), 2)]
    parts += [words(start - GAP, TOP + ROW * (row + 0.5), name, "end", "name") for row, name in enumerate(names)]
    for place, panel in enumerate(panels):
        left = start + place * (CORRELATIONS_AXIS + FIGURES + GAP)
        scale = Scale.around([0.0, *known], left, left + CORRELATIONS_AXIS)
        parts.append(
            words(left, TOP / 2, f"{panel[:1].upper()}{panel[1:]}".replace("_", " "), class_="faded", size=SMALL)
        )
        parts += axis(scale, 4, TOP, bottom)
        for row, (name, level) in enumerate(metrics):
            one, behind = (found.get((name, level, panel)) for found in (lines, wide))
            inlier = lines.get((name, INLIERS, panel)) if level == SYSTEM else None
            parts += _marks(one, behind, inlier, scale, TOP + ROW * (row + 0.5))
    return width, bottom + BOTTOM, parts


def _marks(one: dict | None, wide: dict | None, inlier: dict | None, scale: Scale, y: float) -> Iterator[SafeString]:
    """Draw the intervals, the point without outliers, the point, and its number."""
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
    if None in (runner_up["high"], first["low"]):
        return f"{text}."
    return f"{text}, and their intervals {'overlap' if runner_up['high'] >= first['low'] else 'do not overlap'}."


def _value(one: dict) -> str:
    return number(one["value"]) + span(one["low"], one["high"])


METRIC_WINDOWS, WINDOWS_TITLE = "metric_windows", "Metrics among the best systems"
FOOT = "best systems counted"
WINDOWS_AXIS, WINDOWS_MOST = 130, 24
Curves = dict[str, dict[int, float | None]]


def metric_windows(tables: Mapping[str, Table]) -> list[Chart]:
    curves = _curves(tables)
    if not curves:
        return []
    many = len(curves)
    too_large = f"With {many} metrics there are too many curves for a chart" if many > WINDOWS_MOST else ""
    panels = tuple(Panel(name, (Curve("", "curve", tuple(sorted(points.items()))),)) for name, points in curves.items())
    drawing = PanelChart(panels, FOOT, WINDOWS_AXIS)
    return plotted(METRIC_WINDOWS, WINDOWS_TITLE, windows_sentence(curves), drawing.sheet, too_large)


def _curves(tables: Mapping[str, Table]) -> Curves:
    """Read Pearson's r by the number of best systems; metrics are ordered by r over all systems."""
    found: Curves = {}
    for row in lines_of(tables, METRIC_WINDOWS, "last"):
        if row["kind"] == "top" and row["coefficient"] == Coefficient.PEARSON:
            # A metric given at two levels has two rows under one name; the first is drawn.
            found.setdefault(str(row["metric"]), {}).setdefault(row["last"], row["value"])
    order = dict.fromkeys([*(name for name, _ in metrics_of(tables)), *found])
    return {name: found[name] for name in order if any(value is not None for value in found.get(name, {}).values())}


def windows_sentence(curves: Curves) -> str:
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
