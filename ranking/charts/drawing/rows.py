"""Named rows with a point and its interval in each panel: several numbers for each name."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.safestring import SafeString

from judgments.web.charts.drawing import SMALL, box, dot, line, words
from judgments.web.charts.lettering import shortened, width_of
from judgments.web.charts.scale import Scale

ROW, TOP, BOTTOM, GAP = 24, 32, 24, 12
AXIS, BESIDE = 190, 36


class Point(NamedTuple):
    """A value, its interval if known, and whether it is hollow: of the second kind."""

    value: float
    low: float | None = None
    high: float | None = None
    is_hollow: bool = False


class Row(NamedTuple):
    """A name, a text behind it, and one point for each panel; rows of one name share a band."""

    name: str
    by: str
    points: tuple[Point | None, ...]


@dataclass(frozen=True)
class RowChart:
    """Panels by title, and the end of their axes, which begin at 0 or below."""

    panels: tuple[str, ...]
    rows: tuple[Row, ...]
    most: float = 1.0

    @property
    def start(self) -> float:
        """The x of the first panel."""
        names = width_of([shortened(row.name) for row in self.rows])
        by = width_of([row.by for row in self.rows], SMALL)
        return names + (GAP + by if by else 0) + GAP

    @property
    def axis(self) -> float:
        """The width of a panel."""
        return max(AXIS, width_of(list(self.panels)))

    @property
    def extent(self) -> tuple[float, float]:
        """The width and height of the drawing."""
        return self.start + (self.axis + BESIDE) * len(self.panels), TOP + ROW * len(self.rows) + BOTTOM

    def across(self, place: int) -> Scale:
        """The axis of a panel."""
        points = [point for row in self.rows for point in row.points if point]
        values = [value for point in points for value in (point.value, point.low, point.high) if value is not None]
        left = self.start + (self.axis + BESIDE) * place
        return Scale(min([0.0, *values]), max([self.most, *values]), left, left + self.axis)

    def parts(self) -> Iterator[SafeString]:
        width, foot = self.extent[0], TOP + ROW * len(self.rows)
        yield from self._names(width)
        for place, title in enumerate(self.panels):
            across = self.across(place)
            yield words(across.start, TOP / 2, title, class_="name")
            for value, text in across.ticks(4):
                yield line(across.at(value), TOP, across.at(value), foot, "zero" if value == 0 else "grid")
                yield words(across.at(value), foot + BOTTOM / 2, text, "middle", "faded", SMALL)
            for number, row in enumerate(self.rows):
                if point := row.points[place]:
                    yield from _drawn(point, across, TOP + ROW * (number + 0.5))

    def _names(self, width: float) -> Iterator[SafeString]:
        before, ground = None, True
        for number, row in enumerate(self.rows):
            y, ground = TOP + ROW * number, ground if row.name == before else not ground
            yield box(0, y, width, ROW, "band other" if ground else "band")
            if row.name != before:
                yield words(0, y + ROW / 2, shortened(row.name), class_="name")
            if row.by:
                yield words(self.start - GAP, y + ROW / 2, row.by, "end", "faded", SMALL)
            before = row.name


def _drawn(point: Point, across: Scale, y: float) -> Iterator[SafeString]:
    if point.low is not None and point.high is not None:
        yield line(across.at(point.low), y, across.at(point.high), y, "interval")
    yield dot(across.at(point.value), y, "point hollow" if point.is_hollow else "point")
