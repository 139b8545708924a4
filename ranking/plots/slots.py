"""Points with their intervals in slots from left to right, joined by a line; panels side by side on the same axes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.safestring import SafeString

from judgments.pictures.drawing import SMALL, curve, dot, line, words
from judgments.pictures.lettering import shortened, width_of
from judgments.pictures.scale import Scale
from ranking.plots.panels import spread

TOP, HEIGHT, BOTTOM, GAP = 28, 170, 44, 10
WIDE, NARROW, AXIS = 84, 24, 320
STYLES = ("curve", "curve dashed", "curve dotted")
# How far apart points of one slot stand, and how much of the slot they may take.
APART, FULL = 9.0, 0.7
WIDEST = 900


class Point(NamedTuple):
    """A value in a slot, and its interval where that is known."""

    slot: int
    value: float
    low: float | None = None
    high: float | None = None


class Series(NamedTuple):
    """The points under one name; a level is the same in every slot, so that its line is enough."""

    name: str
    points: tuple[Point, ...]
    is_level: bool = False


class Panel(NamedTuple):
    """Series under one title."""

    title: str
    series: tuple[Series, ...]


@dataclass(frozen=True)
class Picture:
    """Panels over the same slots, each with its name; `foot` says what slots are, `least` where axes begin at most."""

    panels: tuple[Panel, ...]
    slots: tuple[str, ...]
    foot: str
    least: float = 0.0

    @property
    def slot(self) -> float:
        """How wide a slot is."""
        return max(NARROW, min(WIDE, AXIS / len(self.slots)), width_of(list(self.slots), SMALL) / self._every + GAP)

    @property
    def _every(self) -> int:
        """Every how many slots are named."""
        return max(1, len(self.slots) // 10)

    @property
    def height(self) -> float:
        """How high a panel is: so that the names of all series have room."""
        return max(HEIGHT, 16 * max(len(panel.series) for panel in self.panels))

    @property
    def size(self) -> tuple[float, float]:
        """How wide and high a panel is with all that belongs to it."""
        labels = width_of([shortened(one.name) for panel in self.panels for one in panel.series], SMALL) + 2 * GAP
        axis = max(self.slot * len(self.slots), width_of([self.foot], SMALL) - labels)
        return self.margin + axis + labels, TOP + self.height + BOTTOM

    @property
    def margin(self) -> float:
        """How much room the numbers of the upright axis take."""
        return width_of([told for _, told in self.upright(0).ticks(5)], SMALL) + GAP

    @property
    def in_a_row(self) -> int:
        """How many panels stand side by side."""
        return max(1, min(len(self.panels), int(WIDEST // self.size[0])))

    @property
    def whole(self) -> tuple[float, float]:
        """How wide and high all of it is."""
        width, height = self.size
        return width * self.in_a_row, height * -(-len(self.panels) // self.in_a_row)

    def upright(self, top: float) -> Scale:
        """The axis from below: up to 1, and from lower where anything is."""
        points = [point for panel in self.panels for one in panel.series for point in one.points]
        values = [value for point in points for value in (point.value, point.low, point.high) if value is not None]
        return Scale(min([self.least, *values]), max([1.0, *values]), top + TOP + self.height, top + TOP)

    def parts(self) -> Iterator[SafeString]:
        """Everything that is drawn."""
        width, height = self.size
        for place, panel in enumerate(self.panels):
            row, column = divmod(place, self.in_a_row)
            left = column * width + self.margin
            upright = self.upright(row * height)
            yield words(left, row * height + TOP / 2, panel.title, class_="name")
            yield from self._axes(left, upright)
            yield from self._series(panel.series, left, upright)

    def _axes(self, left: float, upright: Scale) -> Iterator[SafeString]:
        right = left + self.slot * len(self.slots)
        for value, told in upright.ticks(5):
            yield line(left, upright.at(value), right, upright.at(value), "zero" if value == 0 else "grid")
            yield words(left - GAP / 2, upright.at(value), told, "end", "faded", SMALL)
        for number, told in enumerate(self.slots):
            if number % self._every == 0:
                yield words(left + self.slot * (number + 0.5), upright.start + 12, told, "middle", "faded", SMALL)
        yield words(left, upright.start + 30, self.foot, class_="faded", size=SMALL)

    def _series(self, series: Sequence[Series], left: float, upright: Scale) -> Iterator[SafeString]:
        apart = min(APART, FULL * self.slot / len(series))
        named = []
        for number, one in enumerate(series):
            beside = (number - (len(series) - 1) / 2) * apart
            places = [(left + self.slot * (point.slot + 0.5) + beside, point) for point in one.points]
            yield curve(((x, upright.at(point.value)) for x, point in places), STYLES[number % len(STYLES)])
            for x, point in [] if one.is_level else places:
                if point.low is not None and point.high is not None:
                    yield line(x, upright.at(point.low), x, upright.at(point.high), "interval")
                yield dot(x, upright.at(point.value), radius=3.5)
            if one.points:
                named.append((one.name, upright.at(one.points[-1].value)))
        heights = spread([y for _, y in named], upright.end, upright.start)
        for (name, _), y in zip(named, heights, strict=True):
            yield words(left + self.slot * len(self.slots) + GAP / 2, y, shortened(name), size=SMALL)
