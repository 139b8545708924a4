"""How well metrics agree with people: a row a metric, a panel a coefficient, points with their intervals."""

from collections.abc import Iterator, Mapping

from django.utils.safestring import SafeString

from judgments.web.charts.chart import NO_PICTURE, Plot
from judgments.web.charts.drawing import SMALL, box, dot, frame, line, words
from judgments.web.charts.lettering import shortened, width_of
from judgments.web.charts.numbers import counted, number, span
from judgments.web.charts.scale import Scale
from ranking.plots.order import CORRELATIONS, Metric, metrics_of
from ranking.stats.metaevaluation.correlations import Coefficient
from ranking.stats.sections.metric_correlations import INLIERS
from ranking.stats.sections.people import SYSTEM
from ranking.stats.tables import Table

NAME, TITLE, INTERVALS = CORRELATIONS, "Correlations with people", "metric_intervals"
PANELS = {coefficient: coefficient.capitalize() for coefficient in Coefficient}
ROW, TOP, BOTTOM, GAP, AXIS, FIGURES = 28, 28, 28, 12, 180, 56
MOST = 60
# An interval over other systems is drawn behind that over other judgments.
SYSTEMS = "system"
Key = tuple[str, str, str]
Lines = dict[Key, dict]


def metric_correlations(tables: Mapping[str, Table]) -> list[Plot]:
    """The plot, if metrics were set against people over systems."""
    metrics = metrics_of(tables)
    if not metrics:
        return []
    lines = {_key(one): one for one in tables[NAME].dicts()}
    others = [one for one in tables[INTERVALS].dicts() if one["drawn"] == SYSTEMS] if INTERVALS in tables else []
    wide = {_key(one): one for one in others}
    told = sentence(metrics, lines, wide)
    used = tuple(name for name in (NAME, INTERVALS) if name in tables)
    if len(metrics) > MOST:
        told += f" With {counted(len(metrics), 'metric')} a picture would be too long; the numbers have them all."
        return [Plot(NAME, TITLE, told, NO_PICTURE, used)]
    return [Plot(NAME, TITLE, told, _picture(metrics, lines, wide, told), used)]


def _key(one: dict) -> Key:
    return str(one["metric"]), str(one["level"]), str(one["coefficient"])


def _picture(metrics: Mapping[Metric, str], lines: Lines, wide: Lines, told: str) -> SafeString:
    names = [_label(metric, label) for metric, label in metrics.items()]
    start, bottom = width_of(names) + GAP, TOP + ROW * len(names)
    shown = [found.get((*metric, name), {}) for found in (lines, wide) for metric in metrics for name in PANELS]
    known = [one[column] for one in shown for column in ("value", "low", "high") if one.get(column) is not None]
    width = start + len(PANELS) * (AXIS + FIGURES + GAP)
    parts = [box(0, TOP + ROW * row, width, ROW, "band") for row in range(0, len(names), 2)]
    parts += [words(start - GAP, TOP + ROW * (row + 0.5), name, "end", "name") for row, name in enumerate(names)]
    for place, (coefficient, head) in enumerate(PANELS.items()):
        left = start + place * (AXIS + FIGURES + GAP)
        scale = Scale.around([0.0, *known], left, left + AXIS)
        parts.append(words(left, TOP / 2, head, class_="faded", size=SMALL))
        parts += _axis(scale, bottom)
        for row, metric in enumerate(metrics):
            found = (
                lines.get((*metric, coefficient)),
                wide.get((*metric, coefficient)),
                _inlier(metric, coefficient, lines),
            )
            parts += _marks(*found, scale, TOP + ROW * (row + 0.5))
    return frame(NAME, TITLE, told, width, bottom + BOTTOM, parts)


def _label(metric: Metric, label: str) -> str:
    """The name as it fits, with what the label says besides it."""
    name, _ = metric
    return shortened(name) + label.removeprefix(name)


def _inlier(metric: Metric, coefficient: str, lines: Lines) -> dict | None:
    name, level = metric
    return lines.get((name, INLIERS, coefficient)) if level == SYSTEM else None


def _axis(scale: Scale, bottom: float) -> Iterator[SafeString]:
    for value, told in scale.ticks(4):
        yield line(scale.at(value), TOP, scale.at(value), bottom, "zero" if value == 0 else "grid")
        yield words(scale.at(value), bottom + BOTTOM / 2, told, "middle", "faded", SMALL)


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


def sentence(metrics: Mapping[Metric, str], lines: Lines, wide: Lines) -> str:
    """Which metric correlates best, how surely, and what pale lines and hollow points are."""
    told = [_best(metrics, lines)]
    if any(one["low"] is not None for one in wide.values()):
        told.append("The pale line is the interval over other systems instead of other judgments.")
    if any(level == INLIERS for _, level, _ in lines):
        told.append("A hollow point is the correlation without the systems that stand far apart from the others.")
    return " ".join(told)


def _best(metrics: Mapping[Metric, str], lines: Lines) -> str:
    known = [(label, found) for metric, label in metrics.items()
             if (found := lines.get((*metric, Coefficient.PEARSON))) and found["value"] is not None]  # fmt: skip
    if not known:
        return "No correlation by Pearson is known."
    (best, first), *others = known
    over = f"with people over {counted(first['systems'], 'system')}: {_told(first)}"
    if not others:
        return f"By Pearson {best} correlates {over}."
    told = f"By Pearson {best} correlates best {over}"
    second, runner_up = others[0]
    told += f". {second} comes second with {_told(runner_up)}"
    bounds = [runner_up["high"], first["low"]]
    if None in bounds:
        return f"{told}."
    if runner_up["high"] >= first["low"]:
        return f"{told}, and their intervals overlap."
    return f"{told}, and their intervals do not overlap."


def _told(one: dict) -> str:
    return number(one["value"]) + span(one["low"], one["high"])
