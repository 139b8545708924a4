"""Facts about a report in words."""

import pytest

from ranking.numbers.tables import Table
from ranking.reports.answers import describe_doubted, describe_excluded, first_of
from ranking.stats.comparisons.leave_out import LEAVE_OUT


@pytest.mark.parametrize(
    ("by_rule", "by_hand", "said"),
    [
        (0, 0, ""),
        (1, 0, "1 of 4 judges was excluded by the rule."),
        (0, 2, "2 of 5 judges were excluded by the organisers."),
        (2, 1, "3 of 6 judges were excluded, 2 by the rule and 1 by the organisers."),
    ],
)
def test_excluded_judges_are_counted_beside_all(by_rule, by_hand, said):
    assert describe_excluded({"by_rule": by_rule, "by_hand": by_hand}, 3) == said


def test_what_is_left_out_of_a_list_is_in_a_table():
    assert first_of("pairs", list("ABCDE")) == tuple("ABCDE")
    assert first_of("pairs", list("ABCDEFG")) == (*"ABCDE", "For 2 more pairs see pairs.csv.")


def test_what_changes_without_a_judge_who_needs_a_look():
    lines = [
        ("judge", "ada", 1, 1, 0, "A", "A"),
        ("judge", "ben", 1, 1, 2, "C", "B"),
        ("system", "ben", 1, 1, 2, "C", "C"),
    ]
    tables = {
        "counts": Table.of("counts", ("what", "number"), [("judges", 3)]),
        "standings": Table.of("standings", ("system",), [("A",), ("B",), ("C",)]),
        "leave_out": Table.of("leave_out", LEAVE_OUT, lines),
    }
    assert describe_doubted(tables, set()) == ""
    assert describe_doubted(tables, {"ada"}) == (
        "1 of 3 judges needs a look. Without ada, A still leads, and no system moves."
    )
    assert describe_doubted(tables, {"ben", "eve"}) == (
        "2 of 3 judges need a look. Without ben, B leads instead of A, and C loses 2 ranks."
    )
