"""How many judgments came on each day."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ranking.numbers.tables import Table


class Day(NamedTuple):
    """The number of judgments a judge made on a day; days are written as 2015-09-17."""

    day: str
    judge: int
    judgments: int


def by_day(days: Sequence[Day]) -> Iterator[Table]:
    """The number of judgments on each day, and of their judges."""
    rows = []
    for day in sorted({one.day for one in days}):
        done = [one.judgments for one in days if one.day == day]
        rows.append((day, sum(done), len(done)))
    if rows:
        yield Table.of("judgments_over_time", ("day", "judgments", "judges"), rows)
