"""Ways of choosing sentences, and of drawing screens one after the other.

`chance` draws all alike, each once before any comes again; `distinct` draws them in proportion to the number of
distinct outputs; `diverse` takes those whose outputs differ most, best first. `published` is the distribution of
Grundkiewicz et al. (2015), section 4.1, which favours sentences whose screens yield few comparisons, because a screen
of M distinct outputs covers all the systems behind them. For sentence i with multiplicities u of its distinct
outputs, let c(j) be the number of ways to choose at most M outputs that together cover j systems. Then

    C_i = sum_{j >= M} j c(j) / sum_{j >= M} c(j)      p'_i = (M choose 2) / (C_i choose 2)      p_i = p'_i / sum p'

Toy: three systems, two of them equal, M = 2: {2, 1} covers three systems and {2} two, while {1} covers
too few, so C = (3 + 2) / 2 and p' = 1 / (2.5 x 1.5 / 2).
"""

import random
from bisect import bisect
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate, combinations, pairwise
from math import comb

from judgments.rules.texts.words import tokens_of

PUBLISHED, CHANCE, DISTINCT, DIVERSE = "published", "chance", "distinct", "diverse"
# With these, screens depend on the judgments so far.
ADAPTIVE = UNDECIDED, FIRST_RANKS = "undecided", "first-ranks"


def ways_to_cover(multiplicities: Sequence[int], size: int) -> list[int]:
    """For each number of systems j, the number of sets of 1 to `size` distinct outputs that cover exactly j systems.

    A dynamic programme over (outputs chosen, systems covered); equal multiplicities are different outputs.
    """
    systems = sum(multiplicities)
    ways = [[0] * (systems + 1) for _ in range(size + 1)]
    ways[0][0] = 1
    for multiplicity in multiplicities:
        for chosen in range(size, 0, -1):
            fewer = ways[chosen - 1]
            row = ways[chosen]
            for covered in range(systems, multiplicity - 1, -1):
                row[covered] += fewer[covered - multiplicity]
    return [sum(ways[chosen][covered] for chosen in range(1, size + 1)) for covered in range(systems + 1)]


@cache
def _chance(multiplicities: tuple[int, ...], size: int) -> float:
    """p' for one sentence, cached because sentences share few patterns of multiplicities."""
    systems = sum(multiplicities)
    size = min(size, systems)
    ways = ways_to_cover(multiplicities, size)
    cover = sum(ways[j] * j for j in range(size, systems + 1)) / sum(ways[size:])
    return size * (size - 1) / (cover * (cover - 1))


def chances(multiplicities: Sequence[Sequence[int]], size: int) -> list[float]:
    """p' for every sentence; 0 if fewer than two systems have an output, because there is nothing to compare."""
    return [_chance(tuple(sorted(of)), size) if sum(of) > 1 else 0.0 for of in multiplicities]


def chances_by(sampling: str, multiplicities: Sequence[Sequence[int]], size: int) -> list[float]:
    """What the chance of every sentence is in proportion to; 0 if there is nothing to compare."""
    if sampling == PUBLISHED:
        return chances(multiplicities, size)
    is_distinct = sampling == DISTINCT
    return [float(len(of) if is_distinct else 1) if sum(of) > 1 else 0.0 for of in multiplicities]


def diversity(texts: Sequence[str], multiplicities: Sequence[int]) -> float:
    """The mean distance of the outputs of two systems; equal ones have a distance of 0.

    The distance of two texts is the share of their words and of their pairs of neighbouring words that the other has
    not, each counted as often as it occurs.

    Toy: "a b" and "a c" share one of three parts each (a; b, a b; c, a c), so their distance is 2/3. Two systems with
    the first and one with the second make three pairs, of which two differ: 4/9.
    """
    parts = [_parts(text) for text in texts]
    systems = sum(multiplicities)
    apart = sum(
        multiplicities[one]
        * multiplicities[other]
        * (1 - 2 * (parts[one] & parts[other]).total() / max(1, parts[one].total() + parts[other].total()))
        for one, other in combinations(range(len(texts)), 2)
    )
    return apart / max(1, systems * (systems - 1) // 2)


def _parts(text: str) -> Counter[str | tuple[str, str]]:
    words = [token.text for token in tokens_of(text)]
    return Counter([*words, *pairwise(words)])


def weights(unscaled: Sequence[float]) -> list[float]:
    """How much a judgment of each sentence counts: its chance if all were drawn alike, over the chance that it has.

    Toy: chances in the proportion 3 to 1 are 3/4 and 1/4, and alike 1/2, so the weights are 2/3 and 2. Over all draws
    weights are 1 on average, so those of several plans of one campaign can stand together.
    """
    alike = sum(unscaled) / max(1, sum(chance > 0 for chance in unscaled))
    return [alike / chance if chance else 0.0 for chance in unscaled]


def rounds(places: Sequence[int], rng: random.Random) -> Iterator[int]:
    """Endless draws of places, each once in a round."""
    while places:
        yield from rng.sample(places, len(places))


def draws(unscaled: Sequence[float], rng: random.Random) -> Iterator[int]:
    """Endless draws of indices with replacement, in proportion to the chances."""
    steps = list(accumulate(unscaled))
    while True:
        yield min(bisect(steps, rng.random() * steps[-1]), len(steps) - 1)


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
    """Draw screens one after the other, favouring those that compare systems worth comparing.

    Go through the sentences offered, endlessly: each with its candidates to show and how much the judgments count. None
    for one that is not taken; all are if nothing is favoured. Sentences are offered in rounds, each once in every
    round. With g(a, b) what another comparison of two systems is worth, and v(S) the sum of g over the systems behind
    different candidates of a screen S, a sentence offered is

        taken with probability          p = v / v-bar, at least FLOOR and at most 1
        shown with the candidates S_k   with probability q_k = EVEN / K + (1 - EVEN) v(S_k) / sum of all v(S)

    where S_1 ... S_K are all sets of as many candidates as fit on a screen, or MOST_SETS of them drawn evenly, v is
    their mean, and v-bar the mean over sentences. The screen's judgments count 1 / (p K q_k). Over all that could have
    been drawn this makes every sentence and every set of its candidates count alike (Horvitz and Thompson 1952),
    however g depends on earlier judgments, because p and q are known before the draw. Every screen keeps a probability
    of FLOOR EVEN / K.

    Toy: two sets of worth 3 and 1, v-bar = 4: v = 2, p = 1/2; q = .1 + .8 x 3/4 = .7 and .3; their judgments count
    1 / (.5 x 2 x .7) = 1.43 and 3.33, and .35 x 1.43 + .15 x 3.33 = 1.
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
