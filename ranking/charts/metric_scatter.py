"""The points behind correlations: a panel per metric, a point per system, people's scores against the metric's.

Names stand at the right in the order of the points, each with a leader line, since points of good systems lie close.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from django.utils.safestring import SafeString

from judgments.web.charts.drawing import SMALL, TEXT, Chart, dot, line, shortened, width_of, words
from judgments.web.charts.numbers import counted, number
from judgments.web.charts.scale import Scale
from ranking.charts.drawing.order import Metric, labelled, metrics_of
from ranking.charts.drawing.panels import APART, GAP, axes, spread
from ranking.charts.drawing.sheets import Sheet, lines_of, plotted, side_by_side
from ranking.charts.links import OF_A_METRIC_AND_SYSTEM, linked
from ranking.numbers.correlation import pearson
from ranking.numbers.tables import Table

NAME, TITLE = "metric_scatter", "Systems by metrics and people"
FOOT = "score by people"
TOP, LEAST, BOTTOM, AXIS, LEADERS, RADIUS = 28, 150, 44, 200, 30, 3.5
MOST, MOST_SYSTEMS, FEWEST = 24, 60, 3


class Point(NamedTuple):
    system: str
    people: float
    score: float
    address: str


Points = dict[str, tuple[Point, ...]]


def metric_scatter(tables: Mapping[str, Table]) -> list[Chart]:
    points = _points(tables)
    if not points:
        return []
    systems, too_large = max(map(len, points.values())), ""
    if len(points) > MOST or systems > MOST_SYSTEMS:
        many = counted(len(points), "metric") if len(points) > MOST else counted(systems, "system")
        too_large = f"With {many} a chart would be too crowded"
    return plotted(NAME, TITLE, sentence(points), lambda: _sheet(points), too_large)


def _points(tables: Mapping[str, Table]) -> Points:
    """Read the points of each metric by its label, in the order of the other charts."""
    found: dict[Metric, list[Point]] = {}
    for one in lines_of(tables, NAME):
        here = found.setdefault((str(one["metric"]), str(one["level"])), [])
        if one["people"] is not None and one["score"] is not None:
            address = OF_A_METRIC_AND_SYSTEM.to(one["metric"], one["system"])
            here.append(Point(str(one["system"]), one["people"], one["score"], address))
    known = metrics_of(tables)
    labels = {metric: known[metric] for metric in known if metric in found}
    labels = labels | {metric: label for metric, label in labelled(found).items() if metric not in known}
    return {label: tuple(found[metric]) for metric, label in labels.items() if found[metric]}


def _sheet(all_points: Points) -> Sheet:
    """Draw panels that share the axis of people; each metric has its own axis, as units differ."""
    tall = max(LEAST, APART * max(map(len, all_points.values())))  # room for the name of each system
    scales = [Scale.around([point.score for point in points], TOP + tall, TOP) for points in all_points.values()]
    margin = width_of([text for upright in scales for _, text in upright.ticks(4)], SMALL) + GAP
    names = [shortened(point.system) for points in all_points.values() for point in points]
    people = [point.people for points in all_points.values() for point in points]
    size = margin + AXIS + LEADERS + width_of(names, SMALL) + 2 * GAP, TOP + tall + BOTTOM
    width, height, corners = side_by_side(*size, len(all_points))
    parts: list[SafeString] = []
    for (left, top), (label, points), upright in zip(corners, all_points.items(), scales, strict=True):
        across = Scale.around(people, left + margin, left + margin + AXIS)
        upright = replace(upright, start=top + TOP + tall, end=top + TOP)
        name = shortened(label, (AXIS + LEADERS) / TEXT)
        parts.append(words(across.start, top + TOP / 2, name, class_="name"))
        parts += [*axes(across, upright, FOOT, is_grid=True), *_named(points, across, upright)]
    return width, height, parts


def _named(points: Sequence[Point], across: Scale, upright: Scale) -> Iterator[SafeString]:
    """Draw points with names; of points at one height the leftmost gets the upper name, so that fewer leaders cross."""
    ordered = sorted(points, key=lambda point: (-point.score, point.people))
    heights = spread([upright.at(point.score) for point in ordered], upright.end, upright.start)
    edge = across.end + LEADERS
    for point, height in zip(ordered, heights, strict=True):
        yield line(across.at(point.people), upright.at(point.score), edge - GAP / 2, height, "leader")
    for point, height in zip(ordered, heights, strict=True):
        yield linked(point.address, dot(across.at(point.people), upright.at(point.score), radius=RADIUS))
        yield words(edge, height, shortened(point.system), size=SMALL)


def sentence(points: Points) -> str:
    text = "Each point is a system: its score by people across, by the metric upwards."
    known = {label: value for label, some in points.items() if (value := _correlation(some)) is not None}
    if not known:
        return text
    best = max(known, key=lambda label: known[label])
    near = "nearest to a rising line" if len(known) > 1 else "near a line"
    text += f" By {best} they lie {near} ({number(known[best])} by Pearson)"
    away = _farthest(points[best])
    text += f", and {away.system} lies farthest from it" if len(points[best]) > FEWEST else ""
    return f"{text}. If one point is far from a cloud of others, the correlation depends on it."


def _correlation(points: Sequence[Point]) -> float | None:
    """Return Pearson's r, if there are enough systems with different scores."""
    if len(points) < FEWEST:
        return None
    _, people, scores, _ = zip(*points, strict=True)
    value = float(pearson(np.array(people), np.array(scores)))
    return None if np.isnan(value) else value


def _farthest(points: Sequence[Point]) -> Point:
    """Return the system farthest above or below the least-squares line."""
    _, *sides, _ = zip(*points, strict=True)
    people, scores = (np.array(side) - np.mean(side) for side in sides)
    slope = (people * scores).sum() / (people**2).sum()
    return points[int(np.argmax(np.abs(scores - slope * people)))]
