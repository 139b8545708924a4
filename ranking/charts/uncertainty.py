"""The uncertainty of the ranking in two ways: rank ranges and clusters as published, and as recommended."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from django.utils.safestring import SafeString

from judgments.web.charts.drawing import SMALL, Chart, box, line, shortened, width_of, words
from judgments.web.charts.numbers import counted, number, ranks
from judgments.web.charts.scale import Scale
from ranking.charts.drawing.order import order_of
from ranking.charts.drawing.sheets import BOTTOM, ROW, Sheet, cluster_bands, lines_of, plotted
from ranking.numbers.tables import Table
from ranking.stats.rankings.methods import METHODS

NAME, TITLE = "uncertainty", "Ranges of ranks, two ways"
TOP, AXIS, GAP, COLUMN, APART, BAR = 52, 190, 12, 56, 28, 12
# A bar extends beyond the centres of its ranks, so that a single rank is visible.
REACH = 0.4
MOST = 100
DRAWN = {
    "pair": "single comparisons", "ranking": "whole rankings", "sentence": "whole sentences",
    "judge": "all that a judge did", "sentence-and-judge": "sentences and judges",
}  # fmt: skip
Ways = dict[str, dict[str, dict]]


def uncertainty(tables: Mapping[str, Table]) -> list[Chart]:
    ways = _ways(tables)
    if len(ways) < 2:
        return []
    systems = list(dict.fromkeys(system for lines in ways.values() for system in lines))
    too_large = f"With {counted(len(systems), 'system')} a chart would be too long" if len(systems) > MOST else ""
    return plotted(NAME, TITLE, sentence(ways), lambda: _sheet(systems, ways), too_large)


def _ways(tables: Mapping[str, Table]) -> Ways:
    """Group the lines by way, with systems in the order of the first ranking."""
    lines, order = lines_of(tables, NAME), order_of(tables)
    places = {system: place for place, system in enumerate(order)}
    ways: Ways = {str(one["way"]): {} for one in lines}
    for one in sorted(lines, key=lambda line: places.get(str(line["system"]), len(places))):
        ways[str(one["way"])][str(one["system"])] = one
    return ways


def _sheet(systems: Sequence[str], ways: Ways) -> Sheet:
    names = [shortened(name) for name in systems]
    left = width_of(names) + GAP
    parts = [words(left - GAP, TOP + ROW * (place + 0.5), name, "end", "name") for place, name in enumerate(names)]
    panel = AXIS + GAP + 2 * COLUMN
    for place, (way, lines) in enumerate(ways.items()):
        start = left + place * (panel + APART)
        scale = Scale(0.5, len(systems) + 0.5, start, start + AXIS)
        parts += _panel(way, [lines.get(system, {}) for system in systems], scale)
    return left + len(ways) * (panel + APART) - APART, TOP + ROW * len(systems) + BOTTOM, parts


def _panel(way: str, lines: Sequence[dict], scale: Scale) -> Iterator[SafeString]:
    bottom, edge = TOP + ROW * len(lines), scale.end + GAP + 2 * COLUMN
    yield from cluster_bands(lines, scale.start, TOP, edge - scale.start)
    yield words(scale.start, SMALL, f"{way.capitalize()}: {_drawn(lines)}")
    for x, text, anchor in (
        (scale.start, "Rank", "start"), (scale.end + GAP, "Ranks", "start"), (edge - 8, "Cluster", "end"),
    ):  # fmt: skip
        yield words(x, TOP - 14, text, anchor, "faded", SMALL)
    round_ones = [round(value) for value, _ in scale.ticks(5) if abs(value - round(value)) < 1e-9]
    for value in [1, *(value for value in round_ones if 1 < value <= len(lines))]:
        yield line(scale.at(value), TOP, scale.at(value), bottom, "grid")
        yield words(scale.at(value), bottom + BOTTOM / 2, str(value), "middle", "faded", SMALL)
    for place, one in enumerate(lines):
        yield from _range(one.get("rank_low"), one.get("rank_high"), scale, TOP + ROW * (place + 0.5))


def _drawn(lines: Sequence[dict]) -> str:
    unit = next((str(one["unit"]) for one in lines if one.get("unit")), "")
    return DRAWN.get(unit, unit)


def _range(low: int | None, high: int | None, scale: Scale, y: float) -> Iterator[SafeString]:
    if low is not None and high is not None:
        x = scale.at(low - REACH)
        yield box(x, y - BAR / 2, scale.at(high + REACH) - x, BAR, "bar")
    yield words(scale.end + GAP, y, ranks(low, high))


def sentence(ways: Ways) -> str:
    published, recommended, *_ = (list(lines.values()) for lines in ways.values())
    return " ".join(filter(None, [_clusters(published, recommended), _widths(published, recommended)]))


def _clusters(one: Sequence[dict], other: Sequence[dict]) -> str:
    few, many = (len({line["cluster"] for line in lines} - {None}) for lines in (one, other))
    method = str(one[0]["method"])
    by = METHODS[method].label if method in METHODS else method
    if not few or not many:
        return f"The number of clusters by {by} is not known in both ways."
    clusters = counted(few, "cluster")
    return f"By {by}, drawing {_drawn(one)} as published makes {clusters}; drawing {_drawn(other)} makes {many}."


def _widths(one: Sequence[dict], other: Sequence[dict]) -> str:
    """Compare the mean of worst minus best rank."""
    widths = [
        [one["rank_high"] - one["rank_low"] for one in lines if None not in (one["rank_low"], one["rank_high"])]
        for lines in (one, other)
    ]
    if not all(widths):
        return ""
    narrow, wide = map(fmean, widths)
    text = (
        f"From its best to its worst rank a system moves by {number(narrow, 1)} places on average the published way, "
        f"and by {number(wide, 1)} the recommended way."
    )
    if narrow < wide and str(one[0]["unit"]) == "pair":
        text += f" The published way treats {_drawn(one)} as independent; but those on one sentence "
        text += "belong together, so it looks more certain than it is."
    return text
