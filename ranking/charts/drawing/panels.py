"""Small line charts on the same axes: one panel a metric, with the name of each curve at its end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from django.utils.safestring import SafeString

from judgments.web.charts.drawing import SMALL, TEXT, curve, dot, line, words
from judgments.web.charts.lettering import shortened, width_of
from judgments.web.charts.scale import Scale

TOP, HEIGHT, BOTTOM, AXIS, GAP = 28, 150, 44, 220, 10
# The least distance between the names of two curves.
APART = 16
WIDEST = 900
Point = tuple[float, float | None]


@dataclass(frozen=True)
class Curve:
    """Points from left to right, with gaps at unknown values; its label; the marked point."""

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
        """The height of a panel, with room for the names of all curves."""
        return max(HEIGHT, APART * max(len(panel.curves) for panel in self.panels))

    @property
    def labels(self) -> float:
        """The width of the names of curves."""
        return width_of([curve.label for panel in self.panels for curve in panel.curves], SMALL) + GAP

    @property
    def margin(self) -> float:
        """The width of the numbers of the upright axis."""
        return width_of([text for _, text in self.upright(0).ticks(4)], SMALL) + GAP

    @property
    def size(self) -> tuple[float, float]:
        """The total width and height of a panel."""
        return self.margin + self.axis + self.labels + GAP, TOP + self.height + BOTTOM

    @property
    def in_a_row(self) -> int:
        """The number of panels in a row."""
        return max(1, min(len(self.panels), int(WIDEST // self.size[0])))

    @property
    def extent(self) -> tuple[float, float]:
        """The width and height of the drawing."""
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
        width, height = self.size
        for place, panel in enumerate(self.panels):
            row, column = divmod(place, self.in_a_row)
            across, upright = self.across(column * width + self.margin), self.upright(row * height)
            name = shortened(panel.name, (self.axis + self.labels) / TEXT)
            yield words(across.start, row * height + TOP / 2, name, class_="name")
            yield from self._axes(across, upright)
            yield from _curves(panel.curves, across, upright)

    def _axes(self, across: Scale, upright: Scale) -> Iterator[SafeString]:
        for value, text in upright.ticks(4):
            yield line(across.start, upright.at(value), across.end, upright.at(value), "zero" if value == 0 else "grid")
            yield words(across.start - GAP / 2, upright.at(value), text, "end", "faded", SMALL)
        for value, text in across.ticks(5):
            yield words(across.at(value), upright.start + 12, text, "middle", "faded", SMALL)
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
    """Heights close to those wanted, in the same order, at least a line of text apart."""
    order = sorted(range(len(wanted)), key=lambda place: wanted[place])
    heights = list(wanted)
    for before, place in pairwise(order):
        heights[place] = max(heights[place], heights[before] + APART)
    lowest = bottom
    for place in reversed(order):
        heights[place] = min(heights[place], lowest)
        lowest = heights[place] - APART
    return [max(height, top - APART) for height in heights]
