"""What few sentences can say: no interval, rank or chance is surer than the sentences of a system allow.

A system that was judged on a few sentences varies too little over replicates; if it always won, it does not vary at
all. So the variance of its score is moderated (Smyth 2004): with n(i) sentences of system i, v(i) its variance over
replicates times n(i)^2 / (n(i) - 1), which is that of one sentence, and s that of one sentence over all systems,

    s      = (sum of f(i) v(i) + 2 d^2) / (sum of f(i) + 2)
    tau^2  = (4 s + f(i) v(i)) / (f(i) + 4) / n(i),   with f(i) + 4 degrees of freedom

where d is the most that one sentence can say by this method. Deviations of a replicate are scaled to tau and to
Student's t. Where hundreds of sentences say about as much, this changes nothing. Three things make less of them, as on
screens of two, of which some compare many systems because several wrote the same:

* f(i), at most n(i) - 1, is 2 n(i) / (K - 1), with K the kurtosis over sentences of what each adds to the shares of
  wins of system i, (w + 5) / (w + l + 10) of each pair.
* A sentence with h of the comparisons of a pair pulls the pair's share to itself, so what it adds is divided by
  sqrt(1 - h) (MacKinnon and White 1985), and v(i) grows by as much.
* The score of an extreme system is extreme by luck, too, and shares far from 1/2 vary less. So deviations of shares are
  those of the likely share (`as_likely_shares`), which lies nearer to the mean of all, by the noise in the variance of
  scores: else the systems that are furthest apart by chance would also look the surest.

Without these, some pair is false in a tenth of campaigns with equal systems and screens of two, instead of .05
(`python -m studies questions`).

Of n sentences that all favour one side a sign test has p = 2^(1 - n). Where this is above 1 - level, with up to five
sentences at 95 %, the sentences cannot place a system whatever they say: its range is all ranks, it is in no cluster,
no pair with it is resolved, and its replicates are drawn from t alone.

Toy: of two systems each wins five of ten sentences with one judgment, and one of two with five. Of 30 comparisons, ten
of them borrowed, a sentence adds 1/60 or 5/60, K = 4.2 and f = 7.5; deviations grow by sqrt(1.17). Of twelve systems,
with s = 0.1 and 3 sentences, all won (v = 0), f = 2: tau^2 = 4 * 0.1 / 6 / 3 = 0.022; with t of 6 degrees of freedom
the score has 0.37 to either side. Of the shares .6 and .4, if all is noise, both are likely .5, and deviations grow by
sqrt(.25 / .24).
"""

from math import ceil, log2

import numpy as np

from ranking.stats.ballots import Ballots
from ranking.stats.resampling import generator
from ranking.stats.tally import BLOCK, Tally, pairs_of_parts

PRIOR_FREEDOM, PRIOR_SENTENCES = 4, 2
ROUNDING, BORROWED = 1e-9, 10
# A stream of random numbers, apart from those of replicates.
DEVIATIONS = 2**31 + 1


def fewest_sentences(level: float) -> int:
    """The least number of sentences by which a sign test could reach the level."""
    return ceil(round(1 - log2(1 - level), 9))


def sentences_of(ballots: Ballots) -> np.ndarray:
    """Number of sentences on which each system was compared."""
    row, system = ballots.systems_behind()
    ballot = ballots.ballot_of[row]
    compared = ballots.sizes[ballot] > 1
    seen = np.zeros((ballots.segments, ballots.systems), dtype=bool)
    seen[ballots.segment[ballot[compared]], system[compared]] = True
    return seen.sum(axis=0)


def variance_correction(ballots: Ballots, counted: Tally, sentences: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The degrees of freedom of each system's variance, and how much wider than in replicates its deviations are.

    They follow from what the comparisons of each sentence add to the shares of wins.
    """
    known = counted.decisive + BORROWED
    share = (counted.wins + BORROWED / 2) / known
    systems = ballots.systems
    # Sums of so many sentences at a time, and then of these sums.
    sums = np.zeros((3, (ballots.segments // BLOCK + 1) * systems))
    for one, other, segment, wins, losses, _ in pairs_of_parts(ballots, ballots.segment):
        system, opponent, won = np.append(one, other), np.append(other, one), np.append(wins, losses)
        row = np.tile((segment - segment[:1]) * systems, 2) + system
        rows, row = np.unique(row, return_inverse=True)
        decisive = np.tile(wins + losses, 2)
        apart = np.zeros((len(rows), systems))
        apart[row, opponent] = (won - share[system, opponent] * decisive) / known[system, opponent]
        added = apart.sum(axis=1) ** 2
        apart[row, opponent] /= np.sqrt(1 - decisive / known[system, opponent])
        place = (rows // systems + segment[:1]) // BLOCK * systems + rows % systems
        for sum_of, each in zip(sums, (added, added**2, apart.sum(axis=1) ** 2), strict=True):
            np.add.at(sum_of, place, each)
    squares, fourths, corrected = sums.reshape(3, -1, systems).sum(axis=1)
    varies = squares > ROUNDING**2
    kurtosis = np.divide(sentences * fourths, squares**2, out=np.ones(ballots.systems), where=varies)
    wider = np.sqrt(np.divide(corrected, squares, out=np.ones(ballots.systems), where=varies))
    freedom = np.clip(2 * sentences / np.maximum(kurtosis - 1, ROUNDING), 0, np.maximum(sentences - 1, 0))
    return freedom, wider


def moderate(
    scores: np.ndarray, replicates: np.ndarray, sentences: np.ndarray, half_range: float, fewest: int, seed: int,
    correction: tuple[np.ndarray, np.ndarray] | None = None,
) -> np.ndarray:  # fmt: skip
    """Scores plus the deviations of replicates, as large as the number of sentences allows."""
    random = generator(seed, DEVIATIONS)
    freedom, wider = correction or (np.maximum(sentences - 1, 0), 1)
    deviations = replicates - np.nanmean(replicates, axis=0)
    deviation = np.nanstd(replicates, axis=0)
    of_one = (wider * deviation) ** 2 * sentences**2 / np.maximum(sentences - 1, 1)
    pooled = (freedom @ of_one + PRIOR_SENTENCES * half_range**2) / (freedom.sum() + PRIOR_SENTENCES)
    many = PRIOR_FREEDOM + freedom
    tau = np.sqrt((PRIOR_FREEDOM * pooled + freedom * of_one) / many / np.maximum(sentences, 1))
    # What does not vary still varies by rounding.
    usable = (sentences >= fewest) & (deviation > ROUNDING * half_range)
    scaled = np.divide(deviations, deviation, out=np.full(replicates.shape, np.nan), where=usable)
    scaled = np.where(np.isnan(scaled), random.standard_normal(replicates.shape), scaled)
    return scores + tau * scaled * np.sqrt(many / random.chisquare(many, replicates.shape))


def as_likely_shares(scores: np.ndarray, replicates: np.ndarray, sentences: np.ndarray) -> np.ndarray:
    """Replicates of shares that vary as shares do that lie as far apart as the true ones are likely to."""
    noise, apart = replicates.var(axis=0).mean(), scores.var()
    kept = max(0.0, 1 - noise / apart) if apart else 0.0
    likely, seen = (
        (sentences * shares + 2) / (sentences + 4)
        for shares in (scores.mean() + kept * (scores - scores.mean()), scores)
    )
    wider = np.maximum(1, likely * (1 - likely) / (seen * (1 - seen)))
    return np.asarray(scores + (replicates - scores) * np.sqrt(wider))
