"""Small line charts side by side, on the same axes: a panel a metric, with the name of each curve at its end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from django.utils.safestring import SafeString

from judgments.web.charts.drawing import SMALL, TEXT, curve, dot, line, words
from judgments.web.charts.lettering import shortened, width_of
from judgments.web.charts.scale import Scale

TOP, HEIGHT, BOTTOM, AXIS, GAP = 28, 150, 44, 220, 10
# How near the ends of two curves may be told.
APART = 16
WIDEST = 900
Point = tuple[float, float | None]


@dataclass(frozen=True)
class Curve:
    """Points from the left, a gap where a value is not known; its label; the point that is marked."""

    label: str
    class_: str
    points: tuple[Point, ...]
    marked: Point | None = None

    @property
    def known(self) -> list[tuple[float, float]]:
        """The points that have a value."""
        return [(x, y) for x, y in self.points if y is not None]


@dataclass(frozen=True)
class Panel:
    """Curves under one name."""

    name: str
    curves: tuple[Curve, ...]


@dataclass(frozen=True)
class PanelChart:
    """Panels that share their axes."""

    panels: tuple[Panel, ...]
    foot: str
    axis: float = AXIS

    @property
    def height(self) -> float:
        """How high a panel is: so that the names of all curves have room."""
        return max(HEIGHT, APART * max(len(panel.curves) for panel in self.panels))

    @property
    def labels(self) -> float:
        """How much room the names of curves take."""
        return width_of([curve.label for panel in self.panels for curve in panel.curves], SMALL) + GAP

    @property
    def margin(self) -> float:
        """How much room the numbers of the upright axis take."""
        return width_of([told for _, told in self.upright(0).ticks(4)], SMALL) + GAP

    @property
    def size(self) -> tuple[float, float]:
        """How wide and high a panel is with all that belongs to it."""
        return self.margin + self.axis + self.labels + GAP, TOP + self.height + BOTTOM

    @property
    def in_a_row(self) -> int:
        """How many panels stand side by side."""
        return max(1, min(len(self.panels), int(WIDEST // self.size[0])))

    @property
    def whole(self) -> tuple[float, float]:
        """How wide and high all of it is."""
        width, height = self.size
        return width * self.in_a_row, height * -(-len(self.panels) // self.in_a_row)

    def across(self, left: float) -> Scale:
        """The axis from left to right."""
        values = [x for panel in self.panels for curve in panel.curves for x, _ in curve.points]
        return Scale.around(values, left, left + self.axis)

    def upright(self, top: float) -> Scale:
        """The axis from below."""
        values = [y for panel in self.panels for curve in panel.curves for _, y in curve.known]
        return Scale.around(values, top + TOP + self.height, top + TOP)

    def parts(self) -> Iterator[SafeString]:
        """Everything that is drawn."""
        width, height = self.size
        for place, panel in enumerate(self.panels):
            row, column = divmod(place, self.in_a_row)
            across, upright = self.across(column * width + self.margin), self.upright(row * height)
            name = shortened(panel.name, (self.axis + self.labels) / TEXT)
            yield words(across.start, row * height + TOP / 2, name, class_="name")
            yield from self._axes(across, upright)
            yield from _curves(panel.curves, across, upright)

    def _axes(self, across: Scale, upright: Scale) -> Iterator[SafeString]:
        for value, told in upright.ticks(4):
            yield line(across.start, upright.at(value), across.end, upright.at(value), "zero" if value == 0 else "grid")
            yield words(across.start - GAP / 2, upright.at(value), told, "end", "faded", SMALL)
        for value, told in across.ticks(5):
            yield words(across.at(value), upright.start + 12, told, "middle", "faded", SMALL)
        yield words(across.start, upright.start + 28, self.foot, class_="faded", size=SMALL)


def _curves(curves: Sequence[Curve], across: Scale, upright: Scale) -> Iterator[SafeString]:
    for one in curves:
        for is_known, points in groupby(one.points, key=lambda point: point[1] is not None):
            if is_known:
                yield curve(((across.at(x), upright.at(y)) for x, y in points if y is not None), one.class_)
        if one.marked and one.marked[1] is not None:
            yield dot(across.at(one.marked[0]), upright.at(one.marked[1]), radius=4)
    named = [one for one in curves if one.known and one.label]
    heights = spread([upright.at(one.known[-1][1]) for one in named], upright.end, upright.start)
    for one, y in zip(named, heights, strict=True):
        yield words(across.end + GAP / 2, y, one.label, size=SMALL)


def spread(wanted: Sequence[float], top: float, bottom: float) -> list[float]:
    """Heights near those wanted, in their order, no two nearer than a line of text."""
    order = sorted(range(len(wanted)), key=lambda place: wanted[place])
    heights = list(wanted)
    for before, place in pairwise(order):
        heights[place] = max(heights[place], heights[before] + APART)
    lowest = bottom
    for place in reversed(order):
        heights[place] = min(heights[place], lowest)
        lowest = heights[place] - APART
    return [max(height, top - APART) for height in heights]
