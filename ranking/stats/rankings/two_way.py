"""Replicates that speak for other sentences and for other judges.

Replicates that draw sentences vary as if the same judges judged other sentences. What other judges would change is
added. With S, J and R the covariances of the systems' scores over replicates that draw sentences, judges and rankings,
and n judges,

    S + max(0, n / (n - 1) J - R)

is the covariance of two-way clustering (Cameron, Gelbach and Miller 2011), the maximum taken eigenvalue by eigenvalue:
a ranking's own noise is in S and in J, so it is taken off once. Each replicate by sentences gets a normal draw of the
second part, times sqrt((n - 1) / chi-square) with n - 1 degrees of freedom, because a few judges say little about how
much judges differ.

Drawing both and multiplying their weights (Owen 2007) counts a ranking's own noise three times; its intervals are a
third wider, and it resolves a quarter of the pairs (`make study`).

Toy: if all judges agree but for noise, n / (n - 1) J is R, and nothing is added.
"""

import numpy as np

from ranking.numbers.tables import StatisticsError
from ranking.stats.resampling import generator

STREAM = 2**31  # of random numbers, apart from those of replicates


def with_other_judges(
    by_sentence: np.ndarray, by_judge: np.ndarray, by_ranking: np.ndarray, judges: int, seed: int
) -> np.ndarray:
    """Replicates (rows) of scores (columns) by sentence, with what other judges would change added."""
    values, vectors = np.linalg.eigh(judges / (judges - 1) * _covariance(by_judge) - _covariance(by_ranking))
    random = generator(seed, STREAM)
    draws = random.standard_normal(by_sentence.shape) * np.sqrt(np.maximum(values, 0))
    spread = np.sqrt((judges - 1) / random.chisquare(judges - 1, (len(by_sentence), 1)))
    return by_sentence + spread * draws @ vectors.T


def _covariance(replicates: np.ndarray) -> np.ndarray:
    known = replicates[np.isfinite(replicates).all(axis=1)]
    if len(known) < 2:
        raise StatisticsError("Each judge judged other systems, so what judges change is not known. Draw sentences.")
    return np.atleast_2d(np.cov(known.T))
