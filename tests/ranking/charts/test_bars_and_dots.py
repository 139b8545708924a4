"""Comparisons by judge, accuracy, and the parts all charts are made of."""

import pytest

from judgments.web.charts.drawing import tag
from judgments.web.charts.numbers import counted, listed, number, share, span
from judgments.web.charts.scale import Scale
from ranking.charts.accuracy import accuracy
from ranking.charts.judged import comparison_counts
from tests.ranking.charts.cast import marks, tables, texts


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


def test_accuracy_is_beside_its_baselines():
    (chart,) = accuracy(tables())
    assert texts(chart, "name") == ["Expected Wins", "always a tie"]
    assert len(marks(chart, "circle", "point")) == 3
    assert len(marks(chart, "circle", "point hollow")) == 1
    assert chart.sentence == (
        "Of decisive comparisons Expected Wins predicts 0.800. "
        "Of all comparisons, ties among them, Expected Wins predicts 0.600 (always a tie 0.200)."
    )


@pytest.mark.parametrize("values", [[], [0.5], [3, 3], [-2.4, 1.36], [0, 1e-6], [1000, 250000]])
def test_an_axis_holds_all_values_and_a_few_round_ticks(values):
    scale = Scale.around(values, 100, 400)
    assert all(100 < scale.at(value) < 400 for value in values)
    ticks = scale.ticks()
    assert 2 <= len(ticks) <= 7
    assert all(scale.low <= value <= scale.high for value, _ in ticks)
    assert len({label for _, label in ticks}) == len(ticks)


def test_numbers_and_names_are_formatted_and_escaped():
    values = [number(value) for value in (0.5, -0.125, -0.001, 1234.5, None)]
    assert values == ["0.50", "−0.12", "0.00", "1,234.50", "–"]
    assert [share(value) for value in (0.5, -0.12, 1.0, 0.999, 0, None)] == [".50", "−.12", "1.0", "1.0", ".00", "–"]
    assert span(0.1, 0.2) == " (0.10 to 0.20)"
    assert span(None, 0.2) == ""
    assert [listed("ABC"[:many]) for many in range(4)] == ["", "A", "A and B", "A, B and C"]
    assert listed("ABCDEFG") == "A, B, C, D and 3 others"
    assert [counted(many, "pair") for many in (0, 1, 1000)] == ["0 pairs", "1 pair", "1,000 pairs"]
    assert tag("text", 'a < "b"', class_="x", text_anchor="<", y=-0.01) == (
        '<text class="x" text-anchor="&lt;" y="0">a &lt; &quot;b&quot;</text>'
    )
