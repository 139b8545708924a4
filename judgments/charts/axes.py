"""Axes: numbers as positions with round ticks, slots, panels in rows, and labels that keep apart."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, log10
from typing import NamedTuple

from django.utils.safestring import SafeString

from judgments.charts.numbers import number
from judgments.charts.svg import SMALL, line, words

STEPS = (1, 2, 5, 10)
# The share of an axis that stays free at both ends, so that no point sits on the edge.
MARGIN = 0.04
# Between an axis and its labels.
GAP = 10
# The widest row of panels, and the least distance between labels one below the other.
WIDEST, LABELS_APART = 900, 16


@dataclass(frozen=True)
class Axis:
    """Numbers from `low` at `start` to `high` at `end`."""

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def around(cls, values: Iterable[float], start: float = 0.0, end: float = 1.0) -> "Axis":
        """Span all values; put a single value in the middle."""
        known = list(values) or [0.0]
        low, high = min(known), max(known)
        margin = (high - low) * MARGIN or max(abs(low), 1.0) * 0.5
        return cls(low - margin, high + margin, start, end)

    def at(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, most: int = 6) -> list[tuple[float, str]]:
        """Return round values on the axis, with their labels."""
        least = (self.high - self.low) / most
        power = 10.0 ** floor(log10(least))
        step = next(power * step for step in STEPS if power * step >= least * (1 - 1e-9))
        decimals = max(0, -floor(log10(step)))
        first, last = ceil(self.low / step), floor(self.high / step)
        return [(place * step, number(place * step, decimals)) for place in range(first, last + 1)]


class SlotAxis(NamedTuple):
    """So many slots of one width, from left to right."""

    start: float
    slot: float
    slots: int

    @property
    def end(self) -> float:
        return self.start + self.slot * self.slots

    def at(self, place: int) -> float:
        return self.start + self.slot * (place + 0.5)


def draw_across(axis: Axis, most: int, top: float, bottom: float, below: float) -> Iterator[SafeString]:
    """Draw an upright line at each round value, with the value below it."""
    for value, text in axis.ticks(most):
        yield line(axis.at(value), top, axis.at(value), bottom, "zero" if value == 0 else "grid")
        yield words(axis.at(value), bottom + below, text, "middle", "faded", SMALL)


def draw_upright(upright: Axis, across: Axis | SlotAxis, most: int = 4, is_grid: bool = False) -> Iterator[SafeString]:
    """Draw a level line at each round value, with the value at its left; in a grid none marks zero."""
    for value, text in upright.ticks(most):
        class_ = "zero" if value == 0 and not is_grid else "grid"
        yield line(across.start, upright.at(value), across.end, upright.at(value), class_)
        yield words(across.start - GAP / 2, upright.at(value), text, "end", "faded", SMALL)


def draw_both(across: Axis, upright: Axis, foot: str, is_grid: bool = False) -> Iterator[SafeString]:
    """Draw both axes, with level lines alone or as a grid, and name the lower one."""
    yield from draw_upright(upright, across, is_grid=is_grid)
    for value, text in across.ticks(5):
        if is_grid:
            yield line(across.at(value), upright.start, across.at(value), upright.end, "grid")
        yield words(across.at(value), upright.start + 12, text, "middle", "faded", SMALL)
    yield words(across.start, upright.start + 28, foot, class_="faded", size=SMALL)


def side_by_side(width: float, height: float, panels: int) -> tuple[float, float, list[tuple[float, float]]]:
    """Arrange panels of one size in rows; return the total width and height, and the upper left corner of each."""
    in_a_row = max(1, min(panels, int(WIDEST // width)))
    corners = [(place % in_a_row * width, place // in_a_row * height) for place in range(panels)]
    return width * in_a_row, height * -(-panels // in_a_row), corners


def spread_labels(wanted: Sequence[float], top: float, bottom: float) -> list[float]:
    """Return heights close to those wanted, in the same order, at least a line of text apart."""
    order = sorted(range(len(wanted)), key=lambda place: wanted[place])
    heights = list(wanted)
    for before, place in pairwise(order):
        heights[place] = max(heights[place], heights[before] + LABELS_APART)
    lowest = bottom
    for place in reversed(order):
        heights[place] = min(heights[place], lowest)
        lowest = heights[place] - LABELS_APART
    return [max(height, top - LABELS_APART) for height in heights]
