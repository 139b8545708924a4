"""Mean scores: of ratings as they are, and of ratings freed from the severity of each judge.

`mean_scores` is the mean merit of a system over all times it was shown. `standardised` turns each judge's merits into
z-scores first, (merit - mean) / standard deviation over all that this judge rated, as direct assessment does (Graham et
al. 2013); a judge who gave everything the same merit says nothing, and gets 0. Ranks have no mean worth the name, so
both are for ratings.

Toy: a judge rates A 80 and B 60: mean 70, standard deviation 10; z-scores 1 and -1.
"""

from dataclasses import replace

import numpy as np

from ranking.stats.ballots import Ballots, StatisticsError
from ranking.stats.tally import Tally


def mean_scores(counted: Tally) -> np.ndarray:
    """The mean merit of every system, along the last axis."""
    if np.isnan(counted.shown).any():
        raise StatisticsError("Single comparisons have no score; draw rankings, sentences or judges instead.")
    if not counted.shown.reshape(-1, counted.systems).sum(axis=0).all():
        raise StatisticsError("A system was never rated, so it has no mean score.")
    with np.errstate(invalid="ignore"):
        return counted.merits / counted.shown


def standardised(ballots: Ballots) -> Ballots:
    """The same ballots with each judge's merits as z-scores."""
    judge = ballots.judge[ballots.ballot_of]
    number = np.maximum(np.bincount(judge, minlength=ballots.judges), 1)
    mean = np.bincount(judge, ballots.merit, ballots.judges) / number
    centred = ballots.merit - mean[judge]
    spread = np.sqrt(np.bincount(judge, centred**2, ballots.judges) / number)
    return replace(
        ballots, merit=np.divide(centred, spread[judge], out=np.zeros_like(centred), where=spread[judge] > 0)
    )
