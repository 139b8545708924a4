"""Made judgments: like the published ones, the same for the same seed, and counted alike by either way."""

import numpy as np
import pytest

from benchmarks.ballots import ON_A_SCREEN, Shape, made_ballots
from benchmarks.replicates import comparisons_by_sentence, count_once, expected_wins_one_by_one
from ranking.stats.rankings.expected_wins import expected_wins_as_published
from ranking.stats.tally import Counts, count_by_judge, tally


def test_made_judgments_are_like_the_published_ones():
    made = made_ballots(Shape())
    counts = sum(count_by_judge(made), Counts())
    assert (counts.ballots, made.systems, made.judges) == (2319, 13, 8)
    assert counts.expanded == pytest.approx(109_098, rel=0.05)
    assert counts.expanded_ties - counts.shared == pytest.approx(16_822, rel=0.2)
    assert counts.shared == pytest.approx(42_295, rel=0.25)


@pytest.mark.parametrize("collapsed", [True, False])
def test_a_screen_shows_different_candidates_of_its_sentence(collapsed):
    made = made_ballots(Shape(300, 9, 4, collapsed))
    sentences: dict[int, set[int]] = {}
    for sentence, start, end in zip(made.segment, made.starts[:-1], made.starts[1:], strict=True):
        shown = made.candidate[start:end].tolist()
        assert len(set(shown)) == len(shown) <= ON_A_SCREEN
        sentences.setdefault(int(sentence), set()).update(shown)
    assert sum(map(len, sentences.values())) == len(set().union(*sentences.values()))
    sizes = made.candidates.sizes
    assert sizes.max() > 1 if collapsed else (sizes == 1).all()
    assert sizes.sum() == 9 * made.segments


def test_counting_one_by_one_finds_what_the_tally_counts():
    made = made_ballots(Shape(rankings=100))
    comparisons = [each for part in comparisons_by_sentence(made) for each in part]
    counted = tally(made)
    assert len(comparisons) == np.triu(counted.compared).sum()
    assert np.allclose(expected_wins_one_by_one(comparisons, made.systems), expected_wins_as_published(counted))
    assert count_once(made).seconds > 0
