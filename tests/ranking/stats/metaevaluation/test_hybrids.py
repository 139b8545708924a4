"""Correlations over mixtures of systems: what is drawn, and what must always hold."""

from itertools import combinations

import numpy as np
import pytest

from ranking.numbers.intervals import interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.metaevaluation.correlations import Coefficient, correlation
from ranking.stats.metaevaluation.evaluation import differences, drawn_mixtures, over_mixtures
from ranking.stats.metaevaluation.scores import ScoredSystems

SYSTEMS, COPIES = 4, 5
PAIRS = np.repeat(list(combinations(range(SYSTEMS), 2)), COPIES, axis=0)


def scores(seed: int, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """Mixtures half-way between their systems, by people and by a metric that errs."""
    random = np.random.default_rng(seed)
    human = np.arange(SYSTEMS, dtype=float)
    metric = human + random.normal(0, noise, SYSTEMS)
    return tuple(np.concatenate([side, side[PAIRS].mean(axis=1)]) for side in (human, metric))


def test_a_pair_brings_its_mixtures_as_often_as_its_systems_were_drawn():
    for rows in drawn_mixtures(SYSTEMS, PAIRS, 50, seed=1):
        times = np.bincount(rows[rows < SYSTEMS], minlength=SYSTEMS)
        assert not len(rows) or (times > 0).sum() >= 3
        mixtures = PAIRS[rows[rows >= SYSTEMS] - SYSTEMS]
        for one, other in combinations(range(SYSTEMS), 2):
            assert (mixtures == (one, other)).all(axis=1).sum() == COPIES * times[one] * times[other]
    # Of the 256 draws of four systems 88 have one or two of them.
    empty = np.mean([not len(rows) for rows in drawn_mixtures(SYSTEMS, PAIRS, 2000, seed=3)])
    assert empty == pytest.approx(88 / 256, abs=0.04)
    with pytest.raises(StatisticsError, match="3 systems or more, not 2"):
        drawn_mixtures(2, PAIRS[:5], 10, seed=1)


def test_the_number_is_that_of_all_and_its_interval_wider_than_if_all_were_independent():
    human, metric = scores(2, 0.8)
    value, replicates = over_mixtures(human, metric, Coefficient.PEARSON, drawn_mixtures(SYSTEMS, PAIRS, 400, seed=1))
    assert value == correlation(human, metric, Coefficient.PEARSON)
    random = np.random.default_rng(0)
    plain = [np.corrcoef(human[rows], metric[rows])[0, 1] for rows in random.integers(0, len(human), (400, len(human)))]
    low, high = np.quantile(plain, [0.025, 0.975])
    interval = interval_of(replicates)
    assert interval.low < low < high < interval.high


def test_a_metric_that_says_what_people_say_is_never_worse():
    human, metric = scores(2, 0.8)
    drawn = drawn_mixtures(SYSTEMS, PAIRS, 200, seed=5)
    same, near = ScoredSystems("same", "", human), ScoredSystems("near", "", metric)
    flat = ScoredSystems("flat", "", np.ones(len(human)))
    one, other = differences(human, [same, flat, near], drawn)
    assert (one[:2], other[:2]) == (("same", "near"), ("near", "same"))
    (value, low, high, below), (opposite, its_low, its_high, rest) = one[2:], other[2:]
    assert value == pytest.approx(-opposite)
    assert (low, high) == (pytest.approx(-its_high), pytest.approx(-its_low))
    assert low >= 0
    assert below + rest == pytest.approx(1)
