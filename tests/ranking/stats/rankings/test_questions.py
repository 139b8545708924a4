"""The four questions: by hand, in invariants, and on the published judgments."""

from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.stats.rankings.pair_tests import pair_tests
from ranking.stats.rankings.questions import Questions, letters

LEVEL = 0.95


def normal(scores: list[float], errors: float | list[float] = 1.0, replicates: int = 4000) -> np.ndarray:
    """Replicates of independent scores, with exactly these standard errors."""
    drawn = np.random.default_rng(8).standard_normal((replicates, len(scores)))
    values, vectors = np.linalg.eigh(np.cov(drawn.T))
    white = (drawn - drawn.mean(axis=0)) @ vectors / np.sqrt(values)
    return np.array(scores) + white * np.array(errors)


def asked(scores: list[float], errors: float | list[float] = 1.0, **given: np.ndarray) -> Questions:
    return Questions(np.array(scores), normal(scores, errors), LEVEL, **given)


def test_by_hand_who_may_be_the_best_and_the_last():
    """With two systems, T is 3 / sqrt 2 and p that of both sides."""
    best, last = asked([3, 0]).not_the_best(), asked([3, 0]).not_the_last()
    beyond = NormalDist().cdf(-3 / 2**0.5)
    assert best.statistic == pytest.approx([-3 / 2**0.5, 3 / 2**0.5])
    assert best.p_value == pytest.approx([1, 2 * beyond], abs=0.005)
    assert best.other.tolist() == [1, 0]
    assert last.p_value == pytest.approx(best.p_value[::-1], abs=0.01)
    assert best.holding(LEVEL).tolist() == [False, True]


def test_comparisons_with_the_best_decide_more_than_pairs():
    """Of eleven rivals as far behind, all are excluded at T = 2.6; among 66 pairs none differs."""
    scores = [2.6 * 2**0.5, *[0.0] * 11]
    assert asked(scores).not_the_best().holding(LEVEL).tolist() == [False] + [True] * 11
    assert not pair_tests(np.array(scores), normal(scores), LEVEL).better(LEVEL).any()


def test_by_hand_who_beats_a_fixed_system():
    found = asked([0, 5, 2.5, 0.1]).better_than(0)
    assert found.system.tolist() == [1, 2, 3]
    assert found.other.tolist() == [0, 0, 0]
    assert found.statistic == pytest.approx(np.array([5, 2.5, 0.1]) / 2**0.5)
    assert (np.diff(found.p_value) >= 0).all()
    # Stepping down: the second competes with itself and the third, the last is alone.
    assert found.p_value[2] == pytest.approx(NormalDist().cdf(-0.1 / 2**0.5), abs=0.01)
    assert found.holding(LEVEL).tolist() == [True, False, False]


def test_by_hand_where_the_order_breaks():
    """The weakest pair decides each boundary, p is that of a single test, and two boundaries make Holm's method."""
    found = asked([9, 8.9, 4]).breaks()
    assert (found.system.tolist(), found.other.tolist()) == ([0, 1], [1, 2])
    assert found.statistic == pytest.approx(np.array([0.1, 4.9]) / 2**0.5)
    # The second is no surer than that the third is not the best, and the others not the last.
    best, last = asked([9, 8.9, 4]).not_the_best().p_value, asked([9, 8.9, 4]).not_the_last().p_value
    assert found.p_value == pytest.approx([2 * NormalDist().cdf(-0.1 / 2**0.5), 0], abs=0.01)
    assert found.p_value[1] == max(best[2], last[:2].max()) > 4 * NormalDist().cdf(-4.9 / 2**0.5)
    assert asked([9, 8.9, 4]).groups() == [1, 1, 2]
    # The best of a group may be far above the next one, but its weakest is not.
    weakest = asked([9, 4.5, 4], [0.1, 9, 0.1]).breaks()
    assert (weakest.system[0], weakest.other[0]) == (0, 1)


def test_systems_with_equal_scores_in_every_replicate_are_never_told_apart():
    scores = np.array([1.0, 1.0, 0.0])
    replicates = normal([1.0, 1.0, 0.0], 0.01)
    replicates[:, 1] = replicates[:, 0]
    found = Questions(scores, replicates, LEVEL)
    assert found.not_the_best().holding(LEVEL).tolist() == [False, False, True]
    assert found.groups() == [1, 1, 2]


def test_while_judging_goes_on_more_is_needed():
    scores, sentences = [3.2 * 2**0.5, 0.0, 0.0], np.full(3, 300)
    once, any_time = asked(scores), asked(scores, sentences=sentences)
    for question in ("not_the_best", "not_the_last", "breaks"):
        assert (getattr(once, question)().p_value <= getattr(any_time, question)().p_value + 0.01).all(), question
    assert any_time.better_than(1).p_value[0] > once.better_than(1).p_value[0]
    assert any_time.not_the_best().holding(LEVEL).tolist() == [False, True, True]


@given(st.lists(st.floats(-3, 3), min_size=2, max_size=8), st.randoms(use_true_random=False))
def test_answers_do_not_depend_on_the_order_of_systems(scores, rng):
    order = rng.sample(range(len(scores)), len(scores))
    drawn = normal(scores, replicates=200)
    straight = Questions(np.array(scores), drawn, LEVEL)
    shuffled = Questions(np.array(scores)[order], drawn[:, order], LEVEL)
    assert shuffled.not_the_best().p_value == pytest.approx(straight.not_the_best().p_value[order])
    by_score = np.argsort(-np.array(scores), kind="stable")
    for at in np.flatnonzero(straight.breaks().holding(LEVEL)) + 1:
        assert straight.not_the_best().holding(LEVEL)[by_score[at:]].all(), "nobody below a break may be the best"
        assert straight.not_the_last().holding(LEVEL)[by_score[:at]].all()
    assert not straight.not_the_best().holding(LEVEL)[int(np.argmax(scores))]
    if len(set(scores)) == len(scores):
        assert shuffled.groups() == straight.groups()


def differing(systems: int, *pairs: str) -> np.ndarray:
    found = np.zeros((systems, systems), dtype=bool)
    for one, other in (map("ABCDEF".index, pair) for pair in pairs):
        found[one, other] = found[other, one] = True
    return found


@pytest.mark.parametrize(
    ("systems", "pairs", "shown"),
    [
        (3, "", "a a a"),
        (3, "AC", "a ab b"),
        (3, "AB AC BC", "a b c"),
        (4, "AD AC BD", "a ab bc c"),
        (4, "AB AC AD", "a b b b"),
        # B differs from its neighbours though A and C do not.
        (3, "AB BC", "a b a"),
    ],
)
def test_letters_by_hand(systems, pairs, shown):
    assert letters(differing(systems, *pairs.split())) == shown.split()


@given(st.integers(2, 7), st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=12))
def test_systems_share_a_letter_if_and_only_if_they_are_not_separated(systems, pairs):
    differ = np.zeros((7, 7), dtype=bool)
    for one, other in pairs:
        differ[one, other] = differ[other, one] = one != other
    differ = differ[:systems, :systems]
    shown = letters(differ)
    for one in range(systems):
        for other in range(one):
            assert bool(set(shown[one]) & set(shown[other])) is not bool(differ[one, other])


def test_a_pair_that_a_later_step_resolves_has_an_interval_that_ends_at_0():
    """Five of six pairs are far apart, so the last needs T = 2, where all six together need 2.6; it has 2.2."""
    scores = [0, 100, 200, 200 + 2.2 * 2**0.5]
    tests = pair_tests(np.array(scores), normal(scores), LEVEL)
    assert tests.better(LEVEL)[3, 2]
    assert (tests.low[3, 2], tests.high[2, 3]) == (0, 0)
    assert tests.high[3, 2] == pytest.approx(2 * 2.2 * 2**0.5 + (2.6 - 2.2) * 2**0.5, abs=0.15)
