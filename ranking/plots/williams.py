"""Which metric correlates better than which: a heat map of one-sided p-values, row against column."""

from collections.abc import Iterator, Mapping, Sequence

from django.utils.safestring import SafeString

from judgments.web.charts.chart import NO_PICTURE, Plot
from judgments.web.charts.drawing import frame
from judgments.web.charts.numbers import UNKNOWN, counted, number, p_value
from ranking.plots.heat import step_of_p_value
from ranking.plots.matrix import MOST, Matrix
from ranking.plots.order import metrics_of
from ranking.stats.tables import Table

NAME, TITLE = "williams", "Metrics against each other"
HEAD = "Row better than column"
LEVEL = 0.05
Tests = dict[tuple[str, str], dict]


def williams(tables: Mapping[str, Table]) -> list[Plot]:
    """The plot, if metrics were tested against each other."""
    if NAME not in tables or not tables[NAME].rows:
        return []
    tests = {(str(row["metric"]), str(row["other"])): row for row in tables[NAME].dicts()}
    tested = dict.fromkeys(name for pair in tests for name in pair)
    metrics = [name for name in dict.fromkeys([*metrics_of(tables).values(), *tested]) if name in tested]
    told = sentence(metrics, tests)
    if len(metrics) > MOST:
        told += f" With {len(metrics)} metrics a picture would be too large to read; the numbers have it all."
        return [Plot(NAME, TITLE, told, NO_PICTURE, (NAME,))]
    return [Plot(NAME, TITLE, told, _picture(metrics, tests, told), (NAME,))]


def _picture(metrics: Sequence[str], tests: Tests, told: str) -> SafeString:
    matrix = Matrix.of(metrics, HEAD)
    parts = [*matrix.heads(), *_squares(metrics, tests, matrix)]
    if not matrix.with_numbers:
        parts += matrix.key("column is better", "row is better")
    return frame(NAME, TITLE, told, matrix.width, matrix.height_with_key, parts)


def _squares(metrics: Sequence[str], tests: Tests, matrix: Matrix) -> Iterator[SafeString]:
    for metric, corners in zip(metrics, matrix.corners(), strict=True):
        for other, corner in zip(metrics, corners, strict=True):
            known = tests[metric, other]["p_value"] if (metric, other) in tests else None
            if known is not None:
                told = p_value(known) if matrix.with_numbers else ""
                yield from matrix.square(corner, step_of_p_value(known), _tip(tests[metric, other]), told)
            elif metric != other:
                yield from matrix.square(corner, "cell void", told=UNKNOWN)


def _tip(test: dict) -> str:
    return f"{test['metric']} better than {test['other']}: t = {number(test['t'])}, p = {test['p_value']:.2g}"


def sentence(metrics: Sequence[str], tests: Tests) -> str:
    """Of how many pairs one metric is better than the other."""
    pairs = [(one, other) for place, one in enumerate(metrics) for other in metrics[place + 1 :]]
    known = [least for pair in pairs if (least := _least(tests, *pair)) is not None]
    differ = sum(1 for least in known if least <= LEVEL)
    told = f"In {differ:,} of {counted(len(pairs), 'pair')} one metric correlates better with people than the other "
    told += (
        f"by more than chance (Williams' test, one-sided p at most {LEVEL}, not corrected for the number of tests). "
    )
    told += "Each square is the p-value of the row's metric being better than the column's: the smaller, the surer."
    if len(known) < len(pairs):
        told += f" {counted(len(pairs) - len(known), 'pair')} could not be tested."
    return told


def _least(tests: Tests, one: str, other: str) -> float | None:
    """The smaller of the two p-values, if either is known."""
    found = (tests[pair]["p_value"] for pair in ((one, other), (other, one)) if pair in tests)
    return min((value for value in found if value is not None), default=None)
