"""What metrics say of a campaign, as CSV."""

from collections.abc import Iterable, Iterator
from itertools import islice

from judgments.models import Campaign
from judgments.rules.files.csv_tables import cells
from ranking.metrics.tabling import COLUMNS, SCORES
from ranking.models import Scoring
from ranking.scoreboard import all_scores, tables_of
from ranking.stats.tables import to_csv

LINES_AT_ONCE = 1000


def names_of(tables: Iterable[str]) -> list[str]:
    """Which files there are, where there are these tables."""
    return [f"{name}.csv" for name in (SCORES, *tables)]


def blocks_of(campaign: Campaign, name: str) -> Iterator[str] | None:
    """One file in pieces, or None where there is none of that name."""
    stem = name.removesuffix(".csv")
    if stem == SCORES:
        return _scores(campaign)
    table = tables_of(Scoring.objects.of(campaign)).get(stem)
    return iter([to_csv(table)]) if table and name.endswith(".csv") else None


def _scores(campaign: Campaign) -> Iterator[str]:
    """Too many for one piece."""
    yield cells(COLUMNS) + "\n"
    lines = (cells("" if cell is None else cell for cell in row) + "\n" for row in all_scores(campaign))
    while block := "".join(islice(lines, LINES_AT_ONCE)):
        yield block
