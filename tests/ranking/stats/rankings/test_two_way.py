"""Other judges: their tastes widen replicates by sentence, and where judges agree next to nothing is added."""

import numpy as np
import pytest

from ranking.numbers.tables import StatisticsError
from ranking.stats.rankings.uncertainty import with_other_judges

SYSTEMS, REPLICATES = 6, 4000


def drawn(error: float, seed: int) -> np.ndarray:
    return error * np.random.default_rng(seed).standard_normal((REPLICATES, SYSTEMS))


def test_the_variance_of_judges_is_added_to_that_of_sentences():
    """Squares add up: of 20 judges, sentences .03, judges 20 / 19 of .05, less rankings .01.

    Student's t of 19 degrees of freedom has 19 / 17 of the variance.
    """
    found = with_other_judges(drawn(0.03, 1), drawn(0.05, 2), drawn(0.01, 3), 20, seed=4)
    variance = 0.03**2 + (20 / 19 * 0.05**2 - 0.01**2) * 19 / 17
    assert found.std(axis=0) == pytest.approx(np.full(SYSTEMS, np.sqrt(variance)), rel=0.06)


def test_nothing_is_added_where_judges_differ_by_chance_alone_and_fewer_judges_say_less():
    by_sentence = drawn(0.03, 1)
    found = with_other_judges(by_sentence, drawn(0.02 * np.sqrt(0.9), 2), drawn(0.02, 3), 10, seed=4)
    assert found.std(axis=0) == pytest.approx(by_sentence.std(axis=0), rel=0.03)
    few, many = (
        with_other_judges(drawn(0.01, 1), drawn(0.05, 2), drawn(0.01, 3), judges, seed=4).std() for judges in (4, 40)
    )
    assert few > 1.3 * many


def test_judges_who_judged_other_systems_each_say_nothing_of_other_judges():
    never_together = np.where(np.arange(REPLICATES)[:, None] % SYSTEMS == np.arange(SYSTEMS), np.nan, drawn(0.05, 2))
    with pytest.raises(StatisticsError, match="Each judge judged other systems"):
        with_other_judges(drawn(0.03, 1), never_together, drawn(0.01, 3), 20, seed=4)
