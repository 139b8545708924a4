"""Simulated judges: opinions follow quality, ranks and scores follow opinions."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.management.demo.simulation import SimulatedJudge, opinions, quality, to_ranks, to_scores

EXACT = SimulatedJudge("Ada", noise=0, tie_width=0)
GENEROUS = SimulatedJudge("Ben", noise=0, tie_width=0.1)

sentence = st.lists(st.sampled_from(["a", "cat", "sat", "."]), max_size=6).map(" ".join)
# Sixteenths, so that differences are exact.
thoughts = st.lists(st.integers(-16, 32).map(lambda sixteenths: sixteenths / 16), max_size=12)


@pytest.mark.parametrize(
    ("text", "references", "expected"),
    [
        ("A cat sat .", ["Cats sat .", "A cat sat ."], 1),
        ("dogs ran", ["A cat sat ."], 0),
        ("A dog sat down", ["A cat sat ."], 0.5),  # half of the words
    ],
)
def test_quality_is_what_a_text_shares_with_its_nearest_reference(text, references, expected):
    assert quality(text, references) == expected
    assert quality("A cat", ["A cat sat .", "dogs"]) == quality("A cat", ["A cat sat ."])


def test_a_judge_adds_merit_and_noise_of_the_chosen_size_to_quality():
    assert opinions(EXACT, ["A cat", "dogs"], [0.25, 0.5], ["A cat"], random.Random(1)) == [1.25, 0.5]
    noisy = SimulatedJudge("Cy", noise=0.2, tie_width=0)
    thought = opinions(noisy, ["A cat"] * 4000, [0] * 4000, ["A cat"], random.Random(7))
    mean = sum(thought) / len(thought)
    spread = (sum((one - mean) ** 2 for one in thought) / len(thought)) ** 0.5
    assert mean == pytest.approx(1, abs=0.02)
    assert spread == pytest.approx(0.2, abs=0.02)


@pytest.mark.parametrize(
    ("judge", "thought", "ranks"),
    [
        (EXACT, [0.2, 0.9, 0.5], [3, 1, 2]),
        (GENEROUS, [0.95, 1.0, 0.5], [1, 1, 2]),  # nearly the same
        (SimulatedJudge("Cy", noise=0, tie_width=0.25), [1.0, 0.75, 0.5], [1, 1, 2]),  # exactly at the threshold
        (GENEROUS, [1.0, 0.93, 0.86], [1, 1, 2]),  # a tie is measured from its best, so that ties do not chain
    ],
)
def test_ranks_begin_at_one_with_the_best_and_near_opinions_tie(judge, thought, ranks):
    assert to_ranks(judge, thought) == ranks


def test_scores_run_from_garbled_to_perfect():
    assert to_scores([-1.0, 0.5, 0.75, 1.0, 1.7]) == [0, 0, 50, 100, 100]


@given(sentence, st.lists(sentence, min_size=1, max_size=4))
def test_quality_lies_between_none_and_all(text, references):
    assert 0 <= quality(text, references) <= 1
    assert quality(text, [*references, text]) == 1


@given(st.lists(sentence, max_size=6), st.integers())
def test_the_same_seed_has_the_same_opinions(texts, seed):
    judge = SimulatedJudge("Ada", noise=0.3, tie_width=0)
    first, second = (opinions(judge, texts, [0] * len(texts), ["a cat"], random.Random(seed)) for _ in range(2))
    assert first == second
    assert len(first) == len(texts)


@given(thoughts, st.sampled_from([EXACT, GENEROUS]))
def test_ranks_have_no_gap_and_never_contradict_the_opinions(thought, judge):
    ranks = to_ranks(judge, thought)
    assert sorted(set(ranks)) == list(range(1, len(set(ranks)) + 1))
    for one, its_rank in zip(thought, ranks, strict=True):
        for other, other_rank in zip(thought, ranks, strict=True):
            if one > other:
                assert its_rank <= other_rank
            if its_rank == other_rank:
                assert abs(one - other) <= judge.tie_width


@given(thoughts, st.randoms(use_true_random=False))
def test_a_rank_does_not_depend_on_the_order_shown(thought, rng):
    order = rng.sample(range(len(thought)), len(thought))
    assert to_ranks(GENEROUS, [thought[place] for place in order]) == [to_ranks(GENEROUS, thought)[p] for p in order]


@given(thoughts)
def test_a_better_opinion_never_scores_less(thought):
    scores = to_scores(sorted(thought))
    assert scores == sorted(scores)
    assert all(0 <= score <= 100 for score in scores)
