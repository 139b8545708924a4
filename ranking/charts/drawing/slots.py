"""Points with intervals in slots from left to right, joined by lines, in panels on the same axes.

A few lines share a panel, with names at their ends. If there are more, each gets its own panel, with the others pale in
the background.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from django.utils.safestring import SafeString

from judgments.web.charts.drawing import SMALL, curve, dot, line, shortened, width_of, words
from judgments.web.charts.scale import Scale
from ranking.charts.drawing.panels import spread
from ranking.charts.drawing.sheets import STYLES, Sheet, side_by_side

TOP, HEIGHT, BOTTOM, GAP = 28, 170, 52, 10
LINE = 16
WIDE, NARROW, AXIS = 84, 24, 320
# Panels with a single line are smaller, so that several fit side by side.
LOW, SLIM, SHORT = 120, 48, 180
RADIUS = 3.5
# The distance between points in a slot, and the share of the slot that they may use.
APART, FULL = 9.0, 0.7


class Point(NamedTuple):
    """A value in a slot, and its interval if known; a hollow one is not a measurement."""

    slot: int
    value: float
    low: float | None = None
    high: float | None = None
    is_hollow: bool = False


class Series(NamedTuple):
    """Points under one name; a level is the same in every slot and drawn as a line only."""

    name: str
    points: tuple[Point, ...]
    is_level: bool = False


class Panel(NamedTuple):
    """Series under one title, and pale ones in the background."""

    title: str
    series: tuple[Series, ...]
    behind: tuple[Series, ...] = ()

    def alone(self) -> Iterator["Panel"]:
        for one in self.series:
            others = tuple(other for other in self.series if other is not one)
            yield Panel(f"{shortened(one.name)}, {self.title}", (one,), others)


@dataclass(frozen=True)
class SlotChart:
    """Panels over the same slots; `foot` describes the slots.

    Vertical axes begin at `least`, or lower if a value is lower; `under` is a second line of text below each slot.
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
    def slot(self) -> float:
        wide, axis = (SLIM, SHORT) if self.is_apart else (WIDE, AXIS)
        named = width_of([*self.slots, *self.under], SMALL) / self._every
        return max(NARROW, min(wide, axis / len(self.slots)), named + GAP)

    @property
    def _every(self) -> int:
        """Every how many slots one is named."""
        return max(1, len(self.slots) // 10)

    def sheet(self) -> Sheet:
        panels = [alone for panel in self.panels for alone in panel.alone()] if self.is_apart else self.panels
        tall, bottom = LOW if self.is_apart else HEIGHT, BOTTOM + (LINE if self.under else 0)
        points = [point for panel in self.panels for one in panel.series for point in one.points]
        values = [value for point in points for value in point[1:4] if value is not None]
        upright = Scale(min([self.least, *values]), max([1.0, *values]), TOP + tall, TOP)
        margin = width_of([text for _, text in upright.ticks(5)], SMALL) + GAP
        labels = width_of([shortened(one.name) for panel in panels for one in panel.series if not panel.behind], SMALL)
        heads = max(width_of([self.foot], SMALL), width_of([panel.title for panel in panels]))
        axis = max(self.slot * len(self.slots), heads - (labels + 2 * GAP) + GAP)
        size = margin + axis + (labels + 2 * GAP), TOP + tall + bottom
        width, height, corners = side_by_side(*size, len(panels))
        parts: list[SafeString] = []
        for panel, (left, top) in zip(panels, corners, strict=True):
            parts.append(words(left + margin, top + TOP / 2, panel.title, class_="name"))
            here = replace(upright, start=top + TOP + tall, end=top + TOP)
            parts += self._axes(left + margin, here, bottom)
            for one in panel.behind:
                parts += self._joined(one, left + margin, here, "curve pale")
            parts += self._series(panel, left + margin, here)
        return width, height, parts

    def _axes(self, left: float, upright: Scale, bottom: float) -> Iterator[SafeString]:
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
        yield words(left, upright.start + bottom - 22, self.foot, class_="faded", size=SMALL)

    def _joined(
        self, one: Series, left: float, upright: Scale, class_: str, shift: float = 0.0
    ) -> Iterator[SafeString]:
        """Draw the line through the points, broken at slots without one."""
        for _, run in groupby(enumerate(one.points), key=lambda numbered: numbered[1].slot - numbered[0]):
            yield curve(((self._across(point, left) + shift, upright.at(point.value)) for _, point in run), class_)

    def _across(self, point: Point, left: float) -> float:
        return left + self.slot * (point.slot + 0.5)

    def _series(self, panel: Panel, left: float, upright: Scale) -> Iterator[SafeString]:
        apart = min(APART, FULL * self.slot / max(1, len(panel.series)))
        ends = []
        for number, one in enumerate(panel.series):
            shift = (number - (len(panel.series) - 1) / 2) * apart
            yield from self._joined(one, left, upright, STYLES[number], shift)
            for point in [] if one.is_level else one.points:
                yield from _mark(point, self._across(point, left) + shift, upright)
            if one.points and not panel.behind:
                last = one.points[-1]
                ends.append((one.name, self._across(last, left) + shift, upright.at(last.value)))
        edge = left + self.slot * len(self.slots)
        heights = spread([y for *_, y in ends], upright.end, upright.start)
        for (name, x, y), height in zip(ends, heights, strict=True):
            yield line(x + 2 * RADIUS, y, edge, height, "leader")
            yield words(edge + GAP / 2, height, shortened(name), size=SMALL)


def _mark(point: Point, x: float, upright: Scale) -> Iterator[SafeString]:
    if point.low is not None and point.high is not None:
        yield line(x, upright.at(point.low), x, upright.at(point.high), "interval")
    yield dot(x, upright.at(point.value), "point hollow" if point.is_hollow else "point", RADIUS)
