"""Sections around the ranking: head to head, pairs that nobody compared, accuracy."""

import pytest

from ranking.stats.comparisons.sections.compared import head_to_head
from ranking.stats.rankings.head_to_head import holm, sentence_tests
from tests.ranking.stats.comparisons.sections.cast import QUICK, made, study


def test_p_values_of_head_to_head_are_those_of_sentences_corrected_for_the_number_of_pairs():
    """On 11 of 12 sentences both judges agree, and on the other one the two are even: 2 / 2^11, times 6 pairs."""
    of = study(QUICK)
    tests = [one for one in sentence_tests(of.ballots, of.counted) if one.system < one.opponent]
    found = made(head_to_head, of)[0]["head_to_head"].column("p_value")
    assert found == pytest.approx([6 * 2 / 2**11] * 12)
    assert set(found) == set(holm([one.p_value for one in tests]).tolist())
    assert set(made(head_to_head, study(QUICK.changed(test="sign")))[0]["head_to_head"].column("p_value")) != set(found)
