"""Shared by all charts: reading tables, sheets, axes below rows, bands of clusters, and panels in rows."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby

from django.utils.safestring import SafeString

from judgments.web.charts.drawing import NO_CHART, SMALL, Chart, box, frame, line, words
from judgments.web.charts.numbers import UNKNOWN
from judgments.web.charts.scale import Scale
from ranking.numbers.tables import Table

ROW, BOTTOM = 28, 28
# The widest row of panels.
WIDEST = 900
STYLES = ("curve", "curve dashed", "curve dotted")
# Width, height and elements.
Sheet = tuple[float, float, Iterable[SafeString]]


def lines_of(tables: Mapping[str, Table], name: str, *known: str) -> list[dict]:
    """Return the rows of a table, if the report has it, in which these columns have values."""
    lines: list[dict] = tables[name].dicts() if name in tables else []
    return [line for line in lines if all(line[column] is not None for column in known)]


def plotted(
    name: str, title: str, text: str, draw: Callable[[], Sheet], too_large: str = "",
    tables: tuple[str, ...] | None = None,
) -> list[Chart]:  # fmt: skip
    """Make a chart shown with these tables, by default the one of its name; draw nothing if it is too large."""
    shown = (name,) if tables is None else tables
    if too_large:
        return [Chart(name, title, f"{text} {too_large}; see the numbers below.", NO_CHART, shown)]
    return [Chart(name, title, text, frame(name, title, text, *draw()), shown)]


def axis(scale: Scale, most: int, top: float, bottom: float, below: float = BOTTOM / 2) -> Iterator[SafeString]:
    """Draw a line at each round value, with the value below it."""
    for value, text in scale.ticks(most):
        yield line(scale.at(value), top, scale.at(value), bottom, "zero" if value == 0 else "grid")
        yield words(scale.at(value), bottom + below, text, "middle", "faded", SMALL)


def cluster_bands(lines: Iterable[dict], x: float, y: float, width: float) -> Iterator[SafeString]:
    """Draw every other cluster on a pale band, with its number at the right."""
    for place, (cluster, group) in enumerate(groupby(lines, key=lambda line: line.get("cluster"))):
        height = ROW * len(list(group))
        yield box(x, y, width, height, "band other" if place % 2 else "band")
        yield words(x + width - 8, y + ROW / 2, UNKNOWN if cluster is None else str(cluster), "end", "faded")
        y += height


def side_by_side(width: float, height: float, panels: int) -> tuple[float, float, list[tuple[float, float]]]:
    """Arrange panels of one size in rows; return the total width and height, and the upper left corner of each."""
    in_a_row = max(1, min(panels, int(WIDEST // width)))
    corners = [(place % in_a_row * width, place // in_a_row * height) for place in range(panels)]
    return width * in_a_row, height * -(-panels // in_a_row), corners
