"""How much each judge corrects, and of which category (Bryant and Ng 2015, Table 3).

Edits are counted by words, as M2 has them: several in one word are one, and white space alone is none.

Toy: of two sentences of three words Ada changes one word and inserts another in the first, and leaves the second as it
is: 2 edits, 1 of 2 sentences changed, 1 edit a sentence, 33.3 edits a hundred words.

People against people by category: every judge with the edits of one category alone.

Source: Bryant and Ng (2015), section 6.1, who have no categories of systems' edits either.
Sentences on which no judge has such an edit add nothing to any count, and are left out.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ranking.metrics.material import Edit
from ranking.metrics.ratio import DRAWN
from ranking.stats.corrections.combinations import Combined, combinations
from ranking.stats.corrections.corrections import Corrections
from ranking.stats.corrections.scoring import Rows, Units

HUNDRED = 100


class Diligence(NamedTuple):
    """What one judge did to the sentences that the judge judged."""

    sentences: int
    words: int
    changed: int
    edits: int
    inserted: int
    deleted: int
    replaced: int

    @property
    def a_sentence(self) -> float | None:
        """Edits a sentence."""
        return self.edits / self.sentences if self.sentences else None

    @property
    def a_hundred_words(self) -> float | None:
        """Edits a hundred words of the source."""
        return HUNDRED * self.edits / self.words if self.words else None


def diligence(corrections: Corrections) -> list[Diligence]:
    """Every judge's, in the order of judges."""
    return [_of_judge(corrections, judge) for judge in range(len(corrections.judges))]


def by_category(corrections: Corrections) -> dict[str, list[int]]:
    """How many edits of each category every judge made, the most frequent category first."""
    told = [Counter(edit.kind for edit in _edits(corrections, judge)) for judge in range(len(corrections.judges))]
    whole = sum(told, Counter())
    return {kind: [counts[kind] for counts in told] for kind in sorted(whole, key=lambda kind: (-whole[kind], kind))}


def _of_judge(corrections: Corrections, judge: int) -> Diligence:
    judged = [place for place, edits in enumerate(corrections.edits[judge]) if edits is not None]
    edits = list(_edits(corrections, judge))
    inserted = sum(edit.start == edit.end for edit in edits)
    deleted = sum(edit.start < edit.end and not edit.corrections[0] for edit in edits)
    return Diligence(
        sentences=len(judged),
        words=sum(len(corrections.source[place].split()) for place in judged),
        changed=sum(bool(corrections.edits[judge][place]) for place in judged),
        edits=len(edits),
        inserted=inserted,
        deleted=deleted,
        replaced=len(edits) - inserted - deleted,
    )


def _edits(corrections: Corrections, judge: int) -> Iterable[Edit]:
    return (edit for edits in corrections.edits[judge] for edit in edits or ())


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
