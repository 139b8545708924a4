"""Baselines of accuracy: what can be foretold about comparisons without any ranking (see `accuracy`).

Most comparisons tie in many campaigns, so that always foretelling a tie beats clustered rankings; their accuracy says
something only beside these numbers.

    tie        a tie, always
    majority   for each pair of systems what was most frequent in the other folds; a tie before a win
    best       for each pair of systems what is most frequent in what is to be foretold; no single ranking gets more

`majority_decisive` and `best_decisive` are the same among decisive comparisons alone, where a tie is no answer.

Toy: A against B has 3 wins, 1 loss and 4 ties: a tie gets 1/2 right, which is best; of decisive ones best is 3/4.
"""

from dataclasses import dataclass

import numpy as np

from ranking.stats.ballots import Ballots
from ranking.stats.foretelling.accuracy import HONEST, Recipe, foretold
from ranking.stats.foretelling.folds import deal
from ranking.stats.tally import Tally

TIE = 0


@dataclass(frozen=True)
class Baselines:
    """Shares of comparisons that are foretold right without a ranking."""

    tie: float
    majority: float
    best: float
    majority_decisive: float
    best_decisive: float


def baselines(ballots: Ballots, seed: int, recipe: Recipe = HONEST) -> Baselines:
    """The baselines on the folds on which `accuracy` with this seed and recipe measures methods."""
    tested = foretold(deal(ballots, recipe.unit, recipe.folds, seed), recipe)
    outcomes = _outcomes(tested)
    together = outcomes.sum(axis=0)
    training = together - outcomes
    decisive = outcomes[:, :, TIE + 1 :]
    return Baselines(
        tie=float(together[:, TIE].sum() / together.sum()),
        majority=_share(outcomes, training.argmax(axis=2)),
        best=float(together.max(axis=1).sum() / together.sum()),
        majority_decisive=_share(decisive, training[:, :, TIE + 1 :].argmax(axis=2)),
        best_decisive=float(decisive.sum(axis=0).max(axis=1).sum() / decisive.sum()),
    )


def _outcomes(tested: Tally) -> np.ndarray:
    """For each fold and pair of systems the numbers of ties, wins of the first and wins of the second."""
    first, second = np.triu_indices(tested.systems, 1)
    kinds = tested.ties[:, first, second], tested.wins[:, first, second], tested.wins[:, second, first]
    return np.stack(kinds, axis=2).astype(np.int64)


def _share(outcomes: np.ndarray, answers: np.ndarray) -> float:
    return float(np.take_along_axis(outcomes, answers[:, :, None], axis=2).sum() / outcomes.sum())
