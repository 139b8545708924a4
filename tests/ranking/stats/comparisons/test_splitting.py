"""Replicates in parts: each drawn once, the same as all at once."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.numbers.tables import StatisticsError
from ranking.stats.comparisons.study import (
    ComparisonStudy,
    Names,
    Parameters,
    ReplicatePart,
    join_parts,
    parts_of,
    scores_of_part,
)
from ranking.stats.rankings.methods import METHODS
from ranking.stats.resampling import Unit
from tests.ranking.stats.comparisons.sections.cast import SYSTEMS, plain_ballots


@given(st.integers(200, 500), st.integers(1, 40))
def test_every_replicate_is_in_one_part(replicates, workers):
    parts = parts_of(Parameters(methods=("expected-wins", "trueskill"), replicates=replicates), workers)
    for method in ("expected-wins", "trueskill"):
        numbers = [part.first + place for part in parts if part.method == method for place in range(part.number)]
        assert numbers == list(range(replicates))
    sizes = {part.number for part in parts}
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.wide
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("unit", list(Unit))
def test_parts_joined_are_what_is_drawn_at_once(method, unit):
    chosen = Parameters(methods=(method,), unit=unit.value, replicates=200, seed=2)
    study = ComparisonStudy(plain_ballots(), Names(SYSTEMS, ("ada", "ben")), chosen, are_ratings=True)
    try:
        whole = study.replicates(METHODS[method])
    except StatisticsError:
        return
    for workers in (2, 7):
        found = join_parts({part: scores_of_part(study, part) for part in parts_of(chosen, workers)}, chosen)
        assert {unit for _, unit in found} == set(METHODS[method].units(unit))
        assert np.array_equal(replace(study, drawn=found).replicates(METHODS[method]), whole)


def test_only_whole_results_drawn_elsewhere_are_used():
    scores = np.arange(8.0).reshape(2, 4)
    study = ComparisonStudy(
        plain_ballots(), Names(SYSTEMS, ("ada", "ben")), Parameters(), drawn={("expected-wins", "sentence"): scores}
    )
    assert study.drawn_by(METHODS["expected-wins"], Unit.SENTENCE) is scores
    first = ReplicatePart("expected-wins", "sentence", 0, 2)
    assert join_parts({first: np.zeros((2, 4))}, Parameters()) == {}
    with pytest.raises(StatisticsError, match="for ratings"):
        scores_of_part(study, ReplicatePart("z-score", "sentence", 0, 2))
