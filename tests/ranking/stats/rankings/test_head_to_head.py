"""Head to head: by hand, by another program, and as published."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from ranking.stats.comparisons.compared import head_to_head
from ranking.stats.comparisons.study import PRESETS, ComparisonStudy, Names
from ranking.stats.rankings.pair_tests import holm, sentence_tests, sign_tests
from ranking.stats.tally import tally
from tests import published
from tests.ranking.stats.ballots import ballot, columns, published_columns


def test_signs_of_comparisons_and_of_sentences_by_hand():
    ballots = [ballot(("A", 1), ("B", 2))] * 3 + [ballot(("B", 1), ("A", 2)), ballot(("AB", 1))]
    assert sign_tests(tally(columns(ballots, 2)))[0, 1] == pytest.approx(0.625)
    often = [ballot(("A", 1), ("B", 2), segment=0)] * 9 + [ballot(("B", 1), ("A", 2), segment=1)]
    assert sentence_tests(columns(often, 2))[0, 1] == 1
    # More sentences than are looked at together.
    ballots = columns([ballot(("A", 1), ("B", 2), segment=n) for n in range(300)], 2)
    assert sentence_tests(ballots)[0, 1] == pytest.approx(2 * 0.5**300)


def test_holm_as_in_his_paper():
    assert holm([0.01, 0.04, 0.03]).tolist() == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]).tolist() == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_corrected_values_keep_their_order_and_never_fall(given_values):
    corrected = holm(given_values)
    assert (corrected >= np.array(given_values) - 1e-12).all()
    assert corrected.max() <= 1
    order = np.argsort(given_values, kind="stable")
    assert (np.diff(corrected[order]) >= -1e-12).all()


@given(st.integers(0, 40), st.integers(0, 40))
def test_p_values_are_those_of_scipy_with_at_least_a_win_for_each(wins, losses):
    ballots = [ballot(("A", 1), ("B", 2))] * wins + [ballot(("B", 1), ("A", 2))] * losses
    found = sign_tests(tally(columns(ballots, 2)))
    expected = binomtest(max(wins, 1), max(wins, 1) + max(losses, 1)).pvalue
    assert found[0, 1] == found[1, 0] == pytest.approx(expected, rel=1e-9)


def test_the_published_table_3d():
    golden = published.golden()
    names = Names(tuple(golden["systems"]), tuple(golden["judges"]))
    (table,) = head_to_head(ComparisonStudy(published_columns(), names, PRESETS["grundkiewicz2015"]))
    assert len(table.rows) == len(golden["head2head"]) == 156
    for line in table.dicts():
        row = golden["head2head"][f"{line['opponent']}|{line['system']}"]
        mark = next((mark for most, mark in ((0.01, "‡"), (0.05, "†"), (0.1, "*")) if line["p_value"] <= most), "")
        assert (line["wins"], line["wins"] + line["losses"], mark) == (row["wins"], row["total"], row["mark"])
        assert line["share"] == pytest.approx(row["share"], rel=1e-12)
        assert line["p_value"] == pytest.approx(row["p"], rel=1e-9)
