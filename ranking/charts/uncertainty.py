"""The uncertainty of the ranking in two ways: rank ranges and clusters as published, beside our recommendation."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from statistics import fmean

from django.utils.safestring import SafeString

from judgments.web.charts.chart import NO_PICTURE
from judgments.web.charts.chart import Plot as Chart
from judgments.web.charts.drawing import SMALL, box, frame, line, words
from judgments.web.charts.lettering import shortened, width_of
from judgments.web.charts.numbers import UNKNOWN, counted, number, ranks
from judgments.web.charts.scale import Scale
from ranking.charts.drawing.order import order_of
from ranking.numbers.tables import Table
from ranking.stats.rankings.methods import METHODS

NAME, TITLE = "uncertainty", "Ranges of ranks, two ways"
ROW, TOP, BOTTOM = 28, 52, 28
AXIS, GAP, COLUMN, APART = 190, 12, 56, 28
BAR = 12
# A bar extends beyond the middle of its ranks, so that a single rank is visible too.
REACH = 0.4
MOST = 100
DRAWN = {
    "pair": "single comparisons", "ranking": "whole rankings", "sentence": "whole sentences",
    "judge": "all that a judge did",
}  # fmt: skip
Ways = dict[str, dict[str, dict]]


def uncertainty(tables: Mapping[str, Table]) -> list[Chart]:
    """The chart, if both ways are known."""
    if NAME not in tables:
        return []
    ways = _ways(tables)
    if len(ways) < 2:
        return []
    text = sentence(ways)
    systems = list(dict.fromkeys(system for lines in ways.values() for system in lines))
    if len(systems) > MOST:
        text += f" With {counted(len(systems), 'system')} a chart would be too long; see the numbers below."
        return [Chart(NAME, TITLE, text, NO_PICTURE, (NAME,))]
    return [Chart(NAME, TITLE, text, _svg(systems, ways, text), (NAME,))]


def _ways(tables: Mapping[str, Table]) -> Ways:
    """The line of every system by way, in the order of the first ranking."""
    places = {system: place for place, system in enumerate(order_of(tables))}
    lines = sorted(tables[NAME].dicts(), key=lambda line: places.get(str(line["system"]), len(places)))
    ways: Ways = {way: {} for way in dict.fromkeys(map(str, tables[NAME].column("way")))}
    for one in lines:
        ways[str(one["way"])][str(one["system"])] = one
    return ways


def _svg(systems: Sequence[str], ways: Ways, text: str) -> SafeString:
    names = [shortened(name) for name in systems]
    left = width_of(names) + GAP
    parts = [words(left - GAP, TOP + ROW * (place + 0.5), name, "end", "name") for place, name in enumerate(names)]
    panel = AXIS + GAP + 2 * COLUMN
    for place, (way, lines) in enumerate(ways.items()):
        start = left + place * (panel + APART)
        scale = Scale(0.5, len(systems) + 0.5, start, start + AXIS)
        parts += _panel(way, [lines.get(system, {}) for system in systems], scale)
    width = left + len(ways) * (panel + APART) - APART
    return frame(NAME, TITLE, text, width, TOP + ROW * len(systems) + BOTTOM, parts)


def _panel(way: str, lines: Sequence[dict], scale: Scale) -> Iterator[SafeString]:
    bottom, edge = TOP + ROW * len(lines), scale.end + GAP + 2 * COLUMN
    y: float = TOP
    for place, (cluster, group) in enumerate(groupby(lines, key=lambda one: one.get("cluster"))):
        height = ROW * len(list(group))
        yield box(scale.start, y, edge - scale.start, height, "band other" if place % 2 else "band")
        yield words(edge - 8, y + ROW / 2, UNKNOWN if cluster is None else str(cluster), "end", "faded")
        y += height
    yield words(scale.start, SMALL, _head(way, lines))
    for x, text, anchor in (
        (scale.start, "Rank", "start"), (scale.end + GAP, "Ranks", "start"), (edge - 8, "Cluster", "end"),
    ):  # fmt: skip
        yield words(x, TOP - 14, text, anchor, "faded", SMALL)
    for value in _ticks(scale, len(lines)):
        yield line(scale.at(value), TOP, scale.at(value), bottom, "grid")
        yield words(scale.at(value), bottom + BOTTOM / 2, str(value), "middle", "faded", SMALL)
    for place, one in enumerate(lines):
        yield from _range(one.get("rank_low"), one.get("rank_high"), scale, TOP + ROW * (place + 0.5))


def _head(way: str, lines: Sequence[dict]) -> str:
    return f"{way.capitalize()}: {_drawn(lines)}"


def _drawn(lines: Sequence[dict]) -> str:
    unit = next((str(one["unit"]) for one in lines if one.get("unit")), "")
    return DRAWN.get(unit, unit)


def _ticks(scale: Scale, most: int) -> list[int]:
    """Rank 1 and round ranks."""
    round_ones = [round(value) for value, _ in scale.ticks(5) if abs(value - round(value)) < 1e-9]
    return [1, *(value for value in round_ones if 1 < value <= most)]


def _range(low: int | None, high: int | None, scale: Scale, y: float) -> Iterator[SafeString]:
    if low is not None and high is not None:
        x = scale.at(low - REACH)
        yield box(x, y - BAR / 2, scale.at(high + REACH) - x, BAR, "bar")
    yield words(scale.end + GAP, y, ranks(low, high))


def sentence(ways: Ways) -> str:
    """The number of clusters and the width of ranges by either way, and what that means."""
    (_, published), (_, recommended), *_ = ways.items()
    one, other = list(published.values()), list(recommended.values())
    return " ".join(filter(None, [_clusters(one, other), _widths(one, other)]))


def _clusters(one: Sequence[dict], other: Sequence[dict]) -> str:
    few, many = (len({line["cluster"] for line in lines} - {None}) for lines in (one, other))
    method = str(one[0]["method"])
    by = METHODS[method].label if method in METHODS else method
    if not few or not many:
        return f"The number of clusters by {by} is not known in both ways."
    return f"By {by} the published way makes {counted(few, 'cluster')}; drawing {_drawn(other)} makes {many}."


def _widths(one: Sequence[dict], other: Sequence[dict]) -> str:
    """The mean of worst minus best rank, by either way."""
    widths = [
        [one["rank_high"] - one["rank_low"] for one in lines if None not in (one["rank_low"], one["rank_high"])]
        for lines in (one, other)
    ]
    if not all(widths):
        return ""
    narrow, wide = map(fmean, widths)
    text = (
        f"From its best to its worst rank a system moves by {number(narrow, 1)} places on average the published way, "
    )
    text += f"and by {number(wide, 1)} the recommended way."
    if narrow < wide and str(one[0]["unit"]) == "pair":
        text += f" The published way treats {_drawn(one)} as independent; but those on one sentence "
        text += "belong together, so it looks more certain than it is."
    return text
