"""How few judges, sentences or judgments decide the first place."""

from dataclasses import replace

import numpy as np
import pytest

from ranking.numbers.tables import StatisticsError
from ranking.stats.comparisons.leave_out import fragility
from ranking.stats.comparisons.study import PERCENTILE, ComparisonStudy, Names
from ranking.stats.tally import tally
from tests.ranking.stats.ballots import ballot, columns
from tests.ranking.stats.comparisons.sections.cast import QUICK, made, published_study

# So few sentences would place nobody otherwise.
AS_DRAWN = QUICK.with_changes(intervals=PERCENTILE)


def judged(winners: str, judges: str = "") -> ComparisonStudy:
    """A sentence each, on which A or B wins."""
    ballots = [
        ballot((winner, 1), ("B" if winner == "A" else "A", 2), segment=at, judge=int(judge))
        for at, (winner, judge) in enumerate(zip(winners, judges or "0" * len(winners), strict=True))
    ]
    return ComparisonStudy(columns(ballots, 2, 2), Names(("A", "B"), ("ada", "ben")), AS_DRAWN)


def lines_of(study: ComparisonStudy) -> dict[str, tuple]:
    return {row[0]: row[1:] for row in made(fragility, study)[0]["fragility"].rows}


def test_by_hand_two_of_five_sentences_decide():
    found = lines_of(judged("AAABB"))
    assert found["sentence"] == found["ranking"] == (2, 5, "B")
    assert "judge" not in found, "there is only one"
    assert lines_of(judged("AAABB", "00011"))["judge"] == (1, 2, "B")


def test_a_winner_whom_nobody_ever_beat_stays():
    assert lines_of(judged("AAAA", "0011")) == {unit: (None, of, None) for unit, of in
                                                  {"judge": 2, "sentence": 4, "ranking": 4}.items()}  # fmt: skip


def test_a_place_that_nobody_has_alone_cannot_be_lost():
    assert made(fragility, judged("AABB")) == ({}, {})
    few = judged("AAABB")
    assert made(fragility, replace(few, parameters=QUICK)) == ({}, {}), "five sentences place nobody"


def test_the_published_winner_loses_without_so_few_and_keeps_with_one_less_of_the_same():
    study = published_study()
    removed, of, winner = lines_of(study)["sentence"]
    assert 1 < removed < 40 < of
    assert winner in study.names.systems
    scores = study.scores(study.methods[0])
    assert study.names.systems[int(np.argmax(scores))] == "AMU" != winner
    assert study.ballots.judged.sum() == of == 662, "one sentence was only skipped"
    assert tally(study.ballots).systems == 13


def test_methods_that_need_more_than_counts_are_refused():
    study = published_study(QUICK.with_changes(methods=("hierarchical",)))
    with pytest.raises(StatisticsError, match="needs more than counts"):
        list(fragility(study))
