"""Facts about a report in words."""

import pytest

from ranking.reports.answers import describe_excluded


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
