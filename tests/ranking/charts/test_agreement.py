"""Judges: their agreement, and how much each compared."""

from dataclasses import replace

import pytest

from ranking.charts.agreement import agreement, comparison_counts
from tests.ranking.charts.cast import change_rows, marks, tables, texts


def test_every_judge_is_named_once_beside_the_diagonal():
    (chart,) = agreement(tables())
    assert texts(chart, "name") == ["ada", "ben", "eve"]
    # Three with all others, three with themselves, three pairs.
    assert len(marks(chart, "rect", "cell")) == 9
    assert texts(chart).count(".35") == 3
    assert texts(chart).count(".25 to .45") == 3
    (chart,) = agreement(tables(judges=("everybody", "the rest")))
    assert texts(chart, "name") == ["everybody", "the rest"]
    made = change_rows(tables(), "agreement", lambda row: [*row[:7], 3, False] if row[0] == "intra" else row)
    (chart,) = agreement(made)
    assert texts(chart).count(".55*") == 3
    assert (
        "A star marks 3 kappas from fewer than 50 comparisons; they are left out of the overall values."
        in chart.sentence
    )
    made = tables()
    rows = tuple(row for row in made["agreement"].rows if row[:3] != ("inter", "ada", "eve"))
    (chart,) = agreement(made | {"agreement": replace(made["agreement"], rows=rows)})
    assert len(marks(chart, "rect", "cell void")) == 1
    assert texts(chart).count(".35") == 2


def test_the_sentence_on_agreement_names_the_extremes():
    made = change_rows(
        tables(), "agreement", lambda row: [*row[:4], 0.6, *row[5:]] if row[1:3] == ["ben", "eve"] else row
    )
    (chart,) = agreement(made)
    assert chart.sentence.startswith("Judges agree with each other at a kappa of 0.35 (0.25 to 0.45).")
    assert "highest between ben and eve (0.60) and lowest between ada and ben (0.35)." in chart.sentence
    made = tables()
    rows = tuple(row for row in made["agreement"].rows if str(row[0]).startswith("overall"))
    (chart,) = agreement({"agreement": replace(made["agreement"], rows=rows)})
    assert not chart.svg
    assert chart.sentence.startswith("Judges agree with each other")
    assert "matrix" not in chart.sentence


def test_bars_are_as_long_as_there_were_comparisons():
    (chart,) = comparison_counts(tables())
    bars = marks(chart, "rect", "bar")
    decided, tied = bars[::2], bars[1::2]
    lengths = [one["width"] + other["width"] for one, other in zip(decided, tied, strict=True)]
    assert lengths == sorted(lengths)
    assert [bar["x"] for bar in tied] == pytest.approx([bar["x"] + bar["width"] for bar in decided], abs=0.11)
    assert [text for text in texts(chart) if "tied" in text][1:] == ["40, 5 tied", "41, 5 tied", "42, 5 tied"]
    assert chart.sentence == (
        "3 judges compared 123 pairs of outputs, 15 of them as ties: most by eve (42), fewest by ada (40)."
    )
