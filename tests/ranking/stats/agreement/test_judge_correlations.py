"""Correlations between judges: by hand, against scipy, and as Table 6 prints them."""

import re

import numpy as np
import pytest

from ranking.numbers.intervals import interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.agreement.judge_correlations import (
    JudgeCorrelation,
    average_with_rest,
    judge_correlation_intervals,
    judge_correlations,
)
from ranking.stats.agreement.meetings import REST
from ranking.stats.ballots import Ballots
from tests.ranking.stats.ballots import Ballot, ballot, columns, published_columns, really_drawn
from tests.shared_data import shared

JUDGES = 8


def three_of_four(better: str, worse: str, judge: int) -> list[Ballot]:
    lost = ballot((worse, 1), (better, 2), judge=judge)
    return [*[ballot((better, 1), (worse, 2), judge=judge)] * 3, lost]


def prefers(order: str, judge: int) -> list[Ballot]:
    first, second, third = order
    pairs = ((first, second), (first, third), (second, third))
    return [one for better, worse in pairs for one in three_of_four(better, worse, judge)]


def by_sides(ballots: Ballots) -> dict[tuple[int, int], JudgeCorrelation]:
    return {(each.judge, each.other): each for each in judge_correlations(ballots)}


def test_the_toy_of_the_definition_and_an_average_weighted_by_expanded_comparisons():
    found = by_sides(columns(prefers("ABC", 0) + prefers("ACB", 1), 3, 2))
    assert found.keys() == {(0, 1), (0, REST), (1, REST)}
    for each in found.values():
        assert (each.spearman, each.pearson) == (pytest.approx(0.5), pytest.approx(0.5))
    ballots = columns(prefers("ABC", 0) + prefers("ACB", 1) * 2 + [ballot(("ABC", 1), judge=1)], 3, 2)
    correlations = [JudgeCorrelation(0, REST, 1.0, 0.5), JudgeCorrelation(1, REST, 0.0, 0.0)]
    assert average_with_rest(ballots, correlations) == JudgeCorrelation(
        REST, REST, pytest.approx(12 / 39), pytest.approx(6 / 39)
    )


def test_judges_with_too_little_in_common_are_left_out_or_refused():
    few = [ballot(("A", 1), ("B", 2), judge=2), ballot(("B", 1), ("A", 2), judge=2)]
    assert by_sides(columns(prefers("ABC", 0) + prefers("ACB", 1) + few, 3, 3)).keys() == {(0, 1), (0, REST), (1, REST)}
    with pytest.raises(StatisticsError, match="No two judges have different scores"):
        judge_correlations(columns(prefers("ABC", 0), 3, 2))
    with pytest.raises(StatisticsError, match="at least two judges"):
        average_with_rest(columns([], 3, 2), [])


def printed_table() -> dict[str, list[str]]:
    """The cells of each printed row of Table 6 by its first one."""
    lines = shared("papers/grundkiewicz2015.txt").read_text(encoding="utf-8").split("\n")
    end = next(number for number, line in enumerate(lines) if line.startswith("Table 6:"))
    rows = [line.split("\t") for line in lines[end - 13 : end] if line.count("\t") > 8]
    return {first: cells for first, *cells in rows}


def test_the_correlations_and_their_averages_are_those_of_table_6():
    """The text of the paper has lost row 4 but for one number; everything else is there."""
    rows, found = printed_table(), by_sides(published_columns())
    checked = 0
    for judge in range(JUDGES):
        row = rows.get(str(judge + 1)) or rows[""]
        for other in range(JUDGES):
            if judge != other and row[other].strip():
                each = found[min(judge, other), max(judge, other)]
                assert f"{each.spearman if judge < other else each.pearson:.2f}"[1:] == row[other].strip()
                checked += 1
        if row is not rows.get(""):
            assert f"{found[judge, REST].spearman:.2f}"[1:] == row[JUDGES].strip()
        assert f"{found[judge, REST].pearson:.2f}"[1:] == rows[r"$\overline{r}$"][judge].strip()
    assert checked == JUDGES * (JUDGES - 1) - 6
    # Printed as .72 and .80; the text of the paper has them as 72 and, torn apart, as 8. and 80.
    rows, ballots = printed_table(), published_columns()
    average = average_with_rest(ballots, judge_correlations(ballots))
    assert f"{average.spearman:.2f}"[2:] == re.sub(r"\D", "", rows["5"][-1])
    assert f"{average.pearson:.2f}"[2:] == rows[r"$\bar{r}$"][4].strip()


def test_an_interval_is_that_of_sentences_really_drawn():
    found = judge_correlation_intervals(of := published_columns(), judge_correlations(of), 5, seed=3, level=0.5)
    drawn = list(map(by_sides, really_drawn(5, seed=3)))
    for each, of_rho, of_r in found:
        again = [one[each.judge, each.other] for one in drawn]
        spearman, pearson = np.array([(one.spearman, one.pearson) for one in again]).T
        assert of_rho == pytest.approx(interval_of(spearman, 0.5))
        assert of_r == pytest.approx(interval_of(pearson, 0.5))
