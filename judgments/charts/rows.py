"""Rows with a name, and points, intervals and bars on axes that all rows share."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from django.utils.safestring import SafeString

from judgments.charts.axes import Axis, draw_across
from judgments.charts.numbers import UNKNOWN, ranks
from judgments.charts.svg import SMALL, Drawing, box, dot, line, short_name, width_of, words

GAP = 12
TOP, ROW, BOTTOM = 28, 28, 28
# What stands at the right of an axis in rows of a ranking: ranks, and the cluster.
COLUMN = 56
# A bar extends beyond the centres of its ranks, so that a single rank is visible.
REACH, BAR = 0.4, 12


class IntervalPoint(NamedTuple):
    """A value and its interval if known; hollow points show a second kind of value."""

    value: float
    low: float | None = None
    high: float | None = None
    is_hollow: bool = False


class IntervalRow(NamedTuple):
    """A name, a text after it, and a point for each panel; rows of the same name share a band."""

    name: str
    by: str
    points: tuple[IntervalPoint | None, ...]


def interval_rows(panels: Sequence[str], rows: Sequence[IntervalRow], most: float = 1.0, least: float = 0.0) -> Drawing:
    """Draw panels by title; axes run from `least`, or less, to `most`, or more."""
    top, row_height, bottom, apart = 32.0, 24.0, 24.0, 36.0
    names, by = width_of([short_name(row.name) for row in rows]), width_of([row.by for row in rows], SMALL)
    start = names + (GAP + by if by else 0) + GAP
    length = max(190.0, width_of(list(panels)))
    width, foot = start + (length + apart) * len(panels), top + row_height * len(rows)
    values = [value for row in rows for point in row.points if point for value in point[:3] if value is not None]
    parts, before, is_other = [], None, True
    for place, row in enumerate(rows):
        y, is_other = top + row_height * place, is_other if row.name == before else not is_other
        parts.append(box(0, y, width, row_height, "band other" if is_other else "band"))
        if row.name != before:
            parts.append(words(0, y + row_height / 2, short_name(row.name), class_="name"))
        if row.by:
            parts.append(words(start - GAP, y + row_height / 2, row.by, "end", "faded", SMALL))
        before = row.name
    for panel, title in enumerate(panels):
        left = start + (length + apart) * panel
        axis = Axis(min([least, *values]), max([most, *values]), left, left + length)
        parts += [words(left, top / 2, title, class_="name"), *draw_across(axis, 4, top, foot, bottom / 2)]
        for place, row in enumerate(rows):
            if point := row.points[panel]:
                y = top + row_height * (place + 0.5)
                if point.low is not None and point.high is not None:
                    parts.append(line(axis.at(point.low), y, axis.at(point.high), y, "interval"))
                parts.append(dot(axis.at(point.value), y, "point hollow" if point.is_hollow else "point"))
    return width, foot + bottom, parts


class FigureCell(NamedTuple):
    """What one row has on one axis, from the back to the front, as far as it is known, and the number beside it.

    A line is a class and two values; a point is a class, a value and a radius.
    """

    lines: Sequence[tuple[str, float | None, float | None]]
    points: Sequence[tuple[str, float | None, float]]
    figure: str


def figure_rows(
    names: Sequence[str], panels: Sequence[tuple[str, Axis, Sequence[FigureCell | None]]], length: float,
    beside: float, apart: float = 0, ticks: int = 4, is_banded: bool = False,
) -> Drawing:  # fmt: skip
    """Draw panels, each a title, the ends of its axis and its cells, with the numbers beside an axis of this length."""
    start, bottom = width_of(list(names)) + GAP, TOP + ROW * len(names)
    width = start + len(panels) * (length + GAP + beside + apart) - apart
    parts = [box(0, TOP + ROW * row, width, ROW, "band") for row in range(0, len(names) if is_banded else 0, 2)]
    parts += [words(start - GAP, TOP + ROW * (row + 0.5), name, "end", "name") for row, name in enumerate(names)]
    for place, (title, ends, cells) in enumerate(panels):
        left = start + place * (length + GAP + beside + apart)
        axis = replace(ends, start=left, end=left + length)
        parts += [words(left, TOP / 2, title, class_="faded", size=SMALL), *draw_across(axis, ticks, TOP, bottom, 14)]
        for row, cell in enumerate(cells):
            y = TOP + ROW * (row + 0.5)
            if cell is None:
                continue
            for class_, low, high in cell.lines:
                if low is not None and high is not None:
                    parts.append(line(axis.at(low), y, axis.at(high), y, class_))
            for class_, value, radius in cell.points:
                if value is not None:
                    parts.append(dot(axis.at(value), y, class_, radius))
            if cell.figure:
                parts.append(words(axis.end + GAP, y, cell.figure))
            else:
                parts.append(words((axis.start + axis.end) / 2, y, "not known", "middle", "faded", SMALL))
    return width, bottom + BOTTOM, parts


class RankedRow(NamedTuple):
    """A place in a ranking: the score with its interval, the range of ranks, and the cluster, as far as known."""

    name: str
    score: float | None = None
    score_low: float | None = None
    score_high: float | None = None
    rank_low: int | None = None
    rank_high: int | None = None
    cluster: int | None = None


def ranked_rows(title: str, rows: Sequence[RankedRow]) -> Drawing:
    """Draw scores with their intervals, and ranks and clusters beside them."""
    names = [short_name(row.name) for row in rows]
    start = width_of([*names, "System"]) + GAP
    axis = Axis.around([value for row in rows for value in row[1:4] if value is not None], start, start + 260)
    width, bottom = axis.end + GAP + 2 * COLUMN, TOP + ROW * len(rows)
    parts = [
        words(axis.end + GAP, TOP / 2, "Ranks", class_="faded", size=SMALL),
        words(width - 8, TOP / 2, "Cluster", "end", "faded", SMALL),
        *_cluster_bands(rows, 0, TOP, width),
        words(axis.start, TOP / 2, title, class_="faded", size=SMALL),
        *draw_across(axis, 6, TOP, bottom, BOTTOM / 2),
    ]
    for place, (name, row) in enumerate(zip(names, rows, strict=True)):
        y = TOP + ROW * (place + 0.5)
        parts.append(words(axis.start - GAP, y, name, "end", "name"))
        if row.score_low is not None and row.score_high is not None:
            parts.append(line(axis.at(row.score_low), y, axis.at(row.score_high), y, "interval"))
        if row.score is None:
            parts.append(words((axis.start + axis.end) / 2, y, "not known", "middle", "faded"))
        else:
            parts.append(dot(axis.at(row.score), y))
        parts.append(words(axis.end + GAP, y, ranks(row.rank_low, row.rank_high)))
    return width, bottom + BOTTOM, parts


def rank_ranges(panels: Mapping[str, Sequence[RankedRow]]) -> Drawing:
    """Draw ranges of ranks and clusters, for rows that are the same in all panels."""
    top, length, apart = 52, 190, 28
    names = [short_name(row.name) for row in next(iter(panels.values()))]
    left, bottom, panel_width = width_of(names) + GAP, top + ROW * len(names), length + GAP + 2 * COLUMN
    parts = [words(left - GAP, top + ROW * (place + 0.5), name, "end", "name") for place, name in enumerate(names)]
    for place, (title, rows) in enumerate(panels.items()):
        start = left + place * (panel_width + apart)
        axis = Axis(0.5, len(rows) + 0.5, start, start + length)
        edge = axis.end + GAP + 2 * COLUMN
        parts += [*_cluster_bands(rows, start, top, edge - start), words(start, SMALL, title)]
        heads = ((start, "Rank", "start"), (axis.end + GAP, "Ranks", "start"), (edge - 8, "Cluster", "end"))
        for x, text, anchor in heads:
            parts.append(words(x, top - 14, text, anchor, "faded", SMALL))
        whole = [round(value) for value, _ in axis.ticks(5) if abs(value - round(value)) < 1e-9]
        for value in [1, *(value for value in whole if 1 < value <= len(rows))]:
            parts.append(line(axis.at(value), top, axis.at(value), bottom, "grid"))
            parts.append(words(axis.at(value), bottom + BOTTOM / 2, str(value), "middle", "faded", SMALL))
        for number, row in enumerate(rows):
            y = top + ROW * (number + 0.5)
            if row.rank_low is not None and row.rank_high is not None:
                x = axis.at(row.rank_low - REACH)
                parts.append(box(x, y - BAR / 2, axis.at(row.rank_high + REACH) - x, BAR, "bar"))
            parts.append(words(axis.end + GAP, y, ranks(row.rank_low, row.rank_high)))
    return left + len(panels) * (panel_width + apart) - apart, bottom + BOTTOM, parts


def _cluster_bands(rows: Iterable[RankedRow], x: float, y: float, width: float) -> Iterator[SafeString]:
    """Draw every other cluster on a pale band, with its number at the right."""
    for place, (cluster, group) in enumerate(groupby(rows, key=lambda row: row.cluster)):
        height = ROW * len(list(group))
        yield box(x, y, width, height, "band other" if place % 2 else "band")
        yield words(x + width - 8, y + ROW / 2, UNKNOWN if cluster is None else str(cluster), "end", "faded")
        y += height


def divided_bars(title: str, rows: Sequence[tuple[str, int, int, str]]) -> Drawing:
    """Draw bars of a count and a second one after it, each with a name before and a label behind it."""
    top, row_height, length, thickness = 28, 26, 260, 14
    names = [short_name(name) for name, *_ in rows]
    start = width_of(names) + GAP
    unit = length / max(1, *(first + second for _, first, second, _ in rows))
    parts = [words(start, top / 2, title, class_="faded", size=SMALL)]
    for place, (name, (_, first, second, label)) in enumerate(zip(names, rows, strict=True)):
        y = top + row_height * (place + 0.5)
        parts += [
            words(start - GAP, y, name, "end", "name"),
            box(start, y - thickness / 2, unit * first, thickness, "bar"),
            box(start + unit * first, y - thickness / 2, unit * second, thickness, "bar tied"),
            words(start + unit * (first + second) + GAP / 2, y, label),
        ]
    width = start + length + GAP + width_of([label for *_, label in rows])
    return width, top + row_height * len(rows) + 4, parts
