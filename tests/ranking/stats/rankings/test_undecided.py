"""What another comparison is worth: the toy, decided and hopeless pairs, and the first ranks."""

import numpy as np
import pytest

from ranking.stats.rankings.pair_tests import worth_of_pairs


def scored(*apart: float) -> tuple[np.ndarray, np.ndarray]:
    """Systems with these scores, in standard errors of a difference."""
    scores = np.array(apart)
    noise = np.random.default_rng(1).standard_normal((20000, len(scores))) / np.sqrt(2)
    return scores, scores + noise


def test_the_toy_of_the_definition_and_first_ranks_matter_more():
    level = 1 - 2 * 0.0013499 * 3  # needs 3 standard errors for each of three pairs
    worth = worth_of_pairs(*scored(0, 0.5, 2.5), level)
    assert worth[0] == pytest.approx([0, 0.009, 0.880], abs=0.01)
    assert worth_of_pairs(*scored(0, 6, 0.5), level)[0, 1] == pytest.approx(0.027, abs=0.005)
    assert (worth == worth.T).all()
    scores, replicates = scored(0, 2, 20, 22)
    alike = worth_of_pairs(scores, replicates, 0.95)
    first = worth_of_pairs(scores, replicates, 0.95, first_ranks=True)
    assert alike[0, 1] == pytest.approx(alike[2, 3], rel=0.1)
    assert first[2, 3] > 5 * first[0, 1] > 0
