"""What few sentences can say: by hand, by simulation, and that many sentences change nothing."""

import numpy as np
import pytest

from ranking.stats.rankings.moderation import (
    as_likely_shares,
    fewest_sentences,
    moderate,
    sentences_of,
    variance_correction,
)
from ranking.stats.rankings.uncertainty import chances_to_be_best
from ranking.stats.tally import tally
from tests.ranking.stats.ballots import ballot, columns


@pytest.mark.parametrize(("level", "fewest"), [(0.5, 2), (0.9, 5), (0.95, 6), (0.96875, 6), (0.99, 8), (0.999, 11)])
def test_a_sign_test_needs_so_many_sentences(level, fewest):
    assert fewest_sentences(level) == fewest
    assert 2.0 ** (1 - fewest) <= 1 - level + 1e-12 < 2.0 ** (2 - fewest)


def test_sentences_are_counted_once_and_only_where_something_was_compared():
    judged = [ballot(("AB", 1), ("C", 2)), ballot(("C", 1), ("AB", 2), judge=1)]
    judged += [ballot(("A", 1), ("C", 1), segment=1), ballot(("ABC", 1), segment=2)]
    assert sentences_of(columns(judged, 4)).tolist() == [2, 1, 2, 0]


def test_few_sentences_that_say_most_leave_few_degrees_of_freedom():
    """Ten sentences have one judgment and two have five; where all have one, each counts alike."""
    even = [ballot(("A", 1 + at % 2), ("B", 2 - at % 2), segment=at) for at in range(12)]
    for often, freedom, wider in ((5, 7.5, 1.17), (1, 11, 22 / 21)):
        judged = columns([*even[:10], *even[10:] * often], 2)
        found = variance_correction(judged, tally(judged), np.array([12, 12]))
        assert found[0] == pytest.approx([freedom] * 2, abs=0.01)
        assert found[1] ** 2 == pytest.approx([wider] * 2, abs=0.003)


def test_extreme_shares_vary_as_their_likely_shares_do():
    """By hand: the variance of scores is .01; if that of replicates is as large, nothing but noise parts them."""
    scores, sentences = np.array([0.6, 0.4]), np.array([10**9, 10**9])
    deviations = np.array([[1.0, -1], [-1, 1]])
    for deviation, likely in ((0.1, 0.5), (0.05, 0.5 + 0.75 * 0.1)):
        found = as_likely_shares(scores, scores + deviation * deviations, sentences)
        wider = (likely * (1 - likely) / 0.24) ** 0.5
        assert found == pytest.approx(scores + wider * deviation * deviations)
    won = as_likely_shares(np.array([1.0, 0.0]), np.array([[1.1, 0], [0.9, 0]]), np.array([6, 6]))
    assert np.isfinite(won).all()


def test_the_toy_of_the_definition_and_a_replicate_without_a_system():
    """Eleven systems whose sentences have a variance of .1, and one that won on all of its three."""
    rng = np.random.default_rng(1)
    sentences = np.array([1000] * 11 + [3])
    errors = np.sqrt(np.where(sentences > 3, 0.1 / 1000, 0))
    replicates = 0.5 + errors * rng.standard_normal((20_000, 12))
    found = moderate(np.full(12, 0.5), replicates, sentences, 0.5, 6, seed=0)
    assert np.quantile(found[:, 11], 0.975) - 0.5 == pytest.approx(0.37, abs=0.01)
    assert found[:, 0].std() == pytest.approx(replicates[:, 0].std(), rel=0.02)
    replicates = np.random.default_rng(1).standard_normal((400, 3))
    replicates[::4, 2] = np.nan
    found = moderate(np.zeros(3), replicates, np.array([50, 50, 10]), 1.0, 6, seed=0)
    assert np.isfinite(found).all()
    assert found[::4, 2].std() == pytest.approx(found[1::4, 2].std(), rel=0.3)
    # Of eight sentences that all say the same, replicates differ by rounding alone.
    rounded = np.where(np.arange(400)[:, None] % 2, 0.97, np.nextafter(0.97, 1))
    found = moderate(np.array([0.97]), rounded, np.array([8]), 0.5, 6, seed=0)
    assert np.quantile(found, 0.025) < 0.9 < 0.97 < np.quantile(found, 0.975)


@pytest.mark.wide
@pytest.mark.parametrize("number", [6, 10, 30])
def test_intervals_from_few_sentences_cover_the_mean(number):
    """A system seen on a few sentences, beside ten seen on 500: shares of wins of four opponents, .8 on average."""
    rng = np.random.default_rng(number)
    sentences, right = np.array([500] * 10 + [number]), []
    for seed in range(300):
        seen = [rng.binomial(4, 0.8, many) / 4 for many in sentences]
        drawn = np.stack([one[rng.integers(0, len(one), (200, len(one)))].mean(axis=1) for one in seen], axis=1)
        found = moderate(np.array([one.mean() for one in seen]), drawn, sentences, 0.5, 6, seed)
        low, high = np.quantile(found[:, -1], [0.025, 0.975])
        right.append(low <= 0.8 <= high)
    assert np.mean(right) >= 0.93


@pytest.mark.wide
def test_chances_to_be_best_come_true_as_often_as_they_say():
    """Ten systems whose true scores vary as much as the errors of their estimates."""
    rng = np.random.default_rng(5)
    chances, best = [], []
    for seed in range(4000):
        truth = rng.standard_normal(10)
        scores = truth + rng.standard_normal(10)
        chances.append(chances_to_be_best(scores, scores + rng.standard_normal((200, 10)), seed))
        best.append(truth == truth.max())
    said, came = np.concatenate(chances), np.concatenate(best)
    for low, high in ((0.05, 0.2), (0.2, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 1)):
        these = (said >= low) & (said < high)
        assert came[these].mean() == pytest.approx(said[these].mean(), abs=0.05), (low, high)


def test_no_chance_to_be_best_is_nothing_or_all():
    scores = np.array([5.0, 0, -5])
    chances = chances_to_be_best(scores, np.tile(scores, (200, 1)), seed=1)
    assert chances.tolist() == pytest.approx([(200 + 1 / 3) / 201, 1 / 603, 1 / 603])
