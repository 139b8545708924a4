"""Pairs of outputs: with those of identical text and without, by hand and by what must always hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.numbers.tables import StatisticsError
from ranking.stats.metaevaluation.scores import ScorePairs, pairs_of_ballots, pairs_of_scores, pairs_of_systems
from tests.ranking.stats.ballots import MOST_SYSTEMS, any_ballots, ballot, columns


def rows(pairs: ScorePairs) -> list[tuple[int, int, float]]:
    return sorted(zip(pairs.sentence.tolist(), pairs.human.tolist(), np.round(pairs.metric, 9).tolist(), strict=True))


def test_the_toy_of_the_definition():
    human, metric = np.array([[80, 60, 60]]), np.array([[0.5, 0.7, 0.1]])
    assert rows(pairs_of_scores(human, metric)) == [(0, 0, 0.6), (0, 1, -0.2), (0, 1, 0.4)]
    texts = np.array([[3, 5, 5]])
    assert rows(pairs_of_scores(human, metric, texts=texts)) == [(0, 1, -0.2), (0, 1, 0.4)]
    same = np.array([[1.0, 1.0]])
    with pytest.raises(StatisticsError, match="No sentence has two outputs"):
        pairs_of_scores(same, same, texts=np.array([[7, 7]]))


def test_systems_behind_one_candidate_tie_for_people_and_metric():
    """A and B share a text that beats that of C: one pair of outputs, three of systems, two of which differ."""
    ballots, metric = columns([ballot(("AB", 1), ("C", 2))], 3, 1), np.array([[0.5, 0.5, 0.2]])
    assert rows(pairs_of_ballots(ballots, metric)) == [(0, 1, 0.3)]
    assert rows(pairs_of_systems(ballots, metric)) == [(0, 0, 0.0), (0, 1, 0.3), (0, 1, 0.3)]
    assert rows(pairs_of_systems(ballots, metric, distinct=True)) == [(0, 1, 0.3), (0, 1, 0.3)]
    ballots = columns([ballot(("A", 1), ("B", 2), ("C", 2), judge=judge) for judge in range(2)], 3, 2)
    metric = np.array([[0.5, 0.4, 0.2]])
    assert rows(pairs_of_ballots(ballots, metric)) == rows(pairs_of_systems(ballots, metric))


@pytest.mark.wide
@given(any_ballots, st.integers(0, 2**31 - 1))
def test_pairs_of_systems_are_those_of_candidates_as_often_as_systems_stand_behind_them(some, seed):
    ballots = columns(some)
    metric = np.random.default_rng(seed).random((max(ballots.segments, 1), MOST_SYSTEMS))
    shared = ballots.candidates.sizes
    behind = shared[ballots.candidate]
    expected, free = 0, 0
    for first, after in zip(ballots.starts[:-1], ballots.starts[1:], strict=True):
        here = behind[first:after]
        expected += (here.sum() ** 2 - (here**2).sum()) // 2
        free += (here * (here - 1) // 2).sum()

    def many(distinct: bool) -> int:
        try:
            return len(pairs_of_systems(ballots, metric, distinct))
        except StatisticsError:
            return 0

    assert many(True) == expected
    assert many(False) == expected + free
