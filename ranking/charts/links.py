"""Links from numbers and marks to the sentences behind them, relative to the page of a report."""

import re
from typing import NamedTuple
from urllib.parse import urlencode

from django.utils.safestring import SafeString

from judgments.web.charts.drawing import tag

ANCHOR = re.compile(r"</?a\b[^>]*>")


class Link(NamedTuple):
    """A page about systems, judges or metrics, and the columns that say which."""

    page: str
    columns: tuple[str, ...]

    def to(self, *values: object) -> str:
        return f"{self.page}/?{urlencode(dict(zip(self.columns, values, strict=True)))}"


OF_A_PAIR = Link("pairs", ("system", "opponent"))
OF_A_JUDGE = Link("judges", ("judge",))
OF_A_METRIC = Link("metrics", ("metric",))
OF_A_METRIC_AND_SYSTEM = Link("metrics", ("metric", "system"))


def linked(address: str, mark: SafeString) -> SafeString:
    """A mark that leads somewhere by mouse or finger; by keyboard, the table of the chart does."""
    return tag("a", mark, href=address, tabindex=-1)


def without_links(svg: SafeString) -> SafeString:
    return SafeString(ANCHOR.sub("", svg))  # nosec B703
