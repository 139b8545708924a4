"""Links from numbers and marks to the sentences behind them, relative to the page of a report."""

from typing import NamedTuple
from urllib.parse import urlencode

from django.utils.safestring import SafeString

from judgments.web.charts.drawing import tag
from ranking.stats.comparisons.judges import EVERYBODY


class Link(NamedTuple):
    """A page about systems, judges or metrics, the columns that say which, and values that have no page."""

    page: str
    columns: tuple[str, ...]
    without: tuple[str, ...] = ()

    def to(self, *values: object) -> str:
        if any(value in self.without for value in values):
            return ""
        return f"{self.page}/?{urlencode(dict(zip(self.columns, values, strict=True)))}"


OF_A_PAIR = Link("pairs", ("system", "opponent"))
OF_A_JUDGE = Link("judges", ("judge",), (EVERYBODY,))
OF_A_METRIC = Link("metrics", ("metric",))
OF_A_METRIC_AND_SYSTEM = Link("metrics", ("metric", "system"))


def linked(address: str, mark: SafeString) -> SafeString:
    """A mark that leads somewhere by mouse or finger, where the page has scripts; by keyboard, its table does."""
    return tag("g", mark, data_href=address)
