"""Draws of references."""

import random

import numpy as np
import pytest

from ranking.metrics.ngrams.gleu import over_draws, random_numbers


def test_the_numbers_are_those_of_pythons_random():
    wanted = []
    for draw in range(30):
        random.seed(101 * draw)
        wanted.append([random.random() for _ in range(40)])
    assert random_numbers(30, 40).tolist() == wanted


@pytest.mark.wide
def test_only_references_that_are_there_are_drawn():
    """The first sentence has its second reference alone, the other has both."""
    counts = np.array([[[-1], [5]], [[10], [20]]])
    seen = []

    def keep(block, sums):
        seen.extend(sums[0, :, 0].tolist())
        return sums[:, :, 0]

    mean = over_draws(counts, np.array([[0, 1]]), 50, keep)
    wanted = [5 + (20 if row[1] >= 0.5 else 10) for row in random_numbers(50, 2)]
    assert seen == wanted
    assert mean == [np.mean(wanted)]
