"""The equations of the mixed model, by hand; in replicates they are tested with the model."""

import pytest

from ranking.stats.rankings.mixed_model import design_of, effects_of_systems, equations, without_sentences
from tests.ranking.stats.ballots import columns, rating


def test_a_system_that_missed_an_easy_sentence_is_credited_for_it():
    """The toy of the guide: the share 1.5 / 2.5 of what A's other sentence gave it."""
    ballots = [rating(0, 0, ("A", 3), ("B", 1)), rating(0, 1, ("A", 0), ("B", 0)), rating(0, 2, ("A", 6))]
    design = design_of(columns(ballots, 2, 1))
    found = design.means + effects_of_systems(equations(design, design.once), 0, 1.5)
    assert found.tolist() == pytest.approx([3, 0.5 + 0.6 * 1.5])
    design = design_of(columns([rating(0, 0, ("A", 1), ("B", 0))], 2, 1))
    products, *_ = without_sentences(equations(design, design.once), 1)
    assert products[0].tolist() == pytest.approx([2 / 3, -1 / 3, 1 / 3])
