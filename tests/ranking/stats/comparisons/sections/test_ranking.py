"""Pairs of systems: how certain each order is, and which pairs are separated."""

import pytest

from ranking.stats.comparisons.sections.ranking import head_to_head, pairs
from ranking.stats.rankings.head_to_head import holm, sentence_tests
from tests.ranking.stats.comparisons.sections.cast import QUICK, made, study


def test_every_pair_stands_once_with_the_better_system_first():
    (table,) = made(pairs, study())[0].values()
    assert [(row["system"], row["opponent"]) for row in table.dicts()] == [
        ("A", "B"), ("A", "C"), ("A", "D"), ("B", "C"), ("B", "D"), ("C", "D")
    ]  # fmt: skip
    assert all(row["p_beats"] == 1 for row in table.dicts())


def test_pairs_are_resolved_by_corrected_p_values_at_the_level():
    """On 11 of 12 sentences both judges agree, and on the other one the two are even: 2 / 2^11, times 6 pairs."""
    (table,) = made(pairs, study())[0].values()
    assert table.column("p_value") == pytest.approx([6 * 2 / 2**11] * 6)
    assert {row["resolved"] for row in table.dicts()} == {True}
    (strict,) = made(pairs, study(QUICK.changed(level=0.999)))[0].values()
    assert {row["resolved"] for row in strict.dicts()} == {False}


def test_the_p_values_are_those_of_head_to_head_by_sentences():
    of = study(QUICK.changed(test="sign"))
    tests = [one for one in sentence_tests(of.ballots, of.counted) if one.system < one.opponent]
    (table,) = made(pairs, of)[0].values()
    assert sorted(table.column("p_value")) == pytest.approx(sorted(holm([one.p_value for one in tests])))
    assert set(made(head_to_head, of)[0]["head_to_head"].column("p_value")) != set(table.column("p_value"))


def test_every_method_that_can_rank_has_its_pairs():
    chosen = QUICK.changed(methods=("expected-wins", "z-score", "bradley-terry"))
    (table,) = made(pairs, study(chosen))[0].values()
    assert set(table.column("method")) == {"expected-wins", "bradley-terry"}
