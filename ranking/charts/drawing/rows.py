"""Rows with a name, and a point with its interval in each panel."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.safestring import SafeString

from judgments.web.charts.drawing import SMALL, box, dot, line, shortened, width_of, words
from judgments.web.charts.scale import Scale
from ranking.charts.drawing.sheets import Sheet, axis

ROW, TOP, BOTTOM, GAP = 24, 32, 24, 12
AXIS, BESIDE = 190, 36


class Point(NamedTuple):
    """A value and its interval if known; hollow points show a second kind of value."""

    value: float
    low: float | None = None
    high: float | None = None
    is_hollow: bool = False

    @classmethod
    def of(cls, line: dict, column: str, ends: str, is_hollow: bool = False) -> "Point | None":
        """Read the point from a column, if it has a value; the columns of its interval begin with `ends`."""
        value = line[column]
        return None if value is None else cls(value, line[f"{ends}_low"], line[f"{ends}_high"], is_hollow)


class Row(NamedTuple):
    """A name, a text after it, and a point for each panel; rows of the same name share a band."""

    name: str
    by: str
    points: tuple[Point | None, ...]


@dataclass(frozen=True)
class RowChart:
    """Panels by title; axes run from `least`, or less, to `most`, or more."""

    panels: tuple[str, ...]
    rows: tuple[Row, ...]
    most: float = 1.0
    least: float = 0.0

    def sheet(self) -> Sheet:
        names, by = width_of([shortened(row.name) for row in self.rows]), width_of([row.by for row in self.rows], SMALL)
        start = names + (GAP + by if by else 0) + GAP
        wide = max(AXIS, width_of(list(self.panels)))
        width, foot = start + (wide + BESIDE) * len(self.panels), TOP + ROW * len(self.rows)
        points = [point for row in self.rows for point in row.points if point]
        values = [value for point in points for value in point[:3] if value is not None]
        low, high = min([self.least, *values]), max([self.most, *values])
        parts = list(self._names(start, width))
        for place, title in enumerate(self.panels):
            left = start + (wide + BESIDE) * place
            across = Scale(low, high, left, left + wide)
            parts += [words(left, TOP / 2, title, class_="name"), *axis(across, 4, TOP, foot, BOTTOM / 2)]
            for number, row in enumerate(self.rows):
                if point := row.points[place]:
                    parts += _drawn(point, across, TOP + ROW * (number + 0.5))
        return width, foot + BOTTOM, parts

    def _names(self, start: float, width: float) -> Iterator[SafeString]:
        before, is_other = None, True
        for number, row in enumerate(self.rows):
            y, is_other = TOP + ROW * number, is_other if row.name == before else not is_other
            yield box(0, y, width, ROW, "band other" if is_other else "band")
            if row.name != before:
                yield words(0, y + ROW / 2, shortened(row.name), class_="name")
            if row.by:
                yield words(start - GAP, y + ROW / 2, row.by, "end", "faded", SMALL)
            before = row.name


def _drawn(point: Point, across: Scale, y: float) -> Iterator[SafeString]:
    if point.low is not None and point.high is not None:
        yield line(across.at(point.low), y, across.at(point.high), y, "interval")
    yield dot(across.at(point.value), y, "point hollow" if point.is_hollow else "point")
