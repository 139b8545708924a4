"""Draws of one reference a sentence, as GLEU has them: the same for every output, and the published ones.

Draw j takes the numbers that follow the seed 101 j, one a sentence, and int(number * references) is the reference. The
published program drew by Python 2, whose randint did just that; Python 3 draws integers otherwise.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count

import numpy as np
from numba import njit

SEED = 101
BLOCK = 16


def random_numbers(draws: int, places: int) -> np.ndarray:
    """A row a draw: what `random.random()` gives after `random.seed(101 * draw)`."""
    numbers, generator = np.empty((draws, places)), np.random.RandomState(0)
    for draw, row in enumerate(numbers):
        # A seed in a list is spread over the generator's state the way Python's random does it.
        generator.seed([SEED * draw])
        row[:] = generator.random_sample(places)
    return numbers


def over_draws(
    counts: np.ndarray, chosen: np.ndarray, draws: int, score: Callable[[slice, np.ndarray], np.ndarray]
) -> np.ndarray:
    """A score of each output, the mean over draws.

    Counts are by candidate, reference and column, below zero where a reference is missing, which is then not drawn.
    `score` is given some outputs and their sums by draw and column; it gives a score by output and draw.
    """
    present = counts[:, :, 0] >= 0
    order = np.argsort(~present, axis=1, kind="stable")
    drawn = np.where(present[:, :, None], counts, 0)
    drawn = np.ascontiguousarray(np.take_along_axis(drawn, order[:, :, None], axis=1).transpose(0, 2, 1))
    references = present.sum(axis=1)
    draws = draws if references.max(initial=1) > 1 else 1
    numbers = random_numbers(draws, chosen.shape[1])

    def of_block(block: slice) -> np.ndarray:
        sums = np.empty((len(chosen[block]), draws, counts.shape[2]), dtype=np.int64)
        _add(drawn, references, np.ascontiguousarray(chosen[block]), numbers, sums)
        return score(block, sums).mean(axis=1)

    blocks = [slice(first, first + BLOCK) for first in range(0, len(chosen), BLOCK)]
    with ThreadPoolExecutor(cpu_count() or 1) as pool:
        return np.concatenate([np.empty(0), *pool.map(of_block, blocks)])


@njit(cache=True, nogil=True)
def _add(drawn, references, chosen, numbers, sums):
    """Sums of each column by output and draw; the counts of an output are laid side by side first."""
    columns, most = drawn.shape[1], drawn.shape[2]
    places = chosen.shape[1]
    counts, many = np.empty((columns, places * most), np.int32), np.empty(places)
    drawing = np.empty(places, np.int32)
    for row in range(chosen.shape[0]):
        for place in range(places):
            many[place] = references[chosen[row, place]]
            for column in range(columns):
                for reference in range(most):
                    counts[column, place * most + reference] = drawn[chosen[row, place], column, reference]
        for draw in range(numbers.shape[0]):
            for place in range(places):
                drawing[place] = place * most + np.int32(numbers[draw, place] * many[place])
            for column in range(columns):
                total = 0
                for place in range(places):
                    total += counts[column, drawing[place]]
                sums[row, draw, column] = total
