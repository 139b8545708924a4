"""Points with intervals in slots from left to right, joined by lines, in panels on the same axes.

A few lines share a panel, with names at their ends. If there are more, each gets its own panel, with the others pale
behind it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from django.utils.safestring import SafeString

from judgments.web.charts.drawing import SMALL, curve, dot, line, words
from judgments.web.charts.lettering import shortened, width_of
from judgments.web.charts.scale import Scale
from ranking.charts.drawing.panels import spread

TOP, HEIGHT, BOTTOM, GAP = 28, 170, 52, 10
LINE = 16
WIDE, NARROW, AXIS = 84, 24, 320
# Panels of one line each are smaller, so that several stand side by side.
LOW, SLIM, SHORT = 120, 48, 180
STYLES = ("curve", "curve dashed", "curve dotted")
RADIUS = 3.5
# The distance of points in one slot, and the share of the slot they may use.
APART, FULL = 9.0, 0.7
WIDEST = 900


class Point(NamedTuple):
    """A value in a slot, and its interval if known; a hollow one is not a measurement."""

    slot: int
    value: float
    low: float | None = None
    high: float | None = None
    is_hollow: bool = False


class Series(NamedTuple):
    """The points under one name; a level is the same in every slot and drawn as a line only."""

    name: str
    points: tuple[Point, ...]
    is_level: bool = False


class Panel(NamedTuple):
    """Series under one title, and pale ones behind them."""

    title: str
    series: tuple[Series, ...]
    behind: tuple[Series, ...] = ()

    def alone(self) -> Iterator["Panel"]:
        """A panel for each series, with the others behind it."""
        for one in self.series:
            others = tuple(other for other in self.series if other is not one)
            yield Panel(f"{shortened(one.name)}, {self.title}", (one,), others)


@dataclass(frozen=True)
class SlotChart:
    """Panels over the same slots; `foot` describes the slots, `least` is the highest start of the axes.

    `under` is a second line under the name of each slot.
    """

    panels: tuple[Panel, ...]
    slots: tuple[str, ...]
    foot: str
    least: float = 0.0
    under: tuple[str, ...] = ()

    @property
    def is_apart(self) -> bool:
        """Whether there are too many lines for one panel."""
        return max(len(panel.series) for panel in self.panels) > len(STYLES)

    @property
    def drawn(self) -> tuple[Panel, ...]:
        """The panels as drawn."""
        if not self.is_apart:
            return self.panels
        return tuple(alone for panel in self.panels for alone in panel.alone())

    @property
    def slot(self) -> float:
        """The width of a slot."""
        wide, axis = (SLIM, SHORT) if self.is_apart else (WIDE, AXIS)
        named = width_of([*self.slots, *self.under], SMALL) / self._every
        return max(NARROW, min(wide, axis / len(self.slots)), named + GAP)

    @property
    def _every(self) -> int:
        """The distance of named slots."""
        return max(1, len(self.slots) // 10)

    @property
    def height(self) -> float:
        """The height of a panel."""
        return LOW if self.is_apart else HEIGHT

    @property
    def bottom(self) -> float:
        """The space under a panel."""
        return BOTTOM + (LINE if self.under else 0)

    @property
    def size(self) -> tuple[float, float]:
        """The total width and height of a panel."""
        named = [shortened(one.name) for panel in self.drawn for one in panel.series if not panel.behind]
        labels = width_of(named, SMALL) + 2 * GAP
        heads = max(width_of([self.foot], SMALL), width_of([panel.title for panel in self.drawn]))
        axis = max(self.slot * len(self.slots), heads - labels + GAP)
        return self.margin + axis + labels, TOP + self.height + self.bottom

    @property
    def margin(self) -> float:
        """The width of the numbers of the upright axis."""
        return width_of([text for _, text in self.upright(0).ticks(5)], SMALL) + GAP

    @property
    def in_a_row(self) -> int:
        """The number of panels in a row."""
        return max(1, min(len(self.drawn), int(WIDEST // self.size[0])))

    @property
    def extent(self) -> tuple[float, float]:
        """The width and height of the drawing."""
        width, height = self.size
        return width * self.in_a_row, height * -(-len(self.drawn) // self.in_a_row)

    def upright(self, top: float) -> Scale:
        """The axis from below: up to 1, and from lower if any point is lower."""
        points = [point for panel in self.panels for one in panel.series for point in one.points]
        values = [value for point in points for value in (point.value, point.low, point.high) if value is not None]
        return Scale(min([self.least, *values]), max([1.0, *values]), top + TOP + self.height, top + TOP)

    def parts(self) -> Iterator[SafeString]:
        width, height = self.size
        for place, panel in enumerate(self.drawn):
            row, column = divmod(place, self.in_a_row)
            left = column * width + self.margin
            upright = self.upright(row * height)
            yield words(left, row * height + TOP / 2, panel.title, class_="name")
            yield from self._axes(left, upright)
            yield from self._behind(panel.behind, left, upright)
            yield from self._series(panel, left, upright)

    def _axes(self, left: float, upright: Scale) -> Iterator[SafeString]:
        right = left + self.slot * len(self.slots)
        for value, text in upright.ticks(5):
            yield line(left, upright.at(value), right, upright.at(value), "zero" if value == 0 else "grid")
            yield words(left - GAP / 2, upright.at(value), text, "end", "faded", SMALL)
        for number, text in enumerate(self.slots):
            if number % self._every == 0:
                middle = left + self.slot * (number + 0.5)
                yield words(middle, upright.start + 12, text, "middle", "faded", SMALL)
                if self.under:
                    yield words(middle, upright.start + 12 + LINE, self.under[number], "middle", "faded", SMALL)
        yield words(left, upright.start + self.bottom - 22, self.foot, class_="faded", size=SMALL)

    def _behind(self, series: Sequence[Series], left: float, upright: Scale) -> Iterator[SafeString]:
        for one in series:
            yield from self._joined(one, left, upright, "curve pale")

    def _joined(
        self, one: Series, left: float, upright: Scale, class_: str, beside: float = 0.0
    ) -> Iterator[SafeString]:
        """The line through the points, broken at slots without one."""
        for _, run in groupby(enumerate(one.points), key=lambda numbered: numbered[1].slot - numbered[0]):
            yield curve(((self._across(point, left) + beside, upright.at(point.value)) for _, point in run), class_)

    def _across(self, point: Point, left: float) -> float:
        return left + self.slot * (point.slot + 0.5)

    def _series(self, panel: Panel, left: float, upright: Scale) -> Iterator[SafeString]:
        apart = min(APART, FULL * self.slot / max(1, len(panel.series)))
        ends = []
        for number, one in enumerate(panel.series):
            beside = (number - (len(panel.series) - 1) / 2) * apart
            yield from self._joined(one, left, upright, STYLES[number], beside)
            for point in [] if one.is_level else one.points:
                yield from _mark(point, self._across(point, left) + beside, upright)
            if one.points and not panel.behind:
                last = one.points[-1]
                ends.append((one.name, self._across(last, left) + beside, upright.at(last.value)))
        yield from self._names(ends, left, upright)

    def _names(self, ends: Sequence[tuple[str, float, float]], left: float, upright: Scale) -> Iterator[SafeString]:
        """The name of each line, with a leader from its end."""
        edge = left + self.slot * len(self.slots)
        heights = spread([y for *_, y in ends], upright.end, upright.start)
        for (name, x, y), height in zip(ends, heights, strict=True):
            yield line(x + 2 * RADIUS, y, edge, height, "leader")
            yield words(edge + GAP / 2, height, shortened(name), size=SMALL)


def _mark(point: Point, x: float, upright: Scale) -> Iterator[SafeString]:
    if point.low is not None and point.high is not None:
        yield line(x, upright.at(point.low), x, upright.at(point.high), "interval")
    yield dot(x, upright.at(point.value), "point hollow" if point.is_hollow else "point", RADIUS)
