"""Cohen's kappa: the toy, printed values, what it is when chance explains all."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.stats.agreement.kappa import beyond_chance, kappa


def test_the_toy():
    assert kappa(np.array([1, 1, 0, 0]), np.array([1, 0, 0, 0])) == 0.5


def test_kappa_by_hand():
    """Three of four agree; they say yes to three quarters and a half: (3/4 - 1/2) / (1 - 1/2)."""
    assert kappa(np.array([1.0, 1.0, 1.0, 0.0]), np.array([1.0, 1.0, 0.0, 0.0])) == pytest.approx(0.5)
    assert kappa(np.array([True, False]), np.array([False, True])) == -1.0


def test_agreement_wholly_due_to_chance_has_no_kappa():
    assert kappa(np.ones(3), np.ones(3)) is None
    assert kappa(np.zeros(3), np.zeros(3)) is None


def test_many_at_a_time_are_as_one_at_a_time():
    found = beyond_chance(np.array([0.75, 1.0, np.nan]), np.array([0.5, 1.0, np.nan]), np.array([0.25, 1.0, np.nan]))
    assert found.tolist() == pytest.approx([0.5, np.nan, np.nan], nan_ok=True)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=20))
def test_who_is_first_and_what_is_called_yes_does_not_matter(pairs):
    one, other = np.array(pairs).T
    assert kappa(one, other) == pytest.approx(kappa(other, one))
    assert kappa(~one, ~other) == pytest.approx(kappa(one, other))
