"""People against people by category: every judge with the edits of one category alone.

Source: Bryant and Ng (2015), section 6.1, who have no categories of systems' edits either.
Sentences on which no judge has such an edit add nothing to any count, and are left out.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ranking.metrics.ratio import DRAWN
from ranking.stats.corrections.combinations import Combined, combinations
from ranking.stats.corrections.corrections import Corrections
from ranking.stats.corrections.counting import by_category
from ranking.stats.corrections.scoring import Rows, Units

# Intervals of single categories need no more, and there are many categories.
MOST_REPLICATES = 200


class OfCategory(NamedTuple):
    """How near people come to one another in one category, and how many edits of how many judges it has."""

    category: str
    edits: int
    judges: int
    by_gold: list[Combined]


def categories(
    corrections: Corrections, beta: float, least_edits: int, units: Units, seed: int, most_subsets: int = DRAWN
) -> Iterator[OfCategory]:
    """Every category with enough edits, the most frequent first; of judges who all judged all sentences."""
    fewer = units.first(MOST_REPLICATES)
    for category, counts in by_category(corrections).items():
        if category and sum(counts) >= least_edits:
            there = [
                place
                for place, told in enumerate(zip(*corrections.edits, strict=True))
                if any(edit.kind == category for edits in told for edit in edits or ())
            ]
            rows = Rows.of(corrections.of_kind(category), beta)
            found = combinations(rows, fewer.only(there), seed, most_subsets)
            yield OfCategory(category, sum(counts), sum(count > 0 for count in counts), found)
