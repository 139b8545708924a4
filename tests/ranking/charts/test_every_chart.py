"""Properties of every chart: well-formed, read by screen readers, escaped, the same bytes, no inline styles."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from judgments.charts.svg import STYLE, Chart, to_svg
from ranking.numbers.tables import Table
from ranking.reports.kinds.comparisons import COMPARISONS
from ranking.reports.kinds.corrections import CORRECTIONS
from ranking.reports.kinds.verdicts import VERDICTS
from ranking.reports.page import chapters_of
from ranking.stats.analysis import analyse
from tests.ranking.charts.cast import HOSTILE, SVG, tables, texts, xml_of
from tests.ranking.stats.corrections.test_study import study as corrections_study
from tests.ranking.stats.verdicts.cast import whole_study as verdicts_study

NAMES = (
    "forest_expected-wins", "forest_bradley-terry", "uncertainty", "head_to_head", "metric_correlations",
    "metric_scatter", "williams", "f_beta", "metric_windows", "agreement", "standings_by_judge",
    "distinct_outputs", "judgments_over_time",
    "comparison_counts", "accuracy",
)  # fmt: skip
PAGE_STYLE = (Path(__file__).parents[3] / "static" / "css" / "plots.css").read_text(encoding="utf-8")
NAMED = {"system", "opponent", "judge", "other", "who", "metric"}
CLASS = re.compile(r"\.([a-z]+\d?)(?=[\s.,:{])")


# Tables of a kind of report, and the columns of names and such, whose cells are known where all numbers are not.
MADE = {
    COMPARISONS.name: (COMPARISONS, tables(), {
        "method", "system", "opponent", "kind", "judge", "other", "compared", "enough", "wins", "losses", "ties", "way",
        "unit", "metric", "level", "coefficient", "drawn", "beta",
    }),
    CORRECTIONS.name: (CORRECTIONS, analyse(corrections_study(), CORRECTIONS.sections).tables, {
        "gold", "kind", "who", "judge", "other", "category", "others", "documents", "sentences",
    }),
    VERDICTS.name: (VERDICTS, analyse(verdicts_study(), VERDICTS.sections).tables, {
        "system", "by", "measure", "judge", "expert", "low", "high", "against", "judges", "other", "usages",
    }),
}  # fmt: skip


@pytest.fixture
def charts() -> dict[str, Chart]:
    return COMPARISONS.charts_of(tables())


def test_a_report_has_these_charts_and_the_same_tables_give_the_same_bytes(charts):
    assert tuple(charts) == NAMES
    assert COMPARISONS.charts_of({}) == {}
    assert {table for chart in charts.values() for table in chart.tables} == tables().keys()
    ids = [thing.get("id") for chart in charts.values() for thing in xml_of(chart).iter() if thing.get("id")]
    assert len(ids) == len(set(ids)) == 2 * len(charts)
    assert COMPARISONS.charts_of(tables()) == charts


@pytest.mark.parametrize("name", NAMES)
def test_each_chart_is_read_by_screen_readers_scales_and_has_no_inline_styles(charts, name):
    picture = xml_of(charts[name])
    assert picture.get("role") == "img"
    title, description = picture[0], picture[1]
    assert (title.tag, title.text) == (f"{SVG}title", charts[name].title)
    assert (description.tag, description.text) == (f"{SVG}desc", charts[name].sentence)
    assert picture.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
    left, top, width, height = map(float, picture.get("viewBox").split())
    assert (left, top, picture.get("width"), picture.get("height")) == (0, 0, f"{width:g}", f"{height:g}")
    for text in picture.iter(f"{SVG}text"):
        assert float(text.get("font-size")) >= 11
        assert 0 <= float(text.get("x")) <= width
        assert 0 <= float(text.get("y")) <= height
    for box in picture.iter(f"{SVG}rect"):
        assert float(box.get("x")) + float(box.get("width")) <= width
        assert float(box.get("y")) + float(box.get("height")) <= height
    assert "style" not in charts[name].svg
    worn = {class_ for thing in xml_of(charts[name]).iter() for class_ in (thing.get("class") or "").split()}
    assert worn <= set(CLASS.findall(STYLE))
    assert worn <= set(CLASS.findall(PAGE_STYLE))


def test_page_and_file_style_the_same_classes_alike(charts):
    rules = [re.findall(r"^(\.plot .*?) {", style, re.MULTILINE) for style in (STYLE, PAGE_STYLE)]
    assert [rule for rule in rules[0] if rule != ".plot .paper"] == rules[1] != []
    text = to_svg(charts["head_to_head"])
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg"')
    assert text.count("<style>") == text.count('class="paper"') == 1
    assert "var(" not in text


@pytest.mark.parametrize(
    ("of", "names"),
    [
        ("comparisons", {"Heron", "ada", "bleu"}),
        ("corrections", {"system", "b"}),
        ("verdicts", {"A", "judge 0"}),
    ],
)
def test_names_of_strangers_are_only_text(of, names):
    kind, whole, _ = MADE[of]
    made = {
        name: replace(table, rows=tuple(
            tuple(HOSTILE if cell in names and column in NAMED else cell for column, cell in line.items())
            for line in table.dicts()
        ))
        for name, table in whole.items()
    }  # fmt: skip
    charts = kind.charts_of(made)
    assert list(charts) == list(kind.charts_of(whole))
    for chart in charts.values():
        assert "<script" not in to_svg(chart)
        assert to_svg(chart).count("</desc>") == 1
        tags = {thing.tag.removeprefix(SVG) for thing in xml_of(chart).iter()}
        assert tags <= {"svg", "title", "desc", "text", "line", "rect", "circle", "polyline", "g"}
        places = [thing.get("data-href") for thing in xml_of(chart).iter(f"{SVG}g")]
        assert all(place.startswith(("pairs/?", "metrics/?")) for place in places)
    assert any("&lt;script&gt;" in chart.svg for chart in charts.values())


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
            xml_of(chart)
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


@pytest.mark.parametrize(
    ("name", "charts", "chapters"),
    [
        ("corrections", ["judgments_over_time", "combinations", "ratios_to_people", "category_agreement",
                       "document_subsets", "edits_by_category"],
         ["People and systems against people", "Categories", "Agreement and judges who correct", "What was judged"]),
        ("verdicts", ["judgments_over_time", "measures", "bins", "bins_kappa", "stability", "agreement_histogram",
                    "enough", "verdict_judges"],
         ["Systems against the crowd", "Clear cases and contested ones", "How many judgments are enough",
          "Agreement and judges of verdicts", "What was judged"]),
    ],
)  # fmt: skip
def test_every_chart_is_there_has_a_sentence_and_its_numbers_in_the_order_of_questions(name, charts, chapters):
    (kind, made, _), drawn_ones = MADE[name], MADE[name][0].charts_of(MADE[name][1])
    assert list(drawn_ones) == charts
    for chart in drawn_ones.values():
        assert chart.sentence.endswith(".")
        assert chart.sentence in "".join(xml_of(chart).itertext())
    found = chapters_of(kind, made, drawn_ones)
    assert [chapter.title for chapter in found] == chapters
    figures = [figure for chapter in found for figure in chapter.figures]
    assert sorted(figure.chart.name for figure in figures if figure.chart) == sorted(drawn_ones)
    assert {table.name for figure in figures for table in figure.tables} == made.keys() - {"counts"}


@pytest.mark.parametrize(("of", "name"), [(of, name) for of in MADE for name in MADE[of][1]])
def test_unknown_numbers_are_not_drawn_and_empty_tables_have_no_chart(of, name):
    """Every number of a table gone: no chart fails, and none shows a number that is not there."""
    kind, whole, known = MADE[of]
    assert kind.charts_of({name: Table(name, table.columns, ()) for name, table in whole.items()}) == {}
    rows = [tuple(cell if column in known else None for column, cell in line.items()) for line in whole[name].dicts()]
    for chart in kind.charts_of(whole | {name: replace(whole[name], rows=tuple(rows))}).values():
        xml_of(chart)
        assert "nan" not in chart.svg.lower()
        assert "None" not in chart.svg
