"""Bradley-Terry with ties: by hand, by another optimiser, for any tally."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ranking.numbers.tables import StatisticsError
from ranking.stats.rankings.bradley_terry import PRIOR, bradley_terry, fit
from ranking.stats.resampling import Unit, resample
from ranking.stats.tally import Tally, tally, weighted_tallies
from tests.ranking.stats.ballots import any_ballots, ballot, columns, published_columns


def chances(scores: np.ndarray, share: float) -> tuple[np.ndarray, np.ndarray]:
    """The chance of a win of the row over the column, and of a tie."""
    strength = np.exp(scores)
    mean = np.sqrt(strength[:, None] * strength[None, :])
    total = strength[:, None] + strength[None, :] + share * mean
    return strength[:, None] / total, share * mean / total


def likelihood(counted: Tally, scores: np.ndarray, share: float) -> float:
    win, tie = chances(scores, share)
    others = ~np.eye(counted.systems, dtype=bool) / (counted.systems - 1)
    ties = np.triu(counted.ties)
    return float(
        ((counted.wins + PRIOR * others) * np.log(win)).sum() + (ties * np.log(np.where(ties > 0, tie, 1))).sum()
    )


def test_strengths_and_ties_by_hand():
    ballots = [ballot(("A", 1), ("B", 2))] * 3 + [ballot(("B", 1), ("A", 2))]
    scores, ties = fit(tally(columns(ballots, 2)), prior=0)
    assert scores.tolist() == pytest.approx([np.log(3) / 2, -np.log(3) / 2])
    assert ties == 0
    # Half of all comparisons are ties, so a tie is as likely as a win and a loss.
    ballots = [ballot(("A", 1), ("B", 2)), ballot(("B", 1), ("A", 2)), ballot(("A", 1), ("B", 1))] * 100
    scores, ties = fit(tally(columns(ballots, 2)), prior=0)
    assert scores.tolist() == pytest.approx([0, 0])
    assert ties == pytest.approx(1)
    # A system that never lost has a finite score.
    scores = bradley_terry(tally(columns([ballot(("A", 1), ("B", 2), ("C", 3))] * 5, 3)))
    assert np.isfinite(scores).all()
    assert scores[0] > scores[1] > scores[2]
    # Ties inside a candidate are no comparisons.
    judged = [ballot(("A", 1), ("B", 2)), ballot(("B", 1), ("A", 2)), ballot(("A", 1), ("B", 2))]
    shared = [*judged, ballot(("AB", 1))]
    assert bradley_terry(tally(columns(shared, 2))).tolist() == bradley_terry(tally(columns(judged, 2))).tolist()


@pytest.mark.wide
@given(any_ballots, st.integers(0, 5), st.floats(-0.1, 0.1))
def test_no_strength_near_by_is_more_likely(ballots, system, change):
    counted = tally(columns(ballots))
    try:
        scores, ties = fit(counted)
    except StatisticsError:
        assume(False)
    moved = scores.copy()
    moved[system] += change
    best = likelihood(counted, scores, float(ties))
    assert likelihood(counted, moved, float(ties)) <= best + 1e-6


def test_many_tallies_are_fitted_at_once_and_one_that_lacks_a_system_puts_it_in_the_middle():
    """Of A-B, B-C and C-D the last one is drawn or not; without it nobody met D."""
    judged = [ballot(("A", 1), ("B", 2)), ballot(("B", 1), ("C", 2)), ballot(("C", 1), ("D", 2))]
    weights = np.array([[1, 1], [1, 1], [1, 0]], dtype=np.uint8)
    whole, parted = bradley_terry(weighted_tallies(columns(judged, 4), np.arange(3), weights))
    assert whole[3] == whole.min()
    assert parted[0] > parted[3] > parted[2]
    drawn = resample(published_columns(), Unit.SENTENCE, 5, seed=1)
    together = bradley_terry(drawn)
    assert together == pytest.approx(np.stack([bradley_terry(drawn[place]) for place in range(5)]), rel=1e-13)


def test_sums_that_cannot_be_exact_settle_too():
    """Weighted and simulated tallies may hold billions, and the rounding of their sums is no reason to move on."""
    wins = np.random.default_rng(1).uniform(1e8, 9e8, (50, 6, 6)) * ~np.eye(6, dtype=bool)
    none = np.zeros_like(wins)
    scores, _ = fit(Tally(wins, none, none, none[0], none[0]))
    expected = 1 / (1 + np.exp(scores[:, None, :] - scores[:, :, None]))
    compared = wins + wins.swapaxes(1, 2)
    assert wins.sum(axis=2) == pytest.approx((expected * compared).sum(axis=2), rel=1e-6), "as many wins as expected"
