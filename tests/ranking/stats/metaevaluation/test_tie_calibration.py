"""Tie calibration: by hand, by trying every epsilon, and what holds for any scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.scores.metric_files import read_metric_scores
from ranking.stats.metaevaluation.scores import ScorePairs, pairs_of_scores
from ranking.stats.metaevaluation.sentence_level import Grouping, Variant, agreement, calibrate
from tests.ranking.stats.metaevaluation.scores import any_sentences
from tests.shared_data import shared


def try_all(pairs: ScorePairs, grouping: Grouping) -> list[tuple[float, float]]:
    """acc-eq with every epsilon that could matter, the best first, and of equal ones the smallest."""
    tried = [
        (agreement(pairs, Variant.ACC_EQ, grouping, epsilon), float(epsilon))
        for epsilon in np.unique([0, *np.abs(pairs.metric)])
    ]
    return sorted(tried, key=lambda one: (-round(one[0], 9), one[1]))


@pytest.mark.parametrize("grouping", Grouping)
def test_the_toy_of_the_definition(grouping):
    toy = ScorePairs(np.array([0, 0]), np.array([0, 1]), np.array([0.1, 0.5]))
    assert calibrate(toy, grouping) == (0.1, 1, 1 / 2)
    assert agreement(toy, Variant.ACC_EQ, grouping, 0.5) == 1 / 2


def test_a_metric_that_needs_no_ties_gets_none():
    assert calibrate(pairs_of_scores(np.array([[1.0, 2, 3]]), np.array([[1.0, 2, 3]]))) == (0, 1, 1)


def test_differences_that_are_equal_become_ties_together():
    pairs = ScorePairs(np.zeros(3, dtype=int), np.array([0, 1, 1]), np.array([0.2, 0.2, 0.2]))
    assert calibrate(pairs, Grouping.POOLED).epsilon == 0


@pytest.mark.wide
@given(any_sentences(), st.sampled_from(Grouping))
def test_no_epsilon_is_better(sentences, grouping):
    pairs = pairs_of_scores(*sentences)
    best_accuracy, best_epsilon = try_all(pairs, grouping)[0]
    found = calibrate(pairs, grouping)
    assert found.accuracy == pytest.approx(best_accuracy)
    assert found.epsilon == best_epsilon
    assert found.uncalibrated == agreement(pairs, Variant.ACC_EQ, grouping)
    assert found.accuracy >= found.uncalibrated - 1e-12


@pytest.mark.wide
@given(any_sentences(), st.sampled_from(Grouping))
def test_epsilon_is_in_the_units_of_the_metric(sentences, grouping):
    human, metric = sentences
    found = calibrate(pairs_of_scores(*sentences), grouping)
    scaled = calibrate(pairs_of_scores(human, 4 * metric), grouping)
    assert scaled.epsilon == 4 * found.epsilon
    assert scaled.accuracy == found.accuracy


@pytest.mark.parametrize("grouping", Grouping)
def test_many_pairs_with_many_decimals_are_searched_as_if_one_by_one(grouping):
    random = np.random.default_rng(12)
    human = random.integers(0, 4, (12, 8)).astype(float)
    pairs = pairs_of_scores(human, human + random.normal(0, 1, (12, 8)))
    best_accuracy, best_epsilon = try_all(pairs, grouping)[0]
    found = calibrate(pairs, grouping)
    assert (found.epsilon, found.accuracy) == (best_epsilon, pytest.approx(best_accuracy))
    assert found.epsilon > 0


def test_a_metric_that_never_ties_gets_its_ties_back():
    """On published scores of sentences: lengths of outputs, and the same with a trifle that tells systems apart."""
    folder = shared("data/gmeg-fce/test")
    systems = ["amu", "marian", "nus", "lstm"]
    lines = [(folder / system).read_text(encoding="utf-8").splitlines() for system in systems]
    metric = np.array([[len(line) for line in row] for row in zip(*lines, strict=True)], dtype=float)
    rows = (folder / "corpus-scores.csv").read_text(encoding="utf-8").split()[1:]
    names = [row.split(",")[0] for row in rows]
    (people,) = read_metric_scores("people", (folder / "segment-scores.csv").read_bytes(), names)
    human = people.scores[:, [names.index(system) for system in systems]]
    plain = calibrate(pairs_of_scores(human, metric))
    found = calibrate(pairs_of_scores(human, metric + np.arange(4) / 1000))
    assert plain.epsilon == 0
    assert found.accuracy == pytest.approx(plain.accuracy)
    assert found.uncalibrated < plain.accuracy / 2
