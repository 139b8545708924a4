"""What was there to judge, and when it was judged."""

from collections.abc import Iterator, Sequence

import numpy as np

from ranking.stats.study import Day, Study
from ranking.stats.tables import Table


def distinct_outputs(study: Study) -> Iterator[Table]:
    """On how many sentences the systems have how many distinct outputs (Figure 1)."""
    distinct = study.besides.distinct
    if len(distinct):
        counted = np.bincount(distinct)
        rows = [(number, counted[number], counted[number] / len(distinct)) for number in range(1, len(counted))]
        yield Table.of("distinct_outputs", ("distinct", "sentences", "share"), rows)


def judgments_over_time(study: Study) -> Iterator[Table]:
    """How many judgments came on each day, and from how many judges."""
    yield from by_day(study.besides.days)


def by_day(days: Sequence[Day]) -> Iterator[Table]:
    """The same of what each judge did on each day."""
    rows = []
    for day in sorted({one.day for one in days}):
        done = [one.judgments for one in days if one.day == day]
        rows.append((day, sum(done), len(done)))
    if rows:
        yield Table.of("judgments_over_time", ("day", "judgments", "judges"), rows)
