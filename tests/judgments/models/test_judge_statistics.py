"""Intervals of shares against the toy, a published value and what must always hold."""

import pytest

from judgments.models.judge_statistics import wilson


def test_the_toy_and_the_published_value():
    """Newcombe (1998), table I, method 3: 81 of 263 and 15 of 148."""
    assert wilson(8, 10) == pytest.approx((0.490, 0.943), abs=0.001)
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=0.0001)
    assert wilson(15, 148) == pytest.approx((0.0624, 0.1605), abs=0.0001)
    assert wilson(0, 0) is None, "nothing seen says nothing"


@pytest.mark.parametrize(("passed", "seen"), [(0, 1), (1, 1), (0, 20), (20, 20), (3, 7)])
def test_the_share_lies_within_and_the_ends_are_shares(passed, seen):
    low, high = wilson(passed, seen)
    assert 0 <= low <= passed / seen <= high <= 1
    assert wilson(seen - passed, seen) == pytest.approx((1 - high, 1 - low))
