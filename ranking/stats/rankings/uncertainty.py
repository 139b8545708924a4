"""Rank ranges, which are bootstrap intervals of ranks, and clusters from them.

Every replicate ranks the systems by its scores. Of the B ranks of a system the lowest and the highest are dropped,
ceil((B - level B) / 2) at each end, and the range spans the rest (Koehn 2012; Grundkiewicz et al. 2015: 25 of 1000 at
each end for 95 %). Systems with equal scores in a replicate share all the ranks they occupy; otherwise systems with
identical outputs would never share a place. The published program gives the better rank to the later name.

Toy: with B = 4 and level 0.5, ranks 1 2 2 5 of a system make the range 2-2; two systems with always equal scores both
have the range 1-2.

A cluster holds systems whose order is uncertain. Systems are sorted by score. The published rules start a new cluster
after a system whose worst rank is better than the best rank of every later one (`all_later`, the pipeline of Tables 3b
and 3c), or of the next one only (`next_only`, the pipeline of single judges). Neither looks back, so clusters can
overlap: with ranges 1-5, 2-3 | 4-6 a boundary follows the second system although the first one reaches rank 5.
`never_overlapping` uses the worst rank so far. Clusters by tests of their boundaries are those of `questions`.

The chance to be best is taken from scores that are drawn together as their spread suggests, m + (1 - l(i)) (x(i) - m)
with l(i) = tau^2 / (u + tau^2) and u the variance of true scores: the best of many estimates is best partly by luck.
Each replicate has its own u, drawn from its posterior under a uniform prior of l (Daniels 1999).

Other judges: replicates that draw sentences vary as if the same judges judged other sentences. What other judges would
change is added. With S, J and R the covariances of the systems' scores over replicates that draw sentences, judges and
rankings, and n judges, two-way clustering adds n / (n - 1) J - R to S (Cameron, Gelbach and Miller 2011): a ranking's
own noise is in S and in J, so it is taken off once. But n judges know n - 1 directions at most, in which noise alone is
as large as a difference of judges. So J* = n / (n - 1) J is first shrunk towards a variance that is the same for all
contrasts of systems (Ledoit and Wolf 2004). With k systems, t the trace of J*, P the projector on contrasts and
m = t / (k - 1),

    w = min(1, m^2 ((k - 1)^2 + k - 1) / (n - 1) / |J* - m P|^2),    J~ = w m P + (1 - w) J*,

and what is added is the positive part of J~ - R, scaled to the trace that J* has beyond R, after a quarter of its
standard error, sqrt(2 |J|^2 / (n - 1)), was added to t; and by how much J exceeds R in the mean of all scores. Each
replicate by sentences gets a normal draw of it, times sqrt((n - 1) / chi-square) with n - 1 degrees of freedom, because
a few judges say little about how much judges differ. `make study` has what errors and power follow where judges agree,
have tastes of their own, or differ in one direction.

Drawing both and multiplying their weights (Owen 2007) counts a ranking's own noise three times; its intervals are a
third wider, and it resolves a quarter of the pairs (`make study`).

Toy: if all judges agree but for noise, the trace of J* is that of R, and almost nothing is added.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import NamedTuple

import numpy as np
import scipy as sp

from ranking.numbers.intervals import left_out
from ranking.numbers.tables import StatisticsError
from ranking.stats.resampling import generator


class RankRange(NamedTuple):
    best: int
    worst: int


@dataclass(frozen=True)
class Uncertainty:
    """Intervals of scores and ranks over replicates, and the probability that each system is best."""

    low: np.ndarray
    high: np.ndarray
    ranges: list[RankRange]
    p_best: np.ndarray


def uncertainty(scores: np.ndarray, level: float) -> Uncertainty:
    scores = complete(scores)
    dropped = left_out(len(scores), level)
    best, worst = (np.sort(ranks, axis=0) for ranks in shared_places(scores))
    ordered = np.sort(scores, axis=0)
    return Uncertainty(
        low=ordered[dropped],
        high=ordered[len(ordered) - 1 - dropped],
        ranges=[RankRange(int(a), int(b)) for a, b in zip(best[dropped], worst[len(worst) - 1 - dropped], strict=True)],
        p_best=shares_of_first_place(scores),
    )


def shares_of_first_place(scores: np.ndarray) -> np.ndarray:
    """How often each system is best, systems that tie sharing the replicate; in one more replicate all of them tie."""
    best = scores == scores.max(axis=1, keepdims=True)
    shared = (best / best.sum(axis=1, keepdims=True)).sum(axis=0)
    return np.asarray((shared + 1 / scores.shape[1]) / (len(scores) + 1))


def complete(scores: np.ndarray) -> np.ndarray:
    """Return the replicates in which every system has a score."""
    found = scores[np.isfinite(scores).all(axis=1)]
    if not len(found):
        raise StatisticsError("In every replicate some system lacks a score; collect more judgments of each system.")
    return found


def shared_places(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the best and the worst rank each system occupies in each replicate, alone or with its equals."""
    better = scores[..., None, :] > scores[..., :, None]
    return 1 + better.sum(axis=-1), scores.shape[-1] - better.sum(axis=-2)


def ranks_of(scores: np.ndarray) -> np.ndarray:
    """Rank of every system in every replicate; of equal scores the later system comes first, as published."""
    order = np.argsort(scores, axis=-1, kind="stable")[..., ::-1]
    return np.argsort(order, axis=-1) + 1


def shared_ranks(scores: np.ndarray) -> list[int]:
    """Return the rank of every score, the highest first; equal scores share the better rank."""
    return shared_places(scores)[0].tolist()


def p_beats(scores: np.ndarray) -> np.ndarray:
    """Share of replicates in which the row's system scores higher than the column's; equal scores count half."""
    scores = complete(scores)
    above = scores[:, :, None] > scores[:, None, :]
    equal = scores[:, :, None] == scores[:, None, :]
    return above.mean(axis=0) + equal.mean(axis=0) / 2


Rule = Callable[[Sequence[RankRange]], list[int]]


def _clusters(ranges: Sequence[RankRange], looks_back: bool, looks_far: bool) -> list[int]:
    """The cluster of each system, from 1; a new one starts where the worst rank is better than the best one to come.

    The worst rank is that of the system before or, looking back, of all before; the best one is that of the next system
    or, looking far, of all later ones.
    """
    worst = [each.worst for each in ranges]
    to_come = [each.best for each in ranges[1:]]
    reached = accumulate(worst, max) if looks_back else worst
    best = list(accumulate(reversed(to_come), min))[::-1] if looks_far else to_come
    starts = (one < later for one, later in zip(reached, best, strict=False))
    return list(accumulate(starts, initial=1))[: len(worst)]


never_overlapping = partial(_clusters, looks_back=True, looks_far=True)
all_later = partial(_clusters, looks_back=False, looks_far=True)
next_only = partial(_clusters, looks_back=False, looks_far=False)
RULES: dict[str, Rule] = {"never-overlapping": never_overlapping, "all-later": all_later, "next-only": next_only}


# Streams of random numbers, apart from those of replicates.
OTHER_JUDGES, SPREADS = 2**31, 2**31 + 2


def chances_to_be_best(scores: np.ndarray, replicates: np.ndarray, seed: int) -> np.ndarray:
    """The probability that each system is best, from scores that are drawn together."""
    deviations = replicates - scores
    noise = deviations.var(axis=0)
    pooled, shape = noise.mean(), (len(scores) + 1) / 2
    apart = ((scores - scores.mean()) ** 2).sum()
    if not pooled or not apart:
        kept = np.ones((len(replicates), len(scores)))
    else:
        chance = generator(seed, SPREADS).random((len(replicates), 1)) * sp.special.gammainc(shape, apart / pooled / 2)
        shrunk = np.clip(sp.special.gammaincinv(shape, chance) * 2 * pooled / apart, 1e-12, 1)
        true_spread = pooled / shrunk - pooled
        kept = true_spread / (true_spread + noise)
    drawn = scores.mean() + kept * (scores - scores.mean()) + np.sqrt(kept) * deviations
    return shares_of_first_place(drawn)


# Of the standard error of the judges' variance, to be cautious; chosen by simulation.
CAUTION = 0.25


def with_other_judges(
    by_sentence: np.ndarray, by_judge: np.ndarray, by_ranking: np.ndarray, judges: int, seed: int
) -> np.ndarray:
    """Replicates (rows) of scores (columns) by sentence, with what other judges would change added."""
    systems, freedom = by_sentence.shape[1], judges - 1

    def covariance(replicates: np.ndarray) -> np.ndarray:
        known = replicates[np.isfinite(replicates).all(axis=1)]
        if len(known) < 2:
            raise StatisticsError(
                "Each judge judged other systems, so what judges change is not known. Draw sentences."
            )
        return np.atleast_2d(np.cov(known.T))

    of_judges, of_rankings = judges / freedom * covariance(by_judge), covariance(by_ranking)
    in_mean = max(0.0, float((of_judges - of_rankings).mean()))
    contrasts = np.eye(systems) - 1 / systems
    of_judges, of_rankings = (contrasts @ one @ contrasts for one in (of_judges, of_rankings))
    trace, squares = float(np.trace(of_judges)), float((of_judges**2).sum())
    alike = trace / max(systems - 1, 1)
    if_alike = alike**2 * ((systems - 1) ** 2 + systems - 1) / freedom
    shrunk = if_alike / max(squares - alike * trace, if_alike) if if_alike else 1.0
    # The squares without what so few judges add to them.
    directions = np.clip((squares - trace**2 / freedom) / (1 + 1 / freedom), alike * trace, trace**2)
    cautious = trace + CAUTION * np.sqrt(2 * directions / freedom)
    values, vectors = np.linalg.eigh(shrunk * alike * contrasts + (1 - shrunk) * of_judges - of_rankings)
    added = np.maximum(values, 0)
    added *= max(0.0, cautious - float(np.trace(of_rankings))) / (added.sum() or 1)
    random = generator(seed, OTHER_JUDGES)
    draws = random.standard_normal(by_sentence.shape) * np.sqrt(added) @ vectors.T
    draws += np.sqrt(in_mean) * random.standard_normal((len(by_sentence), 1))
    return by_sentence + draws * np.sqrt(freedom / random.chisquare(freedom, (len(by_sentence), 1)))
