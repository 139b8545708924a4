"""The chart of systems by metrics and people: positions of points and names, and the sentence."""

from dataclasses import replace
from itertools import pairwise

import pytest

from judgments.web.charts.drawing import SMALL, ems
from ranking.charts.drawing.panels import APART
from ranking.charts.metric_scatter import metric_scatter
from ranking.numbers.tables import Table
from tests.ranking.charts.cast import SVG, drawn, marks, tables, texts

THIRTEEN = tuple(f"System-{letter}" for letter in "ABCDEFGHIJKLM")


def names(chart) -> list[tuple[str, float, float]]:
    """The names of systems, with where they begin and how high they stand."""
    found = [text for text in drawn(chart).iter(f"{SVG}text") if not text.get("class") and not text.get("text-anchor")]
    return [(text.text, float(text.get("x")), float(text.get("y"))) for text in found]


def test_every_metric_at_every_level_has_a_panel_and_every_system_a_point_with_its_name():
    (chart,) = metric_scatter(tables(THIRTEEN))
    assert texts(chart, "name") == ["m2 F", "gleu", "bleu"]
    assert len(marks(chart, "circle", "point")) == 39
    assert sorted(name for name, _, _ in names(chart)) == sorted(THIRTEEN * 3)
    assert texts(chart).count("score by people") == 3
    table = tables(THIRTEEN, metrics=["gleu"])["metric_scatter"]
    rows = (*table.rows, *((row[0], "mean of sentences", *row[2:]) for row in table.rows))
    (chart,) = metric_scatter({"metric_scatter": replace(table, rows=rows)})
    assert texts(chart, "name") == ["gleu (system)", "gleu (mean of sentences)"]
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
    assert all(after - before >= APART - 0.2 for before, after in pairwise(heights))
    width = float(drawn(chart).get("width"))
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
