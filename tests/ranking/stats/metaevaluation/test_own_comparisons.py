"""Ballots that a metric fills in: by hand, and what must always hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.numbers.tables import StatisticsError
from ranking.stats.comparisons.sections.metric_rankings import judged_by_metric
from ranking.stats.tally import tally
from tests.ranking.stats.ballots import MOST_SYSTEMS, any_ballots, ballot, columns


def test_a_metric_compares_the_outputs_that_it_scored():
    filled = tally(judged_by_metric(columns([ballot(("A", 1), ("B", 2), ("C", 2))], 3, 1), np.array([[0.5, 0.5, 0.1]])))
    assert filled.wins.tolist() == [[0, 0, 1], [0, 0, 1], [0, 0, 0]]
    assert filled.ties[0, 1] == 1
    ballots = columns([ballot(("A", 1), ("B", 2), ("C", 3)), ballot(("A", 1), ("B", 2), segment=1)], 3, 1)
    filled = judged_by_metric(ballots, np.array([[1.0, np.nan, 2.0], [np.nan, np.nan, 1.0]]))
    assert (len(filled), filled.sizes.tolist()) == (2, [2, 0])
    assert tally(filled).wins.tolist() == [[0, 0, 0], [0, 0, 0], [1, 0, 0]]
    with pytest.raises(StatisticsError, match="scored no judged output"):
        judged_by_metric(columns([ballot(("A", 1), ("B", 2))], 2, 1), np.full((1, 2), np.nan))


@pytest.mark.wide
@given(any_ballots, st.integers(0, 2**31 - 1))
def test_only_the_order_of_a_metric_counts_and_what_was_compared_stays(some, seed):
    ballots = columns(some)
    if not len(ballots.candidate):
        return
    metric = np.random.default_rng(seed).integers(0, 4, (ballots.segments, MOST_SYSTEMS)) / 4
    one, other = tally(judged_by_metric(ballots, metric)), tally(judged_by_metric(ballots, np.exp(metric)))
    assert (one.wins == other.wins).all()
    assert (one.compared == tally(ballots).compared).all()
