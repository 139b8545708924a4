"""Sides, the majority of the others, and disagreement, on toys checked by hand."""

from hypothesis import given
from hypothesis import strategies as st

from judgments.rules.majority import disagreement, questions_opposed, sides_of

PAIR = (1, 2)


def on_pair(*sides: int) -> list[dict[tuple[int, ...], int]]:
    return [{PAIR: side} for side in sides]


def test_sides_and_disagreement_are_counted_by_pairs():
    assert sides_of({2: -1.0, 1: -2.0, 3: -2.0}) == {(1, 2): -1, (1, 3): 0, (2, 3): 1}
    assert disagreement(on_pair(1, 1, -1)) == 2 / 3
    answers = [{(1, 2): side, (1, 3): 1} for side in (1, 1, -1)]
    assert disagreement(answers) == 1 / 3
    assert disagreement(on_pair(1, 0, 0)) == disagreement(on_pair(1)) == disagreement([]) == 0


def test_who_is_opposite_to_more_than_half_of_the_others_is_opposed():
    assert questions_opposed({PAIR: -1}, on_pair(1, 1, 0)) == {PAIR: 1}
    assert questions_opposed({PAIR: 1}, on_pair(-1, -1)) == {PAIR: -1}
    assert questions_opposed({PAIR: -1}, on_pair(1, 1, 0, -1)) == {}
    assert questions_opposed({PAIR: -1}, on_pair(1)) == {}
    assert questions_opposed({PAIR: 0}, on_pair(1, 1)) == {}
    assert questions_opposed({PAIR: -1}, on_pair(0, 0, 0)) == {}


@given(st.lists(st.sampled_from([-1, 0, 1]), min_size=2, max_size=9))
def test_disagreement_stays_the_same_when_the_pair_is_turned_round(sides):
    share = disagreement(on_pair(*sides))
    assert 0 <= share <= 1
    assert share == disagreement(on_pair(*(-side for side in sides)))


@given(st.lists(st.sampled_from([-1, 0, 1]), min_size=2, max_size=9), st.sampled_from([-1, 0, 1]))
def test_the_majority_never_opposes_both_sides(others, own):
    given_others = on_pair(*others)
    assert not (questions_opposed({PAIR: own}, given_others) and questions_opposed({PAIR: -own}, given_others))
