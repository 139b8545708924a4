"""Krippendorff's alpha: by hand, by the words of the definition, and as Krippendorff printed it."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ranking.numbers.intervals import interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.agreement.alpha import alpha, alpha_estimate, answers_on_candidates, answers_on_pairs
from ranking.stats.agreement.meetings import entries_of
from ranking.stats.answers import Answers, Scale
from tests.ranking.stats.ballots import ballot, columns, published_columns, really_drawn

# Krippendorff (2011), section C to E: four observers, twelve units, some of them missing; and the printed alphas.
OBSERVERS = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")
PRINTED = {Scale.NOMINAL: 0.743, Scale.ORDINAL: 0.815, Scale.INTERVAL: 0.849}


def values(*units: str) -> Answers:
    """Values by unit, each unit a sentence of its own: values("11", "12")."""
    unit = np.repeat(np.arange(len(units)), [len(unit) for unit in units])
    judge = np.concatenate([np.arange(len(unit)) for unit in units])
    return Answers(unit, judge, np.array([float(value) for value in "".join(units)]), len(units), 5)


def by_definition(units: list[list[float]], scale: Scale) -> float:
    """All pairs of values, one by one."""
    units = [unit for unit in units if len(unit) > 1]
    pool = [value for unit in units for value in unit]

    def difference(one: float, other: float) -> float:
        if scale is Scale.NOMINAL:
            return float(one != other)
        if scale is Scale.INTERVAL:
            return (one - other) ** 2
        low, high = sorted((one, other))
        return (sum(low <= value <= high for value in pool) - (pool.count(one) + pool.count(other)) / 2) ** 2

    number = len(pool)
    observed = sum(2 * sum(difference(*two) for two in combinations(unit, 2)) / (len(unit) - 1) for unit in units)
    expected = 2 * sum(difference(*two) for two in combinations(pool, 2)) / (number - 1)
    return 1 - observed / expected


any_units = st.lists(st.text("12345", max_size=4), min_size=2, max_size=6)
scales = pytest.mark.parametrize("scale", Scale)


@scales
def test_the_toy_of_the_definition_and_krippendorffs_example(scale):
    assert alpha(values("11", "12", "22"), scale) == pytest.approx(4 / 9, rel=1e-12)
    units = ["".join(unit).replace(".", "") for unit in zip(*OBSERVERS, strict=True)]
    assert round(alpha(values(*units), scale), 3) == PRINTED[scale]


@pytest.mark.wide
@given(any_units, st.sampled_from(Scale))
def test_it_follows_the_definition(units, scale):
    assume(len(set("".join(unit for unit in units if len(unit) > 1))) > 1)
    expected = by_definition([[float(value) for value in unit] for unit in units], scale)
    assert alpha(values(*units), scale) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_what_leaves_nothing_to_measure_is_refused():
    with pytest.raises(StatisticsError, match="No unit has values from two judges"):
        alpha(values("1", "2"), Scale.NOMINAL)
    with pytest.raises(StatisticsError, match="always gave the same value"):
        alpha(values("11", "11"), Scale.INTERVAL)
    with pytest.raises(StatisticsError, match="only one sentence"):
        alpha_estimate(values("12"), Scale.NOMINAL, 10, seed=1)


def test_merits_are_of_candidates_a_judges_repeats_are_one_value_and_outcomes_are_of_pairs():
    repeated = [ballot(("A", 1), ("B", 2), judge=0), ballot(("B", 3), ("A", 2), judge=0)]
    found = answers_on_candidates(columns([*repeated, ballot(("A", 4), judge=1), ballot(("A", 5), judge=1, segment=7)]))
    assert found.unit.tolist() == [0, 0, 1, 2]
    assert found.value.tolist() == [-1.5, -4, -2.5, -5]
    assert found.segment.tolist() == [0, 0, 0, 1]
    found = answers_on_pairs(
        entries_of(columns([ballot(("A", 1), ("B", 2), judge=0), ballot(("B", 3), ("A", 3), judge=1)]))
    )
    assert (found.unit.tolist(), found.value.tolist()) == ([0, 0], [2, 1])


@pytest.mark.wide
@scales
def test_an_interval_is_that_of_sentences_really_drawn(scale):
    found = alpha_estimate(answers_on_candidates(published_columns()), scale, 8, seed=3, level=0.7)
    drawn = [alpha(answers_on_candidates(ballots), scale) for ballots in really_drawn(8, seed=3)]
    assert found.interval == pytest.approx(interval_of(np.array(drawn), 0.7), rel=1e-9)
