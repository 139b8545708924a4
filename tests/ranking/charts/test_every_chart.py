"""Properties of every chart: well-formed, read by screen readers, escaped, the same bytes, no inline styles."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from judgments.web.charts.drawing import Chart
from ranking.charts.drawing.standalone import STYLE, to_svg
from ranking.numbers.tables import Table
from ranking.reports.kinds.comparisons import COMPARISONS
from tests.ranking.charts.cast import HOSTILE, SVG, drawn, tables, texts

NAMES = (
    "forest_expected-wins", "forest_bradley-terry", "uncertainty", "head_to_head", "metric_correlations",
    "metric_scatter", "williams", "f_beta", "metric_windows", "agreement", "standings_by_judge",
    "distinct_outputs", "judgments_over_time",
    "comparison_counts", "accuracy",
)  # fmt: skip
PAGE_STYLE = (Path(__file__).parents[3] / "static" / "css" / "plots.css").read_text(encoding="utf-8")
CLASS = re.compile(r"\.([a-z]+\d?)(?=[\s.,:{])")


@pytest.fixture
def charts() -> dict[str, Chart]:
    return COMPARISONS.charts_of(tables())


def test_a_report_has_these_charts(charts):
    assert tuple(charts) == NAMES
    assert COMPARISONS.charts_of({}) == {}
    assert {table for chart in charts.values() for table in chart.tables} == tables().keys()


@pytest.mark.parametrize("name", NAMES)
def test_screen_readers_read_its_title_and_its_sentence(charts, name):
    picture = drawn(charts[name])
    assert picture.get("role") == "img"
    title, description = picture[0], picture[1]
    assert (title.tag, title.text) == (f"{SVG}title", charts[name].title)
    assert (description.tag, description.text) == (f"{SVG}desc", charts[name].sentence)
    assert picture.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"


def test_no_two_things_have_one_id(charts):
    ids = [thing.get("id") for chart in charts.values() for thing in drawn(chart).iter() if thing.get("id")]
    assert len(ids) == len(set(ids)) == 2 * len(charts)


@pytest.mark.parametrize("name", NAMES)
def test_it_scales_contains_all_its_marks_and_has_no_letters_too_small_to_read(charts, name):
    picture = drawn(charts[name])
    left, top, width, height = map(float, picture.get("viewBox").split())
    assert (left, top, picture.get("width"), picture.get("height")) == (0, 0, f"{width:g}", f"{height:g}")
    for text in picture.iter(f"{SVG}text"):
        assert float(text.get("font-size")) >= 11
        assert 0 <= float(text.get("x")) <= width
        assert 0 <= float(text.get("y")) <= height
    for box in picture.iter(f"{SVG}rect"):
        assert float(box.get("x")) + float(box.get("width")) <= width
        assert float(box.get("y")) + float(box.get("height")) <= height


@pytest.mark.parametrize("name", NAMES)
def test_no_chart_has_inline_styles_and_both_style_sheets_have_every_class(charts, name):
    assert "style" not in charts[name].svg
    worn = {class_ for thing in drawn(charts[name]).iter() for class_ in (thing.get("class") or "").split()}
    assert worn <= set(CLASS.findall(STYLE))
    assert worn <= set(CLASS.findall(PAGE_STYLE))


def test_page_and_file_style_the_same_classes_alike():
    rules = [re.findall(r"^(\.plot .*?) {", style, re.MULTILINE) for style in (STYLE, PAGE_STYLE)]
    assert [rule for rule in rules[0] if rule != ".plot .paper"] == rules[1] != []


def test_a_file_brings_paper_and_looks_along(charts):
    text = to_svg(charts["head_to_head"])
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg"')
    assert text.count("<style>") == text.count('class="paper"') == 1
    assert "var(" not in text


def test_the_same_tables_give_the_same_bytes(charts):
    assert COMPARISONS.charts_of(tables()) == charts


def test_names_of_strangers_are_only_text():
    for chart in COMPARISONS.charts_of(tables((HOSTILE, "Wren"), (HOSTILE, "ben"), (HOSTILE, "gleu"))).values():
        assert "<script" not in to_svg(chart)
        assert to_svg(chart).count("</desc>") == 1
        tags = {thing.tag.removeprefix(SVG) for thing in drawn(chart).iter()}
        assert tags <= {"svg", "title", "desc", "text", "line", "rect", "circle", "polyline", "g"}
        places = [thing.get("data-href") for thing in drawn(chart).iter(f"{SVG}g")]
        assert all(place.startswith(("pairs/?", "metrics/?")) for place in places)


def test_long_names_are_cut_and_wide_ones_sooner():
    long, wide = "Participant-" * 6, "校正システム" * 6
    forest = COMPARISONS.charts_of(tables((long, wide, "Wren")))["forest_expected-wins"]
    first, second, third = texts(forest, "name")
    assert first.startswith("Participa")
    assert "…" in first
    assert first.endswith("ticipant-")
    assert len(second) < len(first) < 30
    assert third == "Wren"


@pytest.mark.wide
@pytest.mark.parametrize(
    ("systems", "judges", "metrics"), [(1, 1, 1), (2, 1, 2), (2, 2, 3), (50, 25, 20), (61, 61, 30), (120, 200, 200)]
)
def test_few_and_many_are_drawn_or_explained(systems, judges, metrics):
    many = ((f"{name} {number}" for number in range(of)) for name, of in
            (("System", systems), ("judge", judges), ("metric", metrics)))  # fmt: skip
    charts = COMPARISONS.charts_of(tables(*map(tuple, many)))
    for chart in charts.values():
        assert chart.sentence.endswith(".")
        if chart.svg:
            drawn(chart)
    assert systems == 1 or bool(charts["head_to_head"].svg) == (systems <= 60)
    assert bool(charts["uncertainty"].svg) == (systems <= 100)
    assert bool(charts["metric_correlations"].svg) == (metrics <= 60)
    assert metrics == 1 or bool(charts["williams"].svg) == (metrics <= 60)
    assert bool(charts["f_beta"].svg) == (metrics <= 12)
    assert bool(charts["metric_windows"].svg) == (metrics <= 24)
    assert bool(charts["metric_scatter"].svg) == (metrics <= 24 and systems <= 60)
    assert bool(charts["agreement"].svg) == (judges <= 25)
    assert bool(charts["comparison_counts"].svg) == (judges <= 60)
    assert "a matrix would be unreadable" in charts["agreement"].sentence or judges <= 25


@pytest.mark.parametrize("name", tables())
def test_unknown_numbers_are_not_drawn(name):
    """Every number of a table gone: no chart fails, and none shows a number that is not there."""
    whole = tables()
    known = {
        "method", "system", "opponent", "kind", "judge", "other", "compared", "enough", "wins", "losses", "ties",
        "way", "unit", "metric", "level", "coefficient", "drawn", "beta",
    }  # fmt: skip
    rows = [tuple(cell if column in known else None for column, cell in line.items()) for line in whole[name].dicts()]
    charts = COMPARISONS.charts_of(whole | {name: replace(whole[name], rows=tuple(rows))})
    for chart in charts.values():
        drawn(chart)
        assert "nan" not in chart.svg.lower()
        assert "None" not in chart.svg


def test_empty_tables_have_no_chart():
    assert COMPARISONS.charts_of({name: Table(name, table.columns, ()) for name, table in tables().items()}) == {}
