"""What there was to judge and when it was judged, by hand and as published."""

import numpy as np

from ranking.stats.analysis import Day
from ranking.stats.comparisons import COMPARISONS
from ranking.stats.comparisons.sections.compared import distinct_outputs
from tests.ranking.stats.comparisons.sections.cast import made, study

judgments_over_time = COMPARISONS.sections["judgments over time"]


def test_sentences_are_counted_by_their_distinct_outputs():
    """One sentence with one output, two with three, none with two."""
    tables, _ = made(distinct_outputs, study(distinct=np.array([3, 1, 3])))
    assert tables["distinct_outputs"].rows == ((1, 1, 0.333333333333), (2, 0, 0.0), (3, 2, 0.666666666667))


def test_judgments_are_counted_by_day():
    days = (Day("2015-09-18", 0, 4), Day("2015-09-17", 0, 3), Day("2015-09-17", 1, 2))
    tables, _ = made(judgments_over_time, study(days=days))
    assert tables["judgments_over_time"].rows == (("2015-09-17", 5, 2), ("2015-09-18", 4, 1))


def test_what_is_not_known_makes_no_table():
    assert made(distinct_outputs, study()) == made(judgments_over_time, study()) == ({}, {})
