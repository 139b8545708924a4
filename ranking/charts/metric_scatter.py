"""The points behind correlations: one panel a metric, one point a system, people's scores across, the metric's upwards.

Names are beside the panel in the order of the points, each with a leader, since points of good systems lie close.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from django.utils.safestring import SafeString

from judgments.web.charts.chart import NO_PICTURE
from judgments.web.charts.chart import Plot as Chart
from judgments.web.charts.drawing import SMALL, TEXT, dot, line, words
from judgments.web.charts.lettering import shortened, width_of
from judgments.web.charts.numbers import counted, number
from judgments.web.charts.scale import Scale
from ranking.charts.drawing.framed import framed
from ranking.charts.drawing.order import Metric, metrics_of
from ranking.charts.drawing.panels import APART, GAP, WIDEST, spread
from ranking.numbers.correlation import pearson
from ranking.numbers.tables import Table

NAME, TITLE = "metric_scatter", "Systems by metrics and people"
FOOT = "score by people"
TOP, LEAST, BOTTOM, AXIS, LEADERS, RADIUS = 28, 150, 44, 200, 30, 3.5
MOST, MOST_SYSTEMS, FEWEST = 24, 60, 3


@dataclass(frozen=True)
class Point:
    """A system's scores by people and by a metric."""

    system: str
    people: float
    score: float


Points = dict[str, tuple[Point, ...]]


def metric_scatter(tables: Mapping[str, Table]) -> list[Chart]:
    """The chart, if metrics have scores of systems that people judged."""
    if NAME not in tables:
        return []
    points = _points(tables)
    if not points:
        return []
    text = sentence(points)
    systems = max(map(len, points.values()))
    if len(points) > MOST or systems > MOST_SYSTEMS:
        many = counted(len(points), "metric") if len(points) > MOST else counted(systems, "system")
        text += f" With {many} a chart would be too crowded; see the numbers below."
        return [Chart(NAME, TITLE, text, NO_PICTURE, (NAME,))]
    drawing = Scatter(points)
    return [framed(NAME, TITLE, text, drawing, (NAME,))]


def _points(tables: Mapping[str, Table]) -> Points:
    """The known points of every metric, by its label, in the order of the other charts."""
    found: dict[Metric, list[Point]] = {}
    lines: list[dict] = tables[NAME].dicts()
    for one in lines:
        here = found.setdefault((str(one["metric"]), str(one["level"])), [])
        if one["people"] is not None and one["score"] is not None:
            here.append(Point(str(one["system"]), one["people"], one["score"]))
    known = metrics_of(tables)
    names = [name for name, _ in found]
    labels = {
        (name, level): known.get((name, level), f"{name} ({level})" if names.count(name) > 1 else name)
        for name, level in [*(metric for metric in known if metric in found), *found]
    }
    return {label: tuple(found[metric]) for metric, label in labels.items() if found[metric]}


@dataclass(frozen=True)
class Scatter:
    """Panels that share the axis of people; each metric has its own axis, as the units differ."""

    points: Points

    @cached_property
    def height(self) -> float:
        """The height of a metric's axis, with room for the name of each system."""
        return max(LEAST, APART * max(map(len, self.points.values())))

    @cached_property
    def margin(self) -> float:
        """The width of the numbers of the upright axes."""
        text = [text for points in self.points.values() for _, text in self.upright(points, 0).ticks(4)]
        return width_of(text, SMALL) + GAP

    @cached_property
    def size(self) -> tuple[float, float]:
        """The total width and height of a panel."""
        names = [shortened(point.system) for points in self.points.values() for point in points]
        return self.margin + AXIS + LEADERS + width_of(names, SMALL) + 2 * GAP, TOP + self.height + BOTTOM

    @property
    def in_a_row(self) -> int:
        """The number of panels in a row."""
        return max(1, min(len(self.points), int(WIDEST // self.size[0])))

    @property
    def extent(self) -> tuple[float, float]:
        """The width and height of the drawing."""
        width, height = self.size
        return width * self.in_a_row, height * -(-len(self.points) // self.in_a_row)

    def across(self, left: float) -> Scale:
        """The axis of people."""
        values = [point.people for points in self.points.values() for point in points]
        return Scale.around(values, left, left + AXIS)

    def upright(self, points: Sequence[Point], top: float) -> Scale:
        """The axis of a metric, from below."""
        return Scale.around([point.score for point in points], top + TOP + self.height, top + TOP)

    def parts(self) -> Iterator[SafeString]:
        width, height = self.size
        for place, (label, points) in enumerate(self.points.items()):
            row, column = divmod(place, self.in_a_row)
            across = self.across(column * width + self.margin)
            upright = self.upright(points, row * height)
            name = shortened(label, (AXIS + LEADERS) / TEXT)
            yield words(across.start, row * height + TOP / 2, name, class_="name")
            yield from _axes(across, upright)
            yield from _named(points, across, upright)


def _axes(across: Scale, upright: Scale) -> Iterator[SafeString]:
    for value, text in upright.ticks(4):
        yield line(across.start, upright.at(value), across.end, upright.at(value), "grid")
        yield words(across.start - GAP / 2, upright.at(value), text, "end", "faded", SMALL)
    for value, text in across.ticks(5):
        yield line(across.at(value), upright.start, across.at(value), upright.end, "grid")
        yield words(across.at(value), upright.start + 12, text, "middle", "faded", SMALL)
    yield words(across.start, upright.start + 28, FOOT, class_="faded", size=SMALL)


def _named(points: Sequence[Point], across: Scale, upright: Scale) -> Iterator[SafeString]:
    """Points with names; of points at equal heights the leftmost gets the upper name, so that fewer leaders cross."""
    ordered = sorted(points, key=lambda point: (-point.score, point.people))
    heights = spread([upright.at(point.score) for point in ordered], upright.end, upright.start)
    edge = across.end + LEADERS
    for point, height in zip(ordered, heights, strict=True):
        yield line(across.at(point.people), upright.at(point.score), edge - GAP / 2, height, "leader")
    for point, height in zip(ordered, heights, strict=True):
        yield dot(across.at(point.people), upright.at(point.score), radius=RADIUS)
        yield words(edge, height, shortened(point.system), size=SMALL)


def sentence(points: Points) -> str:
    """The metric whose systems lie closest to a rising line, its farthest system, and what that means."""
    text = "Each point is a system: its score by people across, by the metric upwards."
    known = {label: value for label, some in points.items() if (value := _correlation(some)) is not None}
    if not known:
        return text
    best = max(known, key=lambda label: known[label])
    text += f" By {best} they lie nearest to a rising line" if len(known) > 1 else f" By {best} they lie near a line"
    text += f" ({number(known[best])} by Pearson)"
    away = _farthest(points[best])
    text += f", and {away.system} lies farthest from it" if len(points[best]) > FEWEST else ""
    return f"{text}. If one point is far from a cloud of others, the correlation depends on it."


def _correlation(points: Sequence[Point]) -> float | None:
    """Pearson's r, if there are enough systems with different scores."""
    if len(points) < FEWEST:
        return None
    value = float(pearson(*_sides(points)))
    return None if np.isnan(value) else value


def _farthest(points: Sequence[Point]) -> Point:
    """The system farthest above or below the least-squares line."""
    people, scores = _sides(points)
    people, scores = people - people.mean(), scores - scores.mean()
    slope = (people * scores).sum() / (people**2).sum()
    return points[int(np.argmax(np.abs(scores - slope * people)))]


def _sides(points: Sequence[Point]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([point.people for point in points]), np.array([point.score for point in points])
