"""What few sentences can say: no interval, rank or chance is surer than the number of sentences allows.

A system that was judged on a few sentences varies too little over replicates; if it always won, it does not vary at
all. So the variance of its score is moderated (Smyth 2004): with n(i) sentences of system i, v(i) its variance over
replicates times n(i)^2 / (n(i) - 1), which is that of one sentence, and s the variance of one sentence over all
systems,

    s      = (sum of (n(i) - 1) v(i) + 2 d^2) / (sum of (n(i) - 1) + 2)
    tau^2  = (4 s + (n(i) - 1) v(i)) / (n(i) + 3) / n(i),   with n(i) + 3 degrees of freedom

where d is the most that one sentence can say by this method. Deviations of a replicate are scaled to tau and to
Student's t. With hundreds of sentences nothing changes.

Of n sentences that all favour one side a sign test has p = 2^(1 - n). Where this is above 1 - level, with up to five
sentences at 95 %, the sentences cannot place a system whatever they say: its range is all ranks, it is in no cluster,
no pair with it is resolved, and its replicates are drawn from t alone.

The chance to be best is taken from scores that are drawn together as their spread suggests, m + (1 - l(i)) (x(i) - m)
with l(i) = tau^2 / (u + tau^2) and u the variance of true scores: the best of many estimates is best partly by luck.
Each replicate has its own u, drawn from its posterior under a uniform prior of l (Daniels 1999).

Toy: of twelve systems, with s = 0.1 and 3 sentences, all won (v = 0): tau^2 = 4 * 0.1 / 6 / 3 = 0.022; with t of 6
degrees of freedom the score has 0.37 to either side.
"""

from math import ceil, log2

import numpy as np
import scipy as sp

from ranking.stats.ballots import Ballots
from ranking.stats.rankings.ranges import shares_of_first_place
from ranking.stats.resampling import generator

PRIOR_FREEDOM, PRIOR_SENTENCES = 4, 2
# Streams of random numbers, apart from those of replicates and of other judges.
DEVIATIONS, SPREADS = 2**31 + 1, 2**31 + 2


def fewest_sentences(level: float) -> int:
    """The least number of sentences by which a sign test could reach the level."""
    return ceil(round(1 - log2(1 - level), 9))


def sentences_of(ballots: Ballots) -> np.ndarray:
    """Number of sentences on which each system was compared."""
    ballot = np.flatnonzero(ballots.sizes[ballots.ballot_of] > 1)
    sizes = ballots.candidates.sizes[ballots.candidate[ballot]]
    segment = np.repeat(ballots.segment[ballots.ballot_of[ballot]], sizes)
    places = np.repeat(ballots.candidates.starts[ballots.candidate[ballot]], sizes)
    within = np.arange(len(places)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    system = ballots.candidates.members[places + within]
    return np.bincount(np.unique(segment.astype(np.int64) * ballots.systems + system) % ballots.systems,
                       minlength=ballots.systems)  # fmt: skip


def moderated(
    scores: np.ndarray, replicates: np.ndarray, sentences: np.ndarray, spread: float, fewest: int, seed: int
) -> np.ndarray:
    """Scores plus the deviations of replicates, as large as the number of sentences allows."""
    random = generator(seed, DEVIATIONS)
    freedom = np.maximum(sentences - 1, 0)
    deviations = replicates - np.nanmean(replicates, axis=0)
    deviation = np.nanstd(replicates, axis=0)
    of_one = deviation**2 * sentences**2 / np.maximum(freedom, 1)
    pooled = (freedom @ of_one + PRIOR_SENTENCES * spread**2) / (freedom.sum() + PRIOR_SENTENCES)
    many = PRIOR_FREEDOM + freedom
    tau = np.sqrt((PRIOR_FREEDOM * pooled + freedom * of_one) / many / np.maximum(sentences, 1))
    usable = (sentences >= fewest) & (deviation > 0)
    scaled = np.divide(deviations, deviation, out=np.full(replicates.shape, np.nan), where=usable)
    scaled = np.where(np.isnan(scaled), random.standard_normal(replicates.shape), scaled)
    return scores + tau * scaled * np.sqrt(many / random.chisquare(many, replicates.shape))


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
