"""Small line charts on the same axes: one panel per metric, with the name of each curve at its end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from django.utils.safestring import SafeString

from judgments.web.charts.drawing import SMALL, TEXT, curve, dot, line, shortened, width_of, words
from judgments.web.charts.scale import Scale
from ranking.charts.drawing.sheets import Sheet, side_by_side

TOP, HEIGHT, BOTTOM, AXIS, GAP = 28, 150, 44, 220, 10
# The least distance between the names of two curves.
APART = 16
Point = tuple[float, float | None]


@dataclass(frozen=True)
class Curve:
    """Points from left to right, with gaps at unknown values, and one marked point."""

    label: str
    class_: str
    points: tuple[Point, ...]
    marked: Point | None = None

    @property
    def known(self) -> list[tuple[float, float]]:
        return [(x, y) for x, y in self.points if y is not None]


@dataclass(frozen=True)
class Panel:
    name: str
    curves: tuple[Curve, ...]


@dataclass(frozen=True)
class PanelChart:
    """Panels that share their axes; `axis` is the length of the horizontal one."""

    panels: tuple[Panel, ...]
    foot: str
    axis: float = AXIS

    def sheet(self) -> Sheet:
        curves = [curve for panel in self.panels for curve in panel.curves]
        # Leave room for the names of all curves.
        tall = max(HEIGHT, APART * max(len(panel.curves) for panel in self.panels))
        labels = width_of([curve.label for curve in curves], SMALL) + GAP
        upright = Scale.around([y for curve in curves for _, y in curve.known], TOP + tall, TOP)
        margin = width_of([text for _, text in upright.ticks(4)], SMALL) + GAP
        across = Scale.around([x for curve in curves for x, _ in curve.points], margin, margin + self.axis)
        size = margin + self.axis + labels + GAP, TOP + tall + BOTTOM
        width, height, corners = side_by_side(*size, len(self.panels))
        parts: list[SafeString] = []
        for panel, (left, top) in zip(self.panels, corners, strict=True):
            here = replace(across, start=left + margin, end=left + margin + self.axis)
            name = shortened(panel.name, (self.axis + labels) / TEXT)
            parts.append(words(here.start, top + TOP / 2, name, class_="name"))
            there = replace(upright, start=top + TOP + tall, end=top + TOP)
            parts += [*axes(here, there, self.foot), *_curves(panel.curves, here, there)]
        return width, height, parts


def axes(across: Scale, upright: Scale, foot: str, is_grid: bool = False) -> Iterator[SafeString]:
    """Draw lines at the ticks of the vertical axis; in a grid, also of the horizontal one, and none marks zero."""
    for value, text in upright.ticks(4):
        class_ = "zero" if value == 0 and not is_grid else "grid"
        yield line(across.start, upright.at(value), across.end, upright.at(value), class_)
        yield words(across.start - GAP / 2, upright.at(value), text, "end", "faded", SMALL)
    for value, text in across.ticks(5):
        if is_grid:
            yield line(across.at(value), upright.start, across.at(value), upright.end, "grid")
        yield words(across.at(value), upright.start + 12, text, "middle", "faded", SMALL)
    yield words(across.start, upright.start + 28, foot, class_="faded", size=SMALL)


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
    """Return heights close to those wanted, in the same order, at least a line of text apart."""
    order = sorted(range(len(wanted)), key=lambda place: wanted[place])
    heights = list(wanted)
    for before, place in pairwise(order):
        heights[place] = max(heights[place], heights[before] + APART)
    lowest = bottom
    for place in reversed(order):
        heights[place] = min(heights[place], lowest)
        lowest = heights[place] - APART
    return [max(height, top - APART) for height in heights]
