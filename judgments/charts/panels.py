"""Panels side by side: curves over numbers, curves with intervals in slots, and points by two numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from django.utils.safestring import SafeString

from judgments.charts.axes import (
    GAP,
    LABELS_APART,
    Axis,
    SlotAxis,
    draw_both,
    draw_upright,
    side_by_side,
    spread_labels,
)
from judgments.charts.rows import IntervalPoint
from judgments.charts.svg import SMALL, TEXT, Drawing, curve, dot, line, link_to, short_name, width_of, words

STYLES = ("curve", "curve dashed", "curve dotted")
TOP = 28
LINE = 16
RADIUS = 3.5
# Width and height of slots, and the length of the axis, where curves share panels and where each has its own.
SHARED, ALONE = (84, 170, 320), (48, 120, 180)
NARROWEST = 24
# The distance between points in a slot, and the share of the slot that they may use.
APART, FULL = 9.0, 0.7
Known = tuple[float, float]


class LineCurve(NamedTuple):
    """Points from left to right, with gaps at unknown values, a name at the end, and one point marked."""

    name: str
    points: Sequence[tuple[float, float | None]]
    class_: str = "curve"
    marked: Known | None = None

    @property
    def known(self) -> list[Known]:
        return [(x, y) for x, y in self.points if y is not None]


class SlotCurve(NamedTuple):
    """Points by slot, with gaps at slots without one; a level is the same in every slot, and a line only."""

    name: str
    points: Mapping[int, IntervalPoint]
    is_level: bool = False


def line_panels(panels: Mapping[str, Sequence[LineCurve]], foot: str, length: float = 220) -> Drawing:
    """Draw panels by title; the foot names the horizontal axis, which has this length."""
    curves = [one for shown in panels.values() for one in shown]
    tall = max(150, LABELS_APART * max(map(len, panels.values())))  # room for the names of all curves
    labels = width_of([one.name for one in curves], SMALL) + GAP
    upright = Axis.around([y for one in curves for _, y in one.known], TOP + tall, TOP)
    margin = width_of([text for _, text in upright.ticks(4)], SMALL) + GAP
    across = Axis.around([x for one in curves for x, _ in one.points])
    width, height, corners = side_by_side(margin + length + labels + GAP, TOP + tall + 44, len(panels))
    parts: list[SafeString] = []
    for (title, shown), (left, top) in zip(panels.items(), corners, strict=True):
        across = replace(across, start=left + margin, end=left + margin + length)
        upright = replace(upright, start=top + TOP + tall, end=top + TOP)
        name = short_name(title, (length + labels) / TEXT)
        parts += [words(across.start, top + TOP / 2, name, class_="name"), *draw_both(across, upright, foot)]
        for one in shown:
            for is_known, points in groupby(one.points, key=lambda point: point[1] is not None):
                if is_known:
                    parts.append(curve(((across.at(x), upright.at(y)) for x, y in points if y is not None), one.class_))
            if one.marked:
                parts.append(dot(across.at(one.marked[0]), upright.at(one.marked[1]), radius=4))
        named = [one for one in shown if one.known and one.name]
        heights = spread_labels([upright.at(one.known[-1][1]) for one in named], upright.end, upright.start)
        parts += [words(across.end + GAP / 2, y, one.name, size=SMALL) for one, y in zip(named, heights, strict=True)]
    return width, height, parts


def slot_panels(
    panels: Mapping[str, Sequence[SlotCurve]], slots: Sequence[str], foot: str, least: float = 0.0,
    under: Sequence[str] = (),
) -> Drawing:  # fmt: skip
    """Draw panels by title over the same slots; the foot names the slots, and `under` is a second line below each.

    A few curves share a panel, with names at their ends. If there are more, each gets its own panel, with the others
    pale in the background. Vertical axes begin at `least`, or lower if a value is lower.
    """
    # Title, curves, and those in the background.
    placed: list[tuple[str, Sequence[SlotCurve], Sequence[SlotCurve]]]
    placed = [(title, curves, ()) for title, curves in panels.items()]
    is_alone = max(map(len, panels.values())) > len(STYLES)
    if is_alone:
        placed = [
            (f"{short_name(one.name)}, {title}", [one], [other for other in curves if other is not one])
            for title, curves, _ in placed for one in curves
        ]  # fmt: skip
    (widest, tall, length), every = ALONE if is_alone else SHARED, max(1, len(slots) // 10)
    bottom = 52 + (LINE if under else 0)
    slot = max(NARROWEST, min(widest, length / len(slots)), width_of([*slots, *under], SMALL) / every + GAP)
    points = [point for curves in panels.values() for one in curves for point in one.points.values()]
    values = [value for point in points for value in point[:3] if value is not None]
    upright = Axis(min([least, *values]), max([1.0, *values]), TOP + tall, TOP)
    margin = width_of([text for _, text in upright.ticks(5)], SMALL) + GAP
    labels = width_of([short_name(one.name) for _, curves, behind in placed if not behind for one in curves], SMALL)
    heads = max(width_of([foot], SMALL), width_of([title for title, *_ in placed]))
    size = max(slot * len(slots), heads - (labels + 2 * GAP) + GAP)
    width, height, corners = side_by_side(margin + size + (labels + 2 * GAP), TOP + tall + bottom, len(placed))
    parts: list[SafeString] = []
    for (title, curves, behind), (left, top) in zip(placed, corners, strict=True):
        across = SlotAxis(left + margin, slot, len(slots))
        upright = replace(upright, start=top + TOP + tall, end=top + TOP)
        parts += [words(across.start, top + TOP / 2, title, class_="name"), *draw_upright(upright, across, 5)]
        for place in range(0, len(slots), every):
            for number, text in enumerate((slots[place], *under[place : place + 1])):
                y = upright.start + 12 + LINE * number
                parts.append(words(across.at(place), y, text, "middle", "faded", SMALL))
        parts.append(words(across.start, upright.start + bottom - 22, foot, class_="faded", size=SMALL))
        for one in behind:
            parts += _draw_line(one, across, upright, "curve pale")
        parts += _draw_slots(curves, across, upright, not behind)
    return width, height, parts


def _draw_slots(curves: Sequence[SlotCurve], across: SlotAxis, upright: Axis, are_named: bool) -> list[SafeString]:
    """Draw curves beside each other in their slots, with their names and leaders to these at the right."""
    apart, parts, ends = min(APART, FULL * across.slot / max(1, len(curves))), [], []
    for number, one in enumerate(curves):
        shift = (number - (len(curves) - 1) / 2) * apart
        parts += _draw_line(one, across, upright, STYLES[number], shift)
        for place, point in () if one.is_level else one.points.items():
            x = across.at(place) + shift
            if point.low is not None and point.high is not None:
                parts.append(line(x, upright.at(point.low), x, upright.at(point.high), "interval"))
            parts.append(dot(x, upright.at(point.value), "point hollow" if point.is_hollow else "point", RADIUS))
        if one.points and are_named:
            place, point = list(one.points.items())[-1]
            ends.append((one.name, across.at(place) + shift, upright.at(point.value)))
    heights = spread_labels([y for *_, y in ends], upright.end, upright.start)
    for (name, x, y), height in zip(ends, heights, strict=True):
        parts.append(line(x + 2 * RADIUS, y, across.end, height, "leader"))
        parts.append(words(across.end + GAP / 2, height, short_name(name), size=SMALL))
    return parts


def _draw_line(one: SlotCurve, across: SlotAxis, upright: Axis, class_: str, shift: float = 0.0) -> list[SafeString]:
    """Draw the line through the points, broken at slots without one."""
    runs = groupby(enumerate(one.points.items()), key=lambda numbered: numbered[1][0] - numbered[0])
    return [
        curve(((across.at(place) + shift, upright.at(point.value)) for _, (place, point) in run), class_)
        for _, run in runs
    ]


class ScatterPoint(NamedTuple):
    """A name, where it is from the left and from below, and where its point leads."""

    name: str
    x: float
    y: float
    address: str


def scatter_panels(panels: Mapping[str, Sequence[ScatterPoint]], foot: str) -> Drawing:
    """Draw panels by title that share the horizontal axis; each has its own vertical one, as units differ.

    Names stand at the right in the order of the points, each with a leader line, since good points lie close together.
    """
    length, leaders = 200, 30
    tall = max(150, LABELS_APART * max(map(len, panels.values())))  # room for each name
    uprights = [Axis.around([point.y for point in points], TOP + tall, TOP) for points in panels.values()]
    margin = width_of([text for upright in uprights for _, text in upright.ticks(4)], SMALL) + GAP
    names = [short_name(point.name) for points in panels.values() for point in points]
    values = [point.x for points in panels.values() for point in points]
    size = margin + length + leaders + width_of(names, SMALL) + 2 * GAP, TOP + tall + 44
    width, height, corners = side_by_side(*size, len(panels))
    parts: list[SafeString] = []
    for (left, top), (title, points), upright in zip(corners, panels.items(), uprights, strict=True):
        across = Axis.around(values, left + margin, left + margin + length)
        upright = replace(upright, start=top + TOP + tall, end=top + TOP)
        name = short_name(title, (length + leaders) / TEXT)
        parts.append(words(across.start, top + TOP / 2, name, class_="name"))
        parts += draw_both(across, upright, foot, is_grid=True)
        # Of points at one height the leftmost gets the upper name, so that fewer leaders cross.
        ordered = sorted(points, key=lambda point: (-point.y, point.x))
        heights = spread_labels([upright.at(point.y) for point in ordered], upright.end, upright.start)
        edge = across.end + leaders
        for point, label in zip(ordered, heights, strict=True):
            parts.append(line(across.at(point.x), upright.at(point.y), edge - GAP / 2, label, "leader"))
        for point, label in zip(ordered, heights, strict=True):
            parts.append(link_to(point.address, dot(across.at(point.x), upright.at(point.y), radius=RADIUS)))
            parts.append(words(edge, label, short_name(point.name), size=SMALL))
    return width, height, parts
