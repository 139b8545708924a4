"""How much each judge corrects, and in which categories (Bryant and Ng 2015, Table 3).

Edits are counted by words, as in M2: several changes within one word are one edit, and changes of white space none.

Toy: of two sentences of three words Ada changes one word and inserts another in the first, and leaves the second
unchanged: 2 edits, 1 of 2 sentences changed, 1 edit per sentence, 33.3 edits per hundred words.

`categories` compares people by category: every judge with the edits of one category only (Bryant and Ng 2015, section
6.1; edits of systems have no categories there either). Sentences without such an edit add nothing and are left out.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ranking.metrics.material import Edit
from ranking.metrics.ratio import DRAWN
from ranking.stats.corrections.combinations import Combined, combinations
from ranking.stats.corrections.corrections import Corrections
from ranking.stats.corrections.scoring import Rows, Units


class Diligence(NamedTuple):
    sentences: int
    words: int
    changed: int
    edits: int
    inserted: int
    deleted: int
    replaced: int

    @property
    def a_sentence(self) -> float | None:
        return self.edits / self.sentences if self.sentences else None

    @property
    def a_hundred_words(self) -> float | None:
        return 100 * self.edits / self.words if self.words else None


def diligence(corrections: Corrections) -> list[Diligence]:
    return [_of_judge(corrections, judge) for judge in range(len(corrections.judges))]


def by_category(corrections: Corrections) -> dict[str, list[int]]:
    """Return the number of edits of each category by judge, the most frequent category first."""
    by_judge = [Counter(edit.kind for edit in _edits(corrections, judge)) for judge in range(len(corrections.judges))]
    total = sum(by_judge, Counter())
    kinds = sorted(total, key=lambda kind: (-total[kind], kind))
    return {kind: [counts[kind] for counts in by_judge] for kind in kinds}


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


# There are many categories, and their intervals need no more replicates than this.
MOST_REPLICATES = 200


class OfCategory(NamedTuple):
    """Agreement of people in one category, and the numbers of its edits and judges."""

    category: str
    edits: int
    judges: int
    by_gold: list[Combined]


def categories(
    corrections: Corrections, beta: float, least_edits: int, units: Units, seed: int, most_subsets: int = DRAWN
) -> Iterator[OfCategory]:
    """Compare people by every category with enough edits, the most frequent first; all judged all sentences."""
    fewer = units.first(MOST_REPLICATES)
    for category, counts in by_category(corrections).items():
        if category and sum(counts) >= least_edits:
            there = [
                place
                for place, by_judge in enumerate(zip(*corrections.edits, strict=True))
                if any(edit.kind == category for edits in by_judge for edit in edits or ())
            ]
            rows = Rows.of(corrections.of_kind(category), beta)
            found = combinations(rows, fewer.only(there), seed, most_subsets)
            yield OfCategory(category, sum(counts), sum(count > 0 for count in counts), found)
