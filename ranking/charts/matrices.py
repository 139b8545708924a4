"""Heat maps of rows against columns: head to head of systems, and Williams' tests of metrics."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from itertools import combinations

from django.utils.safestring import SafeString

from judgments.web.charts.drawing import SMALL, TEXT, Chart, box, shortened, tag, width_of, words
from judgments.web.charts.numbers import UNKNOWN, counted, listed, number, p_value, share
from ranking.charts.drawing.heat import step_around_half, step_of_p_value
from ranking.charts.drawing.order import metrics_of, order_of
from ranking.charts.drawing.sheets import Sheet, lines_of, plotted
from ranking.charts.links import OF_A_PAIR, Link, linked
from ranking.numbers.tables import Table

GAP = 10
# With more names squares are too small for numbers; with many more, too small to see.
MOST_WITH_NUMBERS, MOST = 16, 60
# The width of slanted text as a share of its length.
SLANTED = 0.71
KEY = 22
# Class, tip and text of a square.
Square = tuple[str, str, str]
# Given the row, the column, and whether squares have room for numbers.
SquareOf = Callable[[str, str, bool], Square | None]


@dataclass(frozen=True)
class Matrix:
    """A square matrix of names; `head` states the relation of row to column, `key` both ends of the colours."""

    names: Sequence[str]
    head: str
    key: tuple[str, str]
    square_of: SquareOf
    link: Link | None = None

    def sheet(self) -> Sheet:
        with_numbers = len(self.names) <= MOST_WITH_NUMBERS
        side = (50, 32) if with_numbers else (20, 20)
        size = TEXT if with_numbers else SMALL
        names = [shortened(name) for name in self.names]
        left = max(width_of(names), width_of([self.head], SMALL)) + GAP
        slanted = width_of(names) * SLANTED
        top = slanted + TEXT + GAP
        bottom = top + side[1] * len(names)
        parts = [words(left - GAP, top - GAP, self.head, "end", "faded", SMALL)]
        for place, name in enumerate(names):
            parts.append(words(left - GAP, top + (place + 0.5) * side[1], name, "end", "name", size))
            x, y = left + (place + 0.5) * side[0], top - GAP / 2
            turned = f"rotate(-45 {x:.1f} {y:.1f})"
            parts.append(tag("text", name, x=x, y=y, font_size=size, class_="name column", transform=turned))
        for row, one in enumerate(self.names):
            for column, other in enumerate(self.names):
                if square := self.square_of(one, other, with_numbers):
                    drawn = _drawn(square, left + column * side[0], top + row * side[1], side, size)
                    parts += [linked(self.link.to(one, other), mark) for mark in drawn] if self.link else drawn
        if not with_numbers:  # numbers need no key
            parts += self._key(left, bottom + GAP)
        width = left + side[0] * len(names) + max(slanted - side[0] / 2, 0) + GAP
        return width, bottom + 2 + (0 if with_numbers else GAP + 44), parts

    def _key(self, x: float, y: float) -> Iterator[SafeString]:
        for place in range(9):
            yield box(x + place * KEY, y, KEY - 2, 12, step_around_half(place / 8))
        least, most = self.key
        yield words(x, y + 26, least, class_="faded", size=SMALL)
        yield words(x + 9 * KEY - 2, y + 26, most, "end", "faded", SMALL)


def _drawn(square: Square, x: float, y: float, side: tuple[float, float], size: int) -> Iterator[SafeString]:
    class_, tip, text = square
    yield box(x + 1, y + 1, side[0] - 2, side[1] - 2, class_, tip)
    if text:
        yield words(x + side[0] / 2, y + side[1] / 2, text, "middle", size=size)


def _plotted(name: str, title: str, text: str, matrix: Matrix, what: str) -> list[Chart]:
    too_large = ""
    if len(matrix.names) > MOST:
        too_large = f"With {len(matrix.names)} {what} a chart would be too large to read"
    return plotted(name, title, text, matrix.sheet, too_large)


def _in_order(order: Iterable[str], pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Return the names in the pairs, those in `order` first."""
    met = dict.fromkeys(name for pair in pairs for name in pair)
    return [name for name in dict.fromkeys([*order, *met]) if name in met]


HEAD_TO_HEAD, MEETINGS_TITLE = "head_to_head", "Head to head"
SEPARATED, LEVEL = "*", 0.05
Pair = tuple[str, str]
Meetings = dict[Pair, dict]


def head_to_head(tables: Mapping[str, Table]) -> list[Chart]:
    meetings = {(str(row["system"]), str(row["opponent"])): row for row in lines_of(tables, HEAD_TO_HEAD)}
    if not meetings:
        return []
    systems, separated = _in_order(order_of(tables), meetings), separated_pairs(tables)
    square_of = partial(_meeting, meetings, separated)
    matrix = Matrix(systems, "Row beats column", ("loses all", "wins all"), square_of, OF_A_PAIR)
    return _plotted(HEAD_TO_HEAD, MEETINGS_TITLE, meetings_sentence(systems, meetings, separated), matrix, "systems")


def separated_pairs(tables: Mapping[str, Table]) -> set[Pair]:
    """Return the pairs, in both directions, that the ranking to cite separates."""
    lines = lines_of(tables, "pairs")
    pairs = [(str(one["system"]), str(one["opponent"])) for one in lines
             if one["resolved"] and one["method"] == lines[0]["method"]]  # fmt: skip
    return {*pairs, *((other, one) for one, other in pairs)}


def _meeting(meetings: Meetings, separated: Set[Pair], system: str, opponent: str, with_numbers: bool) -> Square | None:
    meeting = meetings.get((system, opponent))
    if meeting is None:
        return None if system == opponent else ("cell void", "", "")
    known, mark = meeting["share"], SEPARATED if (system, opponent) in separated else ""
    p_value = "" if meeting["p_value"] is None else f", p = {meeting['p_value']:.2g}"
    counts = f"{meeting['wins']:,} won, {meeting['losses']:,} lost, {meeting['ties']:,} tied"
    tip = f"{meeting['system']} against {meeting['opponent']}: {counts}{p_value}"
    text = share(known) + mark if with_numbers else mark or (UNKNOWN if known is None else "")
    return "cell void" if known is None else step_around_half(known), tip, text


def meetings_sentence(systems: Sequence[str], meetings: Meetings, separated: Set[Pair]) -> str:
    pairs = list(combinations(systems, 2))
    p_values = {pair: meetings[pair]["p_value"] for pair in pairs if pair in meetings}
    differ = [pair for pair, p in p_values.items() if p is not None and p <= LEVEL]
    marked = sum(pair in separated for pair in pairs)
    text = (
        f"Each square is the row's share of decisive comparisons with the column. {SEPARATED} marks "
        f"{marked:,} of {counted(len(pairs), 'pair')}, which the ranking to cite separates; it also learns from "
        f"comparisons with others. By their own comparisons alone {len(differ):,} differ (p at most {LEVEL})"
    )
    against = [f"{other} beats {one}" for one, other in differ if (meetings[one, other]["share"] or 0) < 0.5]
    return text + (f"; against the order of the ranking, {listed(against, 4)}." if against else ".")


WILLIAMS, WILLIAMS_TITLE = "williams", "Metrics against each other"
Tests = dict[tuple[str, str], dict]


def williams(tables: Mapping[str, Table]) -> list[Chart]:
    tests = {(str(row["metric"]), str(row["other"])): row for row in lines_of(tables, WILLIAMS)}
    if not tests:
        return []
    metrics = _in_order(metrics_of(tables).values(), tests)
    matrix = Matrix(metrics, "Row better than column", ("column is better", "row is better"), partial(_test, tests))
    return _plotted(WILLIAMS, WILLIAMS_TITLE, williams_sentence(metrics, tests), matrix, "metrics")


def _test(tests: Tests, metric: str, other: str, with_numbers: bool) -> Square | None:
    test = tests.get((metric, other))
    if test is None or test["p_value"] is None:
        return None if metric == other else ("cell void", "", UNKNOWN)
    known = test["p_value"]
    tip = f"{test['metric']} better than {test['other']}: t = {number(test['t'])}, p = {known:.2g}"
    return step_of_p_value(known), tip, p_value(known) if with_numbers else ""


def williams_sentence(metrics: Sequence[str], tests: Tests) -> str:
    pairs = list(combinations(metrics, 2))
    values = {pair: test["p_value"] for pair, test in tests.items() if test["p_value"] is not None}
    known = [pair for pair in pairs if pair in values or pair[::-1] in values]
    differ = sum(min(values.get(pair, 1), values.get(pair[::-1], 1)) <= LEVEL for pair in known)
    text = (
        f"In {differ:,} of {counted(len(pairs), 'pair')} one metric correlates better with people than the other by "
        f"more than chance (Williams' test, one-sided p at most {LEVEL}, not corrected for the number of tests). "
        "Each square is the p-value of the row's metric being better than the column's: the smaller, the surer."
    )
    if len(known) < len(pairs):
        text += f" {counted(len(pairs) - len(known), 'pair')} could not be tested."
    return text
