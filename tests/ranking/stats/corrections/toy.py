"""Corrections to try statistics on: a toy by hand, random ones, and the published references of learners' essays."""

import numpy as np

from ranking.metrics.material import Edit
from ranking.stats.corrections.scoring import Corrections
from tests.ranking.metrics import published

KINDS = ("Nn", "Vt", "Prep")


def change(start: int, end: int, correction: str, kind: str = "Nn") -> Edit:
    return Edit(start, end, (correction,), kind)


def toy() -> Corrections:
    """Ada, Ben and Eve on three sentences; Eve has not judged the last."""
    edits = (
        ((change(1, 2, "dog"),), (), (change(0, 1, "d", "Vt"),)),
        ((change(1, 2, "dog", "Vt"), change(3, 3, "down")), (change(1, 2, ""),), ()),
        ((change(1, 2, "dog"),), (), None),
    )
    source, outputs = ("a cat sat", "b dog ran", "c"), (("a dog sat", "b ran", "c"),)
    return Corrections(source, (0, 0, 1), ("ada", "ben", "eve"), edits, ("heron",), outputs)


def random(seed: int, judges: int = 4, sentences: int = 30) -> Corrections:
    """Random edits of random sentences, ten of them a document."""
    rng = np.random.default_rng(seed)
    source = tuple(" ".join(rng.choice(list("abcd"), size=6)) for _ in range(sentences))

    def edits() -> tuple[Edit, ...]:
        places = np.flatnonzero(rng.random(6) < 0.3).tolist()
        return tuple(change(at, at + 1, str(rng.choice(["x", "y", ""])), str(rng.choice(KINDS))) for at in places)

    made = tuple(tuple(edits() for _ in source) for _ in range(judges))
    whole = Corrections(source, tuple(place // 10 for place in range(sentences)), tuple("abcdefghijkl"[:judges]), made)
    outputs = tuple(tuple(row) for row in whole.texts()[:1])
    return Corrections(source, whole.document_of, whole.judges[1:], made[1:], ("system",), outputs)


def essays(part: str) -> Corrections:
    gold = published.gmeg_gold(part)
    outputs = tuple(tuple(published.lines(f"data/gmeg-fce/{part}/{name}")) for name in published.GMEG_SYSTEMS)
    lines = len(gold.source)
    documents, judges = tuple(place // 20 for place in range(lines)), tuple(f"ref{number}" for number in range(4))
    return Corrections(gold.source, documents, judges, gold.edits, published.GMEG_SYSTEMS, outputs)
