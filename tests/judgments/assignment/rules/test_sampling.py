"""Sampling: the distribution of Grundkiewicz et al. (2015), by hand, by counting every subset, and as published."""

import random
from collections import Counter
from itertools import combinations, islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgments.assignment.rules.sampling import (
    CHANCE,
    DISTINCT,
    PUBLISHED,
    chances,
    chances_by,
    diversity,
    draws,
    rounds,
    ways_to_cover,
    weights,
)
from tests import published

outputs_of_a_sentence = st.lists(st.integers(1, 4), min_size=1, max_size=8)
comparable = outputs_of_a_sentence.filter(lambda of: sum(of) > 1)
screen_size = st.integers(2, 7)


def probabilities(sentences, size: int) -> list[float]:
    unscaled = chances(sentences, size)
    return [weight / sum(unscaled) for weight in unscaled]


def subsets(multiplicities: list[int], size: int):
    """Every set of 1 to `size` outputs, as the number of systems it stands for."""
    for chosen in range(1, size + 1):
        for subset in combinations(multiplicities, chosen):
            yield sum(subset)


def test_the_toy_of_the_definition():
    assert ways_to_cover([2, 1], 2) == [0, 1, 1, 1], "two equal outputs and another cover one, two or three systems"
    assert ways_to_cover([1, 1, 1], 2) == [0, 3, 3, 0], "equal multiplicities are different outputs"
    assert chances([[2, 1]], 2) == [pytest.approx(1 / (2.5 * 1.5 / 2), rel=1e-15)]


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        ([[13]], [10 / 78]),  # thirteen systems that agree are ten pairs of seventy-eight
        ([[1] * 13, [1] * 5], [1.0, 1.0]),  # where all differ
        ([[1, 1, 1]], [1.0]),  # fewer systems than places: judged by all of them
        ([[1], [], [1, 1]], [0.0, 0.0, 1.0]),  # one system alone cannot be compared
    ],
)
def test_chances_by_hand(sentences, expected):
    assert chances(sentences, 5) == pytest.approx(expected, rel=1e-15, abs=0)


def test_draws_follow_the_chances():
    drawn = Counter(islice(draws([0.0, 1.0, 0.0, 2.0, 5.0, 0.0], random.Random(5)), 8000))
    assert {place: round(times, -3) for place, times in drawn.items()} == {1: 1000, 3: 2000, 4: 5000}


def test_ways_of_choosing_have_their_own_chances():
    material = [[2, 1], [1, 1, 1], [3], [1]]
    assert chances_by(CHANCE, material, 2) == [1, 1, 1, 0]
    assert chances_by(DISTINCT, material, 2) == [2, 3, 1, 0]
    assert chances_by(PUBLISHED, material, 2) == chances(material, 2)


def test_diversity_is_the_mean_distance_of_the_outputs_of_two_systems():
    """By hand: "a b" and "a c" share one of three parts each, and of three pairs of systems two differ."""
    assert diversity(["a b", "a c"], [2, 1]) == pytest.approx(2 / 3 * 2 / 3)
    assert diversity(["a b"], [3]) == 0
    assert diversity(["a b", "b a"], [1, 1]) < diversity(["a b", "c d"], [1, 1]) == 1


def test_in_rounds_each_comes_once_before_any_comes_again():
    drawn = list(islice(rounds([3, 5, 8], random.Random(1)), 9))
    assert [sorted(drawn[at : at + 3]) for at in (0, 3, 6)] == [[3, 5, 8]] * 3
    assert list(rounds([], random.Random(1))) == []


def test_what_is_drawn_less_often_counts_more():
    assert weights([3.0, 1.0, 0.0]) == [pytest.approx(2 / 3), 2, 0]
    assert weights([]) == []


@given(outputs_of_a_sentence, st.integers(1, 9))
def test_the_dynamic_programme_counts_what_listing_every_subset_counts(multiplicities, size):
    listed = Counter(subsets(multiplicities, size))
    assert ways_to_cover(multiplicities, size) == [listed[covered] for covered in range(sum(multiplicities) + 1)]


@given(comparable, screen_size)
def test_a_chance_is_the_formula_over_every_subset(multiplicities, size):
    size = min(size, sum(multiplicities))
    covers = [covered for covered in subsets(multiplicities, size) if covered >= size]
    cover = sum(covers) / len(covers)
    assert chances([multiplicities], size) == [pytest.approx(size * (size - 1) / (cover * (cover - 1)), rel=1e-12)]


@pytest.mark.wide
@given(st.lists(comparable, min_size=1, max_size=10), screen_size, st.randoms(use_true_random=False))
def test_a_sentence_is_as_likely_wherever_it_stands(sentences, size, rng):
    order = rng.sample(range(len(sentences)), len(sentences))
    moved = probabilities([sentences[place] for place in order], size)
    stayed = probabilities(sentences, size)
    assert moved == [pytest.approx(stayed[place], rel=1e-12) for place in order]


@given(st.lists(st.floats(0.001, 10), min_size=1, max_size=20), st.integers())
@settings(max_examples=30)
def test_the_same_seed_draws_the_same(unscaled, seed):
    first, second = (list(islice(draws(unscaled, random.Random(seed)), 50)) for _ in range(2))
    assert first == second
    assert all(0 <= place < len(unscaled) for place in first)


def test_published_sentences_have_as_many_distinct_outputs_as_counted_by_the_authors():
    golden = published.golden()["sampling"]
    distinct = [len(of) for of in published.multiplicities_of_sentences()]
    assert len(distinct) == golden["n"]
    assert sum(distinct) / len(distinct) == pytest.approx(golden["mean_unique"], rel=1e-12)
    assert Counter(distinct) == {int(number): count for number, count in golden["unique_hist"].items()}
    assert {sum(of) for of in published.multiplicities_of_sentences()} == {golden["N"]}


def test_published_probabilities_are_those_of_the_authors_program():
    golden = published.golden()["sampling"]
    found = probabilities(published.multiplicities_of_sentences(), golden["M"])
    assert found[: len(golden["p"])] == [pytest.approx(chance, rel=1e-12) for chance in golden["p"]]
    wanted = (golden["p_min"], golden["p_max"], 1 / golden["n"])
    assert (min(found), max(found), sum(found) / len(found)) == pytest.approx(wanted, rel=1e-12)
    unscaled = chances(published.multiplicities_of_sentences(), golden["M"])
    assert sum(unscaled) == pytest.approx(golden["sum_p_prime"], rel=1e-12)
