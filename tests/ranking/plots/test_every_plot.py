"""What holds for every plot: well-formed, heard by screen readers, escaped, the same bytes, no inline looks."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from judgments.web.charts.chart import Plot
from ranking.plots.gallery import plots_of
from ranking.plots.standalone import STYLE, to_svg
from ranking.stats.tables import Table
from tests.ranking.plots.cast import HOSTILE, SVG, drawn, tables, texts

NAMES = (
    "forest_expected-wins", "forest_bradley-terry", "uncertainty", "head_to_head", "metric_correlations",
    "metric_scatter", "williams", "f_beta", "metric_windows", "agreement", "distinct_outputs", "judgments_over_time",
    "comparison_counts", "accuracy",
)  # fmt: skip
PAGE_STYLE = (Path(__file__).parents[3] / "static" / "css" / "plots.css").read_text(encoding="utf-8")
CLASS = re.compile(r"\.([a-z]+\d?)(?=[\s.,:{])")


@pytest.fixture
def plots() -> dict[str, Plot]:
    return plots_of(tables())


def test_a_report_has_these_plots(plots):
    assert tuple(plots) == NAMES
    assert plots_of({}) == {}
    assert {table for plot in plots.values() for table in plot.tables} == tables().keys()


@pytest.mark.parametrize("name", NAMES)
def test_screen_readers_hear_its_title_and_its_sentence(plots, name):
    picture = drawn(plots[name])
    assert picture.get("role") == "img"
    title, told = picture[0], picture[1]
    assert (title.tag, title.text) == (f"{SVG}title", plots[name].title)
    assert (told.tag, told.text) == (f"{SVG}desc", plots[name].sentence)
    assert picture.get("aria-labelledby") == f"{title.get('id')} {told.get('id')}"


def test_no_two_things_have_one_id(plots):
    ids = [thing.get("id") for plot in plots.values() for thing in drawn(plot).iter() if thing.get("id")]
    assert len(ids) == len(set(ids)) == 2 * len(plots)


@pytest.mark.parametrize("name", NAMES)
def test_it_scales_holds_what_it_shows_and_has_no_letters_too_small_to_read(plots, name):
    picture = drawn(plots[name])
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
def test_the_page_allows_no_inline_looks_and_every_class_is_dressed_in_both_places(plots, name):
    assert "style" not in plots[name].svg
    worn = {class_ for thing in drawn(plots[name]).iter() for class_ in (thing.get("class") or "").split()}
    assert worn <= set(CLASS.findall(STYLE))
    assert worn <= set(CLASS.findall(PAGE_STYLE))


def test_page_and_file_dress_the_same_classes_the_same_way():
    rules = [re.findall(r"^(\.plot .*?) {", style, re.MULTILINE) for style in (STYLE, PAGE_STYLE)]
    assert [rule for rule in rules[0] if rule != ".plot .paper"] == rules[1]


def test_a_file_brings_paper_and_looks_along(plots):
    text = to_svg(plots["head_to_head"])
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg"')
    assert text.count("<style>") == text.count('class="paper"') == 1
    assert "var(" not in text


def test_the_same_tables_give_the_same_bytes(plots):
    assert plots_of(tables()) == plots


def test_names_of_strangers_are_only_text():
    for plot in plots_of(tables((HOSTILE, "Wren"), (HOSTILE, "ben"), (HOSTILE, "gleu"))).values():
        assert "<script" not in to_svg(plot)
        assert to_svg(plot).count("</desc>") == 1
        tags = {thing.tag.removeprefix(SVG) for thing in drawn(plot).iter()}
        assert tags <= {"svg", "title", "desc", "text", "line", "rect", "circle", "polyline"}


def test_long_names_are_cut_and_wide_ones_sooner():
    long, wide = "Participant-" * 6, "校正システム" * 6
    forest = plots_of(tables((long, wide, "Wren")))["forest_expected-wins"]
    first, second, third = texts(forest, "name")
    assert first.startswith("Participa")
    assert "…" in first
    assert first.endswith("ticipant-")
    assert len(second) < len(first) < 30
    assert third == "Wren"


@pytest.mark.parametrize(
    ("systems", "judges", "metrics"), [(1, 1, 1), (2, 1, 2), (2, 2, 3), (50, 25, 20), (61, 61, 30), (120, 200, 200)]
)
def test_few_and_many_are_drawn_or_told_why_not(systems, judges, metrics):
    many = ((f"{name} {number}" for number in range(of)) for name, of in
            (("System", systems), ("judge", judges), ("metric", metrics)))  # fmt: skip
    plots = plots_of(tables(*map(tuple, many)))
    for plot in plots.values():
        assert plot.sentence.endswith(".")
        if plot.svg:
            drawn(plot)
    assert systems == 1 or bool(plots["head_to_head"].svg) == (systems <= 60)
    assert bool(plots["uncertainty"].svg) == (systems <= 100)
    assert bool(plots["metric_correlations"].svg) == (metrics <= 60)
    assert metrics == 1 or bool(plots["williams"].svg) == (metrics <= 60)
    assert bool(plots["f_beta"].svg) == (metrics <= 12)
    assert bool(plots["metric_windows"].svg) == (metrics <= 24)
    assert bool(plots["metric_scatter"].svg) == (metrics <= 24 and systems <= 60)
    assert bool(plots["agreement"].svg) == (judges <= 25)
    assert bool(plots["comparison_counts"].svg) == (judges <= 60)
    assert "there is no matrix" in plots["agreement"].sentence or judges <= 25


@pytest.mark.parametrize("name", tables())
def test_what_is_not_known_is_not_drawn(name):
    """Every number of a table gone: no plot fails, and none shows a number that is not there."""
    whole = tables()
    known = {
        "method", "system", "opponent", "kind", "judge", "other", "compared", "enough", "wins", "losses", "ties",
        "way", "unit", "metric", "level", "coefficient", "drawn", "beta",
    }  # fmt: skip
    rows = [tuple(cell if column in known else None for column, cell in line.items()) for line in whole[name].dicts()]
    plots = plots_of(whole | {name: replace(whole[name], rows=tuple(rows))})
    for plot in plots.values():
        drawn(plot)
        assert "nan" not in plot.svg.lower()
        assert "None" not in plot.svg


def test_empty_tables_have_no_plot():
    assert plots_of({name: Table(name, table.columns, ()) for name, table in tables().items()}) == {}
