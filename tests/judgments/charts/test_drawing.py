"""What all charts are made of: axes, labels, colours of squares, numbers, texts."""

from itertools import pairwise

import pytest

from judgments.charts.axes import LABELS_APART, Axis, spread_labels
from judgments.charts.matrix import step_around_half, step_of_kappa, step_of_p_value
from judgments.charts.numbers import number, p_value, quantity, share, span, text_list
from judgments.charts.svg import tag


@pytest.mark.parametrize("values", [[], [0.5], [3, 3], [-2.4, 1.36], [0, 1e-6], [1000, 250000]])
def test_an_axis_holds_all_values_and_a_few_round_ticks(values):
    axis = Axis.around(values, 100, 400)
    assert all(100 < axis.at(value) < 400 for value in values)
    ticks = axis.ticks()
    assert 2 <= len(ticks) <= 7
    assert all(axis.low <= value <= axis.high for value, _ in ticks)
    assert len({label for _, label in ticks}) == len(ticks)


@pytest.mark.parametrize("wanted", [[], [50], [50, 50, 50], [10, 20, 15], [100, 99, 98], [0, 100]])
def test_labels_are_spread_in_their_order(wanted):
    heights = spread_labels(wanted, 0, 100)
    ordered = [heights[place] for place in sorted(range(len(wanted)), key=lambda place: wanted[place])]
    assert all(after - before >= LABELS_APART - 1e-9 for before, after in pairwise(ordered))
    assert all(height <= 100 for height in heights)


def test_the_scales_are_even_around_a_half_and_begin_at_chance():
    shares = [0, 0.1, 0.25, 0.4, 0.5]
    for value in shares:
        assert step_around_half(value).replace("less", "more") == step_around_half(1 - value)
    assert len({step_around_half(value) for value in shares}) == 5
    classes = [step_of_kappa(kappa) for kappa in (-0.3, -0.001, 0.19, 0.2, 0.5, 0.7, 0.9, 1.0)]
    assert classes == [
        f"cell {name}" for name in ("less2", "even", "even", "more1", "more2", "more3", "more4", "more4")
    ]


def test_the_scale_of_p_values_is_symmetric_and_none_is_shown_as_0():
    values = [0, 0.0005, 0.009, 0.04, 0.09, 0.5]
    for value in values:
        assert step_of_p_value(value).replace("more", "less") == step_of_p_value(1 - value)
    assert [step_of_p_value(value) for value in values] == [
        f"cell {name}" for name in ("more4", "more4", "more3", "more2", "more1", "even")
    ]
    assert [p_value(value) for value in (0.0, 0.0004, 0.04, 0.9999)] == ["<.001", "<.001", ".040", ">.999"]


def test_numbers_and_names_are_formatted_and_escaped():
    values = [number(value) for value in (0.5, -0.125, -0.001, 1234.5, None)]
    assert values == ["0.50", "−0.12", "0.00", "1,234.50", "–"]
    assert [share(value) for value in (0.5, -0.12, 1.0, 0.999, 0, None)] == [".50", "−.12", "1.0", "1.0", ".00", "–"]
    assert span(0.1, 0.2) == " (0.10 to 0.20)"
    assert span(None, 0.2) == ""
    assert [text_list("ABC"[:many]) for many in range(4)] == ["", "A", "A and B", "A, B and C"]
    assert text_list("ABCDEFG") == "A, B, C, D and 3 others"
    assert [quantity(many, "pair") for many in (0, 1, 1000)] == ["0 pairs", "1 pair", "1,000 pairs"]
    assert tag("text", 'a < "b"', class_="x", text_anchor="<", y=-0.01) == (
        '<text class="x" text-anchor="&lt;" y="0">a &lt; &quot;b&quot;</text>'
    )
