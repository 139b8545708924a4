"""Drawing screens one after the other, favouring those that compare systems worth comparing.

Sentences are offered in rounds, each once in every round. With g(a, b) what another comparison of two systems is worth,
and v(S) the sum of g over the systems behind different candidates of a screen S, a sentence offered is

    taken with probability          p = v / v-bar, at least FLOOR and at most 1
    shown with the candidates S_k   with probability q_k = EVEN / K + (1 - EVEN) v(S_k) / sum of all v(S)

where S_1 ... S_K are all sets of as many candidates as fit on a screen, or MOST_SETS of them drawn evenly, v is their
mean, and v-bar the mean over sentences. The screen's judgments count 1 / (p K q_k). Over all that could have been drawn
this makes every sentence and every set of its candidates count alike (Horvitz and Thompson 1952), however g depends on
earlier judgments, because p and q are known before the draw. Every screen keeps a probability of FLOOR EVEN / K.

Toy: two sets of worth 3 and 1, v-bar = 4: v = 2, p = 1/2; q = .1 + .8 x 3/4 = .7 and .3; their judgments count
1 / (.5 x 2 x .7) = 1.43 and 3.33, and .35 x 1.43 + .15 x 3.33 = 1.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import comb

FLOOR = 0.25
EVEN = 0.2
MOST_SETS = 30
# From so many sentences the mean worth is estimated.
SAMPLE = 200


class Favour:
    """What comparisons are worth, by the systems behind each candidate: gains[a][b]."""

    def __init__(self, gains: Sequence[Sequence[float]], behind: Mapping[int, Sequence[int]]):
        self.gains = gains
        self.behind = behind

    def sets(self, candidates: Sequence[int], size: int, rng: random.Random) -> list[tuple[tuple[int, ...], float]]:
        """Sets of candidates with their worth: all there are, or some."""
        size = min(size, len(candidates))
        if comb(len(candidates), size) <= MOST_SETS:
            sets = list(combinations(candidates, size))
        else:
            sets = [tuple(rng.sample(candidates, size)) for _ in range(MOST_SETS)]
        worth = {pair: self._worth(*pair) for pair in combinations(candidates, 2)}
        worth |= {(other, one): value for (one, other), value in worth.items()}
        return [(one, sum(worth[pair] for pair in combinations(one, 2))) for one in sets]

    def _worth(self, one: int, other: int) -> float:
        return sum(self.gains[a][b] for a in self.behind.get(one, ()) for b in self.behind.get(other, ()))


def draw_favoured(
    offered: Iterator[int], candidates: Sequence[Sequence[int]], size: int, favour: Favour | None, rng: random.Random
) -> Iterator[tuple[int, tuple[int, ...], float] | None]:
    """Go through the sentences offered, endlessly: each with its candidates to show and how much the judgments count.

    None for one that is not taken; all are if nothing is favoured.
    """
    if favour is None:
        for place in offered:
            yield place, tuple(rng.sample(candidates[place], min(size, len(candidates[place])))), 1.0
        return
    able = [place for place, of in enumerate(candidates) if len(of) > 1]
    sample = rng.sample(able, min(SAMPLE, len(able)))
    scale = sum(_mean(favour.sets(candidates[place], size, rng)) for place in sample) / len(sample)
    for place in offered:
        sets = favour.sets(candidates[place], size, rng)
        mean = _mean(sets)
        taken = min(1.0, max(FLOOR, mean / scale)) if scale else 1.0
        if rng.random() >= taken:
            yield None
            continue
        total = mean * len(sets)
        shares = [EVEN / len(sets) + (1 - EVEN) * worth / total if total else 1 / len(sets) for _, worth in sets]
        (chosen,) = rng.choices(range(len(sets)), shares)
        shown = sets[chosen][0]
        yield place, tuple(rng.sample(shown, len(shown))), 1 / (taken * len(sets) * shares[chosen])


def _mean(sets: Sequence[tuple[tuple[int, ...], float]]) -> float:
    return sum(worth for _, worth in sets) / len(sets)
