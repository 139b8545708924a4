"""Agreement of corrections, sentence by sentence, where several corrections can be right.

Two judges may both be right with different texts, so exact agreement is not enough. The following allows alternatives:
the probability that at least one of i others wrote the same correction. If k of n others did, it is

    1 - C(n - k, i) / C(n, i)

averaged over judges and sentences. Also computed are kappa of whether two judges change a sentence at all (Cohen 1960)
and the share of edits that two judges have in common (Dice 1945: twice the common ones over all).

Toy: of three judges two wrote the same. Each of these has k = 1 of n = 2 others: the probability is 1/2 for one other,
1 for both. For the third it is 0. The means are 1/3 and 2/3.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from ranking.metrics.material import Edits
from ranking.stats.agreement.kappa import kappa
from ranking.stats.corrections.corrections import Corrections


class SameAsOthers(NamedTuple):
    """Probability, by judge, that at least one of `others` other judges wrote the same correction."""

    others: int
    judges: tuple[float, ...]

    @property
    def mean(self) -> float:
        return float(np.mean(self.judges))


class Pair(NamedTuple):
    """Agreement of two judges on common sentences; kappa is None if chance explains everything."""

    judge: int
    other: int
    sentences: int
    same: float
    both_change: float
    kappa: float | None
    same_edits: float | None


def same_as_others(corrections: Corrections) -> list[SameAsOthers]:
    """Return it for 1, 2, ... others, among judges who all judged all sentences."""
    counts = [(texts, Counter(texts)) for texts in zip(*corrections.texts(), strict=True)]
    # By judge and sentence, how many others wrote the same.
    alike = np.array([[count[text] - 1 for text in texts] for texts, count in counts], dtype=np.int64).T
    others = len(corrections.judges) - 1
    found = []
    for drawn in range(1, others + 1):
        chances = np.array([1 - comb(others - same, drawn) / comb(others, drawn) for same in range(others + 1)])
        found.append(SameAsOthers(drawn, tuple(chances[alike].mean(axis=1).tolist())))
    return found


def different(corrections: Corrections) -> np.ndarray:
    return np.array([len(set(texts)) for texts in zip(*corrections.texts(), strict=True)])


def pairs(corrections: Corrections) -> Iterator[Pair]:
    """Compare every two judges who share a sentence."""
    texts = corrections.texts()
    for judge, other in combinations(range(len(texts)), 2):
        both = np.flatnonzero(corrections.judged[judge] & corrections.judged[other]).tolist()
        if not both:
            continue
        mine = [corrections.edits[judge][place] or () for place in both]
        theirs = [corrections.edits[other][place] or () for place in both]
        changed = np.array([[bool(edits) for edits in row] for row in (mine, theirs)])
        same = float(np.mean([texts[judge][place] == texts[other][place] for place in both]))
        both_change = float((changed[0] == changed[1]).mean())
        yield Pair(judge, other, len(both), same, both_change, kappa(*changed), _in_common(mine, theirs))


def _in_common(mine: list[Edits], theirs: list[Edits]) -> float | None:
    """Return the share of edits that replace the same words by the same text, whatever their category."""
    common = sum(
        len({edit[:3] for edit in one} & {edit[:3] for edit in other}) for one, other in zip(mine, theirs, strict=True)
    )
    edits = sum(map(len, mine)) + sum(map(len, theirs))
    return 2 * common / edits if edits else None
