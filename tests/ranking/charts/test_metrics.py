"""Metrics: against people, the points behind this, against each other, over beta, among the best systems."""

from dataclasses import replace
from itertools import pairwise

import pytest

from judgments.charts.axes import LABELS_APART
from judgments.charts.svg import SMALL, ems
from ranking.charts.lines import metrics_of
from ranking.charts.metrics import (
    MOST_CURVES,
    f_beta,
    f_scores,
    metric_correlations,
    metric_scatter,
    metric_windows,
    williams,
)
from ranking.numbers.tables import Table
from tests.ranking.charts.cast import HOSTILE, SVG, change_rows, marks, tables, texts, xml_of

BEST_FIRST = ["m2 F", "gleu", "bleu"]
THIRTEEN = tuple(f"System-{letter}" for letter in "ABCDEFGHIJKLM")


def test_metrics_are_in_the_order_of_their_pearson_correlation():
    (chart,) = metric_correlations(tables())
    assert texts(chart, "name") == BEST_FIRST
    assert texts(williams(tables())[0], "name") == BEST_FIRST
    assert texts(metric_windows(tables())[0], "name") == BEST_FIRST
    made = tables(metrics=["gleu"])
    table = made["metric_correlations"]
    means = [(row[0], "mean of sentences", *row[2:]) for row in table.rows if row[1] == "system"]
    assert metrics_of({"metric_correlations": replace(table, rows=(*table.rows, *means))}) == {"gleu": "system"}
    assert metrics_of({"metric_correlations": replace(table, rows=tuple(means))}) == {"gleu": "mean of sentences"}
    assert metrics_of({}) == {}
    empty = {"metric_correlations": Table("metric_correlations", tables()["metric_correlations"].columns, ())}
    assert metric_correlations(empty) == []


def test_each_coefficient_has_a_panel_with_a_line_at_zero_and_intervals_around_points():
    (chart,) = metric_correlations(tables())
    assert texts(chart, "faded")[0] == "Pearson"
    assert {"Pearson", "Spearman", "Kendall"} <= set(texts(chart))
    zeros = {mark["x1"] for mark in marks(chart, "line", "zero")}
    points = [mark["cx"] for mark in marks(chart, "circle", "point") if mark["r"] == 3.5]
    assert len(zeros) == 3
    assert len(points) == 9
    assert points[2] < min(zeros) < points[0]
    assert "−0.20" in texts(chart)
    narrow, wide = marks(chart, "line", "interval"), marks(chart, "line", "lead")
    for point, inner, outer in zip(points, narrow, wide, strict=True):
        assert outer["x1"] < inner["x1"] < point < inner["x2"] < outer["x2"]


def test_the_sentence_names_the_best_and_the_second_and_no_outliers_that_are_not_there():
    (chart,) = metric_correlations(tables())
    assert chart.sentence.startswith(
        "By Pearson m2 F correlates best with people over 13 systems: 0.47 (0.42 to 0.52). "
        "gleu comes second with 0.13 (0.08 to 0.18), and their intervals do not overlap. The pale line"
    )
    near = change_rows(tables(), "metric_correlations", lambda row: [*row[:4], row[4] - 0.3, row[5] + 0.3, *row[6:]])
    assert "and their intervals overlap. " in metric_correlations(near)[0].sentence
    (alone,) = metric_correlations(tables(metrics=["gleu"]))
    assert alone.sentence.startswith("By Pearson gleu correlates with people over 13 systems: ")
    made = tables()
    rows = tuple(row for row in made["metric_correlations"].rows if "outliers" not in row[1])
    rows = tuple((*row[:-2], None, None) for row in rows)
    (chart,) = metric_correlations({"metric_correlations": replace(made["metric_correlations"], rows=rows)})
    assert not marks(chart, "circle", "point hollow")
    assert "pale" not in chart.sentence
    assert "hollow" not in chart.sentence
    assert chart.tables == ("metric_correlations",)


def test_the_better_metric_of_a_pair_is_blue_and_an_untested_pair_an_empty_square():
    (chart,) = williams(tables())
    assert len(marks(chart, "rect", "cell more2")) == len(marks(chart, "rect", "cell less2")) == 3
    assert sorted(text for text in texts(chart) if text.startswith(".")) == [".040"] * 3 + [".960"] * 3
    assert chart.sentence.startswith("In 3 of 3 pairs one metric correlates better with people than the other ")
    made = tables()
    rows = tuple(row for row in made["williams"].rows if {"bleu", "gleu"} != set(row[:2]))
    (chart,) = williams(made | {"williams": replace(made["williams"], rows=rows)})
    assert len(marks(chart, "rect", "cell void")) == 2
    assert chart.sentence.startswith("In 2 of 3 pairs ")
    assert chart.sentence.endswith("1 pair could not be tested.")
    (chart,) = williams(tables(metrics=[f"metric {number}" for number in range(20)]))
    assert {"row is better", "column is better"} <= set(texts(chart))
    assert ".040" not in texts(chart)


def test_curves_go_over_beta_with_their_peaks_marked_and_break_where_a_correlation_is_not_known():
    (chart,) = f_beta(tables(metrics=["m2"]))
    curves = [line.get("class") for line in xml_of(chart).iter(f"{SVG}polyline")]
    assert curves == ["curve", "curve dashed", "curve dotted"]
    pearson, spearman, _ = marks(chart, "circle", "point")
    assert pearson["cx"] < spearman["cx"]
    assert "Pearson 0.80 at 0.5" in texts(chart)
    assert chart.sentence == (
        "For m2 Pearson is highest at beta 0.5 (0.80), Spearman at 1 (0.60) and Kendall at 1 (0.40). "
        "A beta chosen on these systems may not suit others."
    )
    gapped = lambda row: [*row[:2], None if row[1] == 0.5 else row[2], *row[3:]]  # noqa: E731
    (chart,) = f_beta(change_rows(tables(metrics=["m2"]), "f_beta", gapped))
    assert len(list(xml_of(chart).iter(f"{SVG}polyline"))) == 4
    assert chart.sentence.startswith("For m2 Pearson is highest at beta 0.75 (0.55)")


def test_every_metric_with_a_correlation_has_a_panel_on_the_same_axes():
    (chart,) = metric_windows(tables())
    assert len(list(xml_of(chart).iter(f"{SVG}polyline"))) == 3
    assert texts(chart).count("best systems counted") == 3
    assert chart.sentence == (
        "Over all 6 systems m2 F correlates best (0.62 by Pearson); over the best 3 alone bleu does (0.30), and m2 F "
        "has 0.28. A correlation that falls without poor systems depends on them."
    )
    made = change_rows(tables(), "metric_windows", lambda row: [*row[:6], None] if row[1] == "bleu" else row)
    (chart,) = metric_windows(made)
    assert texts(chart, "name") == ["m2 F", "gleu"]


def names(chart) -> list[tuple[str, float, float]]:
    """The names of systems, with where they begin and how high they stand."""
    found = [text for text in xml_of(chart).iter(f"{SVG}text") if not text.get("class") and not text.get("text-anchor")]
    return [(text.text, float(text.get("x")), float(text.get("y"))) for text in found]


def test_every_metric_has_a_panel_and_every_system_a_point_with_its_name():
    (chart,) = metric_scatter(tables(THIRTEEN))
    assert texts(chart, "name") == ["m2 F", "gleu", "bleu"]
    assert len(marks(chart, "circle", "point")) == 39
    assert sorted(name for name, _, _ in names(chart)) == sorted(THIRTEEN * 3)
    assert texts(chart).count("score by people") == 3
    table = tables(THIRTEEN, metrics=["gleu"])["metric_scatter"]
    rows = ((*table.rows[0][:4], None), (*table.rows[1][:3], None, 3.0), *table.rows[2:])
    (chart,) = metric_scatter({"metric_scatter": Table(table.name, table.columns, rows)})
    assert sorted(name for name, _, _ in names(chart)) == list(THIRTEEN[2:])
    (chart,) = metric_scatter(tables(tuple(f"S{number}" for number in range(61))))
    assert not chart.svg
    assert chart.sentence.endswith("With 61 systems a chart would be too crowded; see the numbers below.")
    assert metric_scatter({}) == []


def test_good_systems_are_at_the_upper_right_with_a_leader_to_each_name():
    (chart,) = metric_scatter(tables(THIRTEEN, metrics=["m2 F"]))
    points = marks(chart, "circle", "point")
    assert all(one["cx"] > other["cx"] and one["cy"] < other["cy"] for one, other in pairwise(points))
    assert [name for name, _, _ in names(chart)] == list(THIRTEEN)
    (chart,) = metric_scatter(tables(THIRTEEN, metrics=["gleu", "m2 F"]))
    leaders, points = marks(chart, "line", "leader"), marks(chart, "circle", "point")
    assert [(one["x1"], one["y1"]) for one in leaders] == [(one["cx"], one["cy"]) for one in points]
    for leader, (_, x, y) in zip(leaders, names(chart), strict=True):
        assert 0 < x - leader["x2"] < 10
        assert abs(y - leader["y2"]) < SMALL


@pytest.mark.parametrize("step", [1.0, 1e-6, 0.0])
def test_no_two_names_overlap_however_near_the_points_lie(step):
    """All on one spot but the first, which is far off."""
    rows = [("gleu", "system", name, 0.5 + place * step, 9.0 if place else 50.0) for place, name in enumerate(THIRTEEN)]
    table = replace(tables()["metric_scatter"], rows=tuple(rows))
    (chart,) = metric_scatter({"metric_scatter": table})
    heights = sorted(y for _, _, y in names(chart))
    assert all(after - before >= LABELS_APART - 0.2 for before, after in pairwise(heights))
    width = float(xml_of(chart).get("width"))
    assert all(x + SMALL * sum(map(ems, name)) <= width for name, x, _ in names(chart))


def test_the_sentence_names_the_metric_the_number_and_the_system_that_is_farthest_off():
    made = tables(THIRTEEN, metrics=["gleu"])
    rows = tuple((*row[:4], row[4] + (30 if row[2] == "System-K" else 0)) for row in made["metric_scatter"].rows)
    (chart,) = metric_scatter(made | {"metric_scatter": replace(made["metric_scatter"], rows=rows)})
    assert chart.sentence.startswith(
        "Each point is a system: its score by people across, by the metric upwards. By gleu they lie near a line ("
    )
    assert "and System-K lies farthest from it. If one point is far" in chart.sentence
    (whole,) = metric_scatter(tables(THIRTEEN))
    assert "By m2 F they lie nearest to a rising line (1.00 by Pearson), and" in whole.sentence


def f_by_beta(curves: dict[str, tuple[float, ...]], metric: str = "M2") -> dict[str, Table]:
    rows = [
        (metric, beta, system, value)
        for system, values in curves.items()
        for beta, value in zip((0.1, 0.5, 2.0), values, strict=True)
    ]
    return {"f_scores": Table.of("f_scores", ("metric", "beta", "system", "f"), rows)}


def test_a_curve_a_system_named_at_its_end():
    (chart,) = f_scores(f_by_beta({"Heron": (0.7, 0.4, 0.2), "Wren": (0.5, 0.45, 0.4)}))
    assert str(chart.svg).count("<polyline") == 2
    assert {"Heron", "Wren", "M2"} <= set(texts(chart))
    (chart,) = f_scores(f_by_beta({f"S{number}": (0.1, 0.2, 0.3) for number in range(MOST_CURVES + 1)}))
    assert not chart.svg
    assert "see the numbers below" in chart.sentence
    (chart,) = f_scores(f_by_beta({HOSTILE: (0.1, 0.2, 0.3), "Wren": (0.2, 0.2, 0.2)}))
    assert "<script>" not in str(chart.svg)
    assert f_scores({}) == []


def test_the_sentence_names_the_best_systems_at_both_ends_and_counts_changes_of_place():
    (chart,) = f_scores(f_by_beta({"Heron": (0.7, 0.4, 0.2), "Wren": (0.5, 0.45, 0.4), "Owl": (0.1, 0.1, 0.1)}))
    assert chart.sentence == (
        "By M2 Heron is best at beta 0.1 and Wren at 2; 1 of 3 pairs of systems change places between."
    )
    (chart,) = f_scores(f_by_beta({"Heron": (0.7, 0.4, 0.6), "Wren": (0.5, 0.45, 0.4)}))
    assert chart.sentence == (
        "By M2 Heron is best both at beta 0.1 and at 2; 0 of 1 pair of systems change places between."
    )
