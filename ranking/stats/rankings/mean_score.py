"""Mean scores, for ratings; means of ranks are meaningless.

`mean_scores` is the mean merit of a system over all times it was shown. `standardise` first converts each judge's
merits to z-scores, (merit - mean) / standard deviation over all that this judge rated, as direct assessment does
(Graham et al. 2013); if a judge always gave the same merit, these are 0.

Toy: a judge rates A 80 and B 60: mean 70, standard deviation 10; z-scores 1 and -1. Another one rates C 40 and B 20.
Mean scores are 80, 40 and 40, z-scores 1, -1 and 1: B looked like C only because it met both judges.
"""

from dataclasses import replace

import numpy as np

from ranking.numbers.tables import StatisticsError
from ranking.stats.ballots import Ballots
from ranking.stats.rankings.method import WHOLE, Method
from ranking.stats.tally import Tally


def mean_scores(counted: Tally) -> np.ndarray:
    if not counted.shown.reshape(-1, counted.systems).sum(axis=0).all():
        raise StatisticsError("A system was never rated, so it has no mean score.")
    with np.errstate(invalid="ignore"):
        return counted.merits / counted.shown


def standardise(ballots: Ballots) -> Ballots:
    """Return the same ballots, with merits converted to z-scores by judge."""
    judge = ballots.judge[ballots.ballot_of]
    number = np.maximum(np.bincount(judge, minlength=ballots.judges), 1)
    mean = np.bincount(judge, ballots.merit, ballots.judges) / number
    centred = ballots.merit - mean[judge]
    spread = np.sqrt(np.bincount(judge, centred**2, ballots.judges) / number)
    return replace(
        ballots, merit=np.divide(centred, spread[judge], out=np.zeros_like(centred), where=spread[judge] > 0)
    )


MEAN_SCORE = Method(
    "mean-score", "Mean score", "scores:raw", "napoles2019", 50.0, mean_scores, for_ratings=True, allowed=WHOLE
)
Z_SCORE = Method(
    "z-score",
    "Mean z-score",
    "scores:by-judge",
    "graham2013",
    1.0,
    mean_scores,
    standardise,
    for_ratings=True,
    allowed=WHOLE,
)
