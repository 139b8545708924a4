"""Points by two numbers, in panels.

Names stand at the right in the order of the points, each with a leader line, since good points lie close together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from django.utils.safestring import SafeString

from judgments.charts.axes import GAP, LABELS_APART, Axis, draw_both, side_by_side, spread_labels
from judgments.charts.svg import SMALL, TEXT, Drawing, dot, line, link_to, short_name, width_of, words

TOP, LEAST, BOTTOM, LENGTH, LEADERS, RADIUS = 28, 150, 44, 200, 30, 3.5


class ScatterPoint(NamedTuple):
    """A name, where it is from the left and from below, and where its point leads."""

    name: str
    x: float
    y: float
    address: str


def scatter_panels(panels: Mapping[str, Sequence[ScatterPoint]], foot: str) -> Drawing:
    """Draw panels by title that share the horizontal axis; each has its own vertical one, as units differ."""
    tall = max(LEAST, LABELS_APART * max(map(len, panels.values())))  # room for each name
    uprights = [Axis.around([point.y for point in points], TOP + tall, TOP) for points in panels.values()]
    margin = width_of([text for upright in uprights for _, text in upright.ticks(4)], SMALL) + GAP
    names = [short_name(point.name) for points in panels.values() for point in points]
    values = [point.x for points in panels.values() for point in points]
    size = margin + LENGTH + LEADERS + width_of(names, SMALL) + 2 * GAP, TOP + tall + BOTTOM
    width, height, corners = side_by_side(*size, len(panels))
    parts: list[SafeString] = []
    for (left, top), (title, points), upright in zip(corners, panels.items(), uprights, strict=True):
        across = Axis.around(values, left + margin, left + margin + LENGTH)
        upright = replace(upright, start=top + TOP + tall, end=top + TOP)
        name = short_name(title, (LENGTH + LEADERS) / TEXT)
        parts.append(words(across.start, top + TOP / 2, name, class_="name"))
        parts += draw_both(across, upright, foot, is_grid=True)
        # Of points at one height the leftmost gets the upper name, so that fewer leaders cross.
        ordered = sorted(points, key=lambda point: (-point.y, point.x))
        heights = spread_labels([upright.at(point.y) for point in ordered], upright.end, upright.start)
        edge = across.end + LEADERS
        for point, label in zip(ordered, heights, strict=True):
            parts.append(line(across.at(point.x), upright.at(point.y), edge - GAP / 2, label, "leader"))
        for point, label in zip(ordered, heights, strict=True):
            parts.append(link_to(point.address, dot(across.at(point.x), upright.at(point.y), radius=RADIUS)))
            parts.append(words(edge, label, short_name(point.name), size=SMALL))
    return width, height, parts
