"""Heat maps of rows against columns: head to head of systems, and Williams' tests of metrics."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from judgments.web.charts.chart import NO_PICTURE
from judgments.web.charts.chart import Plot as Chart
from judgments.web.charts.drawing import SMALL, TEXT, box, frame, tag, words
from judgments.web.charts.lettering import shortened, width_of
from judgments.web.charts.numbers import UNKNOWN, counted, listed, number, p_value, share
from ranking.charts.drawing.heat import step_around_half, step_of_p_value
from ranking.charts.drawing.order import metrics_of, order_of
from ranking.numbers.tables import Table
from ranking.stats.rankings.head_to_head import MARKS

GAP = 10
# With more names a square is too small for its number; with many more it is too small to see.
MOST_WITH_NUMBERS, MOST = 16, 60
# The width of slanted text as a share of its length.
SLANTED = 0.71
KEY = 22


@dataclass(frozen=True)
class Matrix:
    """A square matrix of names; the head states the relation of row to column."""

    names: tuple[str, ...]
    head: str

    @classmethod
    def of(cls, names: Sequence[str], head: str) -> "Matrix":
        """A matrix with names shortened to fit."""
        return cls(tuple(shortened(name) for name in names), head)

    @property
    def with_numbers(self) -> bool:
        """Whether squares are large enough for numbers."""
        return len(self.names) <= MOST_WITH_NUMBERS

    @property
    def side(self) -> tuple[float, float]:
        """The width and height of a square."""
        return (50, 32) if self.with_numbers else (20, 20)

    @property
    def left(self) -> float:
        """The x of the first column."""
        return max(width_of(list(self.names)), width_of([self.head], SMALL)) + GAP

    @property
    def top(self) -> float:
        """The y of the first row."""
        return width_of(list(self.names)) * SLANTED + TEXT + GAP

    @property
    def bottom(self) -> float:
        """The y of the end of the last row."""
        return self.top + self.side[1] * len(self.names)

    @property
    def width(self) -> float:
        """The total width, including the last slanted name."""
        slanted = width_of(list(self.names)) * SLANTED
        return self.left + self.side[0] * len(self.names) + max(slanted - self.side[0] / 2, 0) + GAP

    def corners(self) -> list[list[tuple[float, float]]]:
        """The upper left corner of every square, row by row."""
        (left, top), (width, height), many = (self.left, self.top), self.side, range(len(self.names))
        return [[(left + column * width, top + row * height) for column in many] for row in many]

    def heads(self) -> Iterator[SafeString]:
        """The names of rows and columns."""
        size, (left, top), (width, height) = TEXT if self.with_numbers else SMALL, (self.left, self.top), self.side
        yield words(left - GAP, top - GAP, self.head, "end", "faded", SMALL)
        for place, name in enumerate(self.names):
            yield words(left - GAP, top + (place + 0.5) * height, name, "end", "name", size)
            x, y = left + (place + 0.5) * width, top - GAP / 2
            turned = f"rotate(-45 {x:.1f} {y:.1f})"
            yield tag("text", name, x=x, y=y, font_size=size, class_="name column", transform=turned)

    def square(self, corner: tuple[float, float], class_: str, tip: str = "", text: str = "") -> Iterator[SafeString]:
        """One square and its text."""
        (x, y), (width, height) = corner, self.side
        yield box(x + 1, y + 1, width - 2, height - 2, class_, tip)
        if text:
            yield words(x + width / 2, y + height / 2, text, "middle", size=TEXT if self.with_numbers else SMALL)

    def key(self, least: str, most: str) -> Iterator[SafeString]:
        """The key to the colours, for squares without numbers."""
        x, y = self.left, self.bottom + GAP
        for place in range(9):
            yield box(x + place * KEY, y, KEY - 2, 12, step_around_half(place / 8))
        yield words(x, y + 26, least, class_="faded", size=SMALL)
        yield words(x + 9 * KEY - 2, y + 26, most, "end", "faded", SMALL)

    @property
    def height_with_key(self) -> float:
        """The total height, including the key if there is one."""
        return self.bottom + 2 + (0 if self.with_numbers else GAP + 44)


HEAD_TO_HEAD, MEETINGS_TITLE = "head_to_head", "Head to head"
MEETINGS_HEAD = "Row beats column"
Meetings = dict[tuple[str, str], dict]


def head_to_head(tables: Mapping[str, Table]) -> list[Chart]:
    """The chart, if systems met."""
    if HEAD_TO_HEAD not in tables or not tables[HEAD_TO_HEAD].rows:
        return []
    meetings = {(str(row["system"]), str(row["opponent"])): row for row in tables[HEAD_TO_HEAD].dicts()}
    met = dict.fromkeys(name for pair in meetings for name in pair)
    systems = [name for name in dict.fromkeys([*order_of(tables), *met]) if name in met]
    text = meetings_sentence(systems, meetings)
    if len(systems) > MOST:
        text += f" With {len(systems)} systems a chart would be too large to read; see the numbers below."
        return [Chart(HEAD_TO_HEAD, MEETINGS_TITLE, text, NO_PICTURE, (HEAD_TO_HEAD,))]
    return [Chart(HEAD_TO_HEAD, MEETINGS_TITLE, text, _meetings_svg(systems, meetings, text), (HEAD_TO_HEAD,))]


def _meetings_svg(systems: Sequence[str], meetings: Meetings, text: str) -> SafeString:
    matrix = Matrix.of(systems, MEETINGS_HEAD)
    parts = [*matrix.heads(), *_meetings_squares(systems, meetings, matrix)]
    if not matrix.with_numbers:
        parts += matrix.key("loses all", "wins all")
    return frame(HEAD_TO_HEAD, MEETINGS_TITLE, text, matrix.width, matrix.height_with_key, parts)


def _meetings_squares(systems: Sequence[str], meetings: Meetings, matrix: Matrix) -> Iterator[SafeString]:
    for system, corners in zip(systems, matrix.corners(), strict=True):
        for opponent, corner in zip(systems, corners, strict=True):
            if meeting := meetings.get((system, opponent)):
                known = meeting["share"]
                class_ = "cell void" if known is None else step_around_half(known)
                yield from matrix.square(corner, class_, _meetings_tip(meeting), _written(meeting, matrix))
            elif system != opponent:
                yield from matrix.square(corner, "cell void")


def _written(meeting: dict, matrix: Matrix) -> str:
    known, mark = meeting["share"], meeting["mark"] or ""
    if matrix.with_numbers:
        return share(known) + mark
    return mark or (UNKNOWN if known is None else "")


def _meetings_tip(meeting: dict) -> str:
    p_value = "" if meeting["p_value"] is None else f", p = {meeting['p_value']:.2g}"
    counts = f"{meeting['wins']:,} won, {meeting['losses']:,} lost, {meeting['ties']:,} tied"
    return f"{meeting['system']} against {meeting['opponent']}: {counts}{p_value}"


def meetings_sentence(systems: Sequence[str], meetings: Meetings) -> str:
    """The number of pairs that differ by more than chance, and those that contradict the ranking."""
    pairs = [(one, other) for place, one in enumerate(systems) for other in systems[place + 1 :]]
    marked = [pair for pair in pairs if pair in meetings and meetings[pair]["mark"]]
    levels = ", ".join(f"{mark} {level}" for level, mark in reversed(MARKS))
    text = f"Each square is the row's share of decisive comparisons with the column. {len(marked):,} of "
    text += f"{counted(len(pairs), 'pair')} differ by more than chance (p at most: {levels})"
    against = [(other, one) for one, other in marked if (meetings[one, other]["share"] or 0) < 0.5]
    if not against:
        return text + (", and none of them contradicts the order of the ranking." if marked else ".")
    beaten = listed([f"{other} beats {one}" for other, one in against], 4)
    return text + f"; against the order of the ranking, {beaten}."


WILLIAMS, WILLIAMS_TITLE = "williams", "Metrics against each other"
WILLIAMS_HEAD = "Row better than column"
LEVEL = 0.05
Tests = dict[tuple[str, str], dict]


def williams(tables: Mapping[str, Table]) -> list[Chart]:
    """The chart, if metrics were tested against each other."""
    if WILLIAMS not in tables or not tables[WILLIAMS].rows:
        return []
    tests = {(str(row["metric"]), str(row["other"])): row for row in tables[WILLIAMS].dicts()}
    tested = dict.fromkeys(name for pair in tests for name in pair)
    metrics = [name for name in dict.fromkeys([*metrics_of(tables).values(), *tested]) if name in tested]
    text = williams_sentence(metrics, tests)
    if len(metrics) > MOST:
        text += f" With {len(metrics)} metrics a chart would be too large to read; see the numbers below."
        return [Chart(WILLIAMS, WILLIAMS_TITLE, text, NO_PICTURE, (WILLIAMS,))]
    return [Chart(WILLIAMS, WILLIAMS_TITLE, text, _williams_svg(metrics, tests, text), (WILLIAMS,))]


def _williams_svg(metrics: Sequence[str], tests: Tests, text: str) -> SafeString:
    matrix = Matrix.of(metrics, WILLIAMS_HEAD)
    parts = [*matrix.heads(), *_williams_squares(metrics, tests, matrix)]
    if not matrix.with_numbers:
        parts += matrix.key("column is better", "row is better")
    return frame(WILLIAMS, WILLIAMS_TITLE, text, matrix.width, matrix.height_with_key, parts)


def _williams_squares(metrics: Sequence[str], tests: Tests, matrix: Matrix) -> Iterator[SafeString]:
    for metric, corners in zip(metrics, matrix.corners(), strict=True):
        for other, corner in zip(metrics, corners, strict=True):
            known = tests[metric, other]["p_value"] if (metric, other) in tests else None
            if known is not None:
                text = p_value(known) if matrix.with_numbers else ""
                yield from matrix.square(corner, step_of_p_value(known), _williams_tip(tests[metric, other]), text)
            elif metric != other:
                yield from matrix.square(corner, "cell void", text=UNKNOWN)


def _williams_tip(test: dict) -> str:
    return f"{test['metric']} better than {test['other']}: t = {number(test['t'])}, p = {test['p_value']:.2g}"


def williams_sentence(metrics: Sequence[str], tests: Tests) -> str:
    """The number of pairs in which one metric is better than the other."""
    pairs = [(one, other) for place, one in enumerate(metrics) for other in metrics[place + 1 :]]
    known = [least for pair in pairs if (least := _least(tests, *pair)) is not None]
    differ = sum(1 for least in known if least <= LEVEL)
    text = f"In {differ:,} of {counted(len(pairs), 'pair')} one metric correlates better with people than the other "
    text += (
        f"by more than chance (Williams' test, one-sided p at most {LEVEL}, not corrected for the number of tests). "
    )
    text += "Each square is the p-value of the row's metric being better than the column's: the smaller, the surer."
    if len(known) < len(pairs):
        text += f" {counted(len(pairs) - len(known), 'pair')} could not be tested."
    return text


def _least(tests: Tests, one: str, other: str) -> float | None:
    """The smaller of the two p-values, if either is known."""
    found = (tests[pair]["p_value"] for pair in ((one, other), (other, one)) if pair in tests)
    return min((value for value in found if value is not None), default=None)
