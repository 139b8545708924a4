"""Mixtures of two systems: how many, of what, and what people say of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.metrics.hybrids import means, mix_systems


def test_six_systems_make_675_mixtures_and_one_none():
    hybrids = mix_systems(6, 100, seed=1)
    assert len(hybrids) == 675
    assert sorted(set(hybrids.is_first.sum(axis=1).tolist())) == [10, 20, 30, 40, 50, 60, 70, 80, 90]
    assert (mix_systems(3, 30, 5).is_first == mix_systems(3, 30, 5).is_first).all()
    assert (mix_systems(3, 30, 5).is_first != mix_systems(3, 30, 6).is_first).any()
    assert len(mix_systems(1, 10, 1)) == 0
    assert means(np.array([[1.0, np.nan, 3.0], [np.nan] * 3])).tolist() == [2.0, pytest.approx(0)]


@given(st.integers(2, 5), st.integers(1, 40), st.integers(0, 2**31 - 1))
def test_every_sentence_is_that_of_one_of_the_two(systems, sentences, seed):
    hybrids = mix_systems(systems, sentences, seed)
    values = np.arange(systems)[:, None] * 1000 + np.arange(sentences)
    chosen = hybrids.choose(values)
    assert (chosen % 1000 == np.arange(sentences)).all()
    first, second = hybrids.pairs.T
    assert ((chosen // 1000 == first[:, None]) == hybrids.is_first).all()
    assert (np.where(hybrids.is_first, second[:, None], chosen // 1000) == second[:, None]).all()
