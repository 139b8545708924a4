"""The same comparison from fewer documents (Bryant and Ng 2015, section 6.2): the first ones, and as chance draws them.

The published subset is the first ten essays. How far another choice might lead is told by drawing as many documents
again and again, without replacement.
"""

from typing import NamedTuple

from ranking.metrics.ratio import DRAWN
from ranking.stats.corrections.combinations import Combined, combinations
from ranking.stats.corrections.scoring import DrawnBy, Rows, Units


class OfSubset(NamedTuple):
    """From the first documents alone, and (as replicates) from as many that were drawn."""

    documents: int
    sentences: int
    first: list[Combined]
    drawn: list[Combined]


def first_documents(rows: Rows, documents: int, replicates: int, seed: int, most_subsets: int = DRAWN) -> OfSubset:
    """The first so many documents in the order of the text."""
    corrections = rows.corrections
    drawn = Units.parts_of(corrections, documents, replicates, seed)
    first = list(dict.fromkeys(corrections.document_of))[:documents]
    there = [place for place, document in enumerate(corrections.document_of) if document in first]
    chosen = corrections.only(range(rows.judges), there)
    alone = Rows.of(chosen, rows.metric.beta)
    none = Units.drawn(chosen, DrawnBy.DOCUMENT, 1, seed)
    return OfSubset(
        documents,
        len(there),
        combinations(alone, none, seed, most_subsets),
        combinations(rows, drawn, seed, most_subsets),
    )
