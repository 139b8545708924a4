"""What there was to judge, when it was judged, and systems head to head, by hand."""

import numpy as np
import pytest

from ranking.stats.analysis import Day
from ranking.stats.comparisons import SECTIONS
from ranking.stats.comparisons.compared import distinct_outputs, head_to_head
from ranking.stats.rankings.pair_tests import holm, sentence_tests
from tests.ranking.stats.comparisons.sections.cast import QUICK, made, study

judgments_over_time = SECTIONS["judgments over time"]


def test_outputs_are_counted_by_sentence_and_judgments_by_day():
    """One sentence with one output, two with three, none with two."""
    tables, _ = made(distinct_outputs, study(distinct=np.array([3, 1, 3])))
    assert tables["distinct_outputs"].rows == ((1, 1, 0.333333333333), (2, 0, 0.0), (3, 2, 0.666666666667))
    days = (Day("2015-09-17", 5, 2), Day("2015-09-18", 4, 1))
    tables, _ = made(judgments_over_time, study(days=days))
    assert tables["judgments_over_time"].rows == (("2015-09-17", 5, 2), ("2015-09-18", 4, 1))
    assert made(distinct_outputs, study()) == made(judgments_over_time, study()) == ({}, {})


def test_p_values_of_head_to_head_are_those_of_sentences_corrected_for_the_number_of_pairs():
    """On 11 of 12 sentences both judges agree, and on the other one the two are even: 2 / 2^11, times 6 pairs."""
    of = study(QUICK)
    p_values = sentence_tests(of.ballots)[np.triu_indices(of.ballots.systems, 1)]
    found = made(head_to_head, of)[0]["head_to_head"].column("p_value")
    assert found == pytest.approx([6 * 2 / 2**11] * 12)
    assert set(found) == set(holm(p_values.tolist()).tolist())
    assert set(made(head_to_head, study(QUICK.with_changes(test="sign")))[0]["head_to_head"].column("p_value")) != set(
        found
    )
