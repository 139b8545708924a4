"""Simulated judges: opinions follow quality, ranks and scores follow opinions."""

import random

import pytest

from judgments.management.demo.simulation import SimulatedJudge, opinions, quality, to_ranks, to_scores

EXACT = SimulatedJudge("Ada", noise=0, tie_width=0)
GENEROUS = SimulatedJudge("Ben", noise=0, tie_width=0.1)


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
