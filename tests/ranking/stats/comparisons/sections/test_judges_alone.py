"""Every judge alone: as in Table 7 of the paper, and what a judge with few judgments may say."""

import re

import pytest

from ranking.stats.comparisons.standings import standings_by_judge
from ranking.stats.comparisons.study import PRESETS, ComparisonStudy, Names
from tests.ranking.stats.ballots import ballot, columns
from tests.ranking.stats.comparisons.sections.cast import QUICK, made, published_study, study
from tests.shared_data import shared

SYSTEMS, JUDGES = 13, 8


def printed() -> list[list[float]]:
    """The scores of Table 7, best first, for each judge: three judges stand side by side."""
    before, _, _ = shared("papers/grundkiewicz2015.txt").read_text(encoding="utf-8").partition("Table 7: Rankings")
    rows = [found for line in before.splitlines()[-50:] if (found := re.findall(r"\b0\.\d{3}", line))]
    blocks = [rows[at : at + SYSTEMS] for at in range(0, len(rows), SYSTEMS)]
    return [list(map(float, column)) for block in blocks for column in zip(*block, strict=True)]


def test_the_published_scores_of_every_judge():
    of = published_study(PRESETS["grundkiewicz2015"].with_changes(methods=("expected-wins-published",)))
    rows = made(standings_by_judge, of)[0]["standings_by_judge"].dicts()
    found = [[row["score"] for row in rows if row["judge"] == judge] for judge in of.names.judges]
    assert len(found) == JUDGES
    for own, theirs in zip(found, printed(), strict=True):
        assert own == pytest.approx(theirs, abs=0.00051)
    last = [row for row in rows if row["rank_low"] == SYSTEMS]
    assert {row["system"] for row in last} == {"IPN"}
    assert len({row["judge"] for row in last}) == JUDGES


def test_judges_who_agree_rank_alike_and_one_of_few_sentences_places_nobody():
    rows = made(standings_by_judge, study())[0]["standings_by_judge"].dicts()
    assert [row["system"] for row in rows if row["judge"] == "ben"] == ["A", "B", "C", "D"]
    assert {row["rank_low"] for row in rows if row["system"] == "A"} == {1}
    ballots = [ballot(("A", 1), ("B", 2), ("C", 3), judge=0, segment=segment) for segment in range(3)]
    ballots.append(ballot(("A", 1), ("B", 2), judge=1, segment=3))
    tables, gaps = made(
        standings_by_judge, ComparisonStudy(columns(ballots, 3), Names(("A", "B", "C"), ("ada", "ben")), QUICK)
    )
    rows = tables["standings_by_judge"].dicts()
    assert [(row["judge"], row["rank_low"], row["rank_high"], row["cluster"]) for row in rows] == [
        ("ada", 1, 3, None)
    ] * 3  # fmt: skip
    assert "never compared" in gaps["judges without a ranking of their own"]
