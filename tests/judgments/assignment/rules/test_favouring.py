"""Drawing screens in favour of some comparisons: the toy, known probabilities, and what they correct."""

import random
from collections import Counter
from itertools import count, cycle, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.assignment.rules.sampling import EVEN, FLOOR, Favour, draw_favoured

# Systems 0, 1 and 2 have the candidates 10, 11 and 12; the second sentence has only two.
BEHIND = {10: [0], 11: [1], 12: [2], 20: [0, 1], 21: [2]}
SENTENCES = [(10, 11, 12), (20, 21)]


def test_the_toy_of_the_definition():
    """Three candidates, of which two fit; a scale of 4 comes from another sentence."""
    gains = [[0, 3, 1], [3, 0, 0], [1, 0, 0]]
    favour = Favour(gains, BEHIND)
    sets = favour.sets((10, 11, 12), 2, random.Random(1))
    assert dict(sets) == {(10, 11): 3, (10, 12): 1, (11, 12): 0}
    assert favour.sets((20, 21), 2, random.Random(1)) == [((20, 21), 1)]


def draws(gains, number: int, seed: int = 1):
    favour = Favour(gains, BEHIND)
    return list(islice(draw_favoured(cycle(range(2)), SENTENCES, 2, favour, random.Random(seed)), number))


@pytest.mark.wide
def test_weights_make_all_screens_count_alike():
    """Every sentence is offered alike, so by weights each has half, shared evenly by its sets of candidates."""
    drawn = draws([[0, 9, 1], [9, 0, 0], [1, 0, 0]], 40_000)
    weighed: Counter[tuple] = Counter()
    times: Counter[tuple] = Counter()
    for _, candidates, weight in filter(None, drawn):
        weighed[tuple(sorted(candidates))] += weight
        times[tuple(sorted(candidates))] += 1
    assert weighed[20, 21] == pytest.approx(20_000, rel=0.05)
    for pair in ((10, 11), (10, 12), (11, 12)):
        assert weighed[pair] == pytest.approx(20_000 / 3, rel=0.08)
    assert times[10, 11] > 4 * times[10, 12] > 0
    assert times[11, 12] > 0, "what is worth nothing keeps its share"


@given(st.lists(st.floats(0, 100), min_size=3, max_size=3), st.integers(0, 99))
def test_no_judgment_counts_more_than_the_floor_allows(worth, seed):
    ab, ac, bc = worth
    for _, _, weight in filter(None, draws([[0, ab, ac], [ab, 0, bc], [ac, bc, 0]], 20, seed)):
        assert 0 < weight <= 1 / (FLOOR * EVEN) + 1e-9


@pytest.mark.wide
def test_of_many_sets_some_are_looked_at():
    """Twenty systems, five on a screen: the favoured pair is together on far more screens than by chance."""
    gains = [[0.0] * 20 for _ in range(20)]
    gains[3][7] = gains[7][3] = 1.0
    favour = Favour(gains, {number: [number] for number in range(20)})
    offered = draw_favoured((0 for _ in count()), [tuple(range(20))], 5, favour, random.Random(2))
    drawn = list(filter(None, islice(offered, 3000)))
    together = [weight for _, candidates, weight in drawn if {3, 7} <= set(candidates)]
    assert len(together) > 0.3 * len(drawn), "by chance 5 %"
    assert sum(together) / sum(weight for *_, weight in drawn) == pytest.approx(0.0526, abs=0.012)
