"""Plots of reports on corrections: what stands where, what is said of it, few and many, names of strangers."""

from dataclasses import replace

import pytest

from ranking.chapters import chapters_of
from ranking.plots.gallery import plots_of
from ranking.plots.standalone import to_svg
from ranking.stats.analysis import analyse
from ranking.stats.tables import Table
from tests.ranking.plots.cast import HOSTILE, drawn, marks, texts
from tests.ranking.stats.corrections import toy
from tests.ranking.stats.corrections.test_study import study

PLOTS = ["judgments_over_time", "combinations", "ratios_to_people", "category_agreement", "document_subsets",
         "edits_by_category"]  # fmt: skip


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    return analyse(study()).tables


def test_every_plot_is_there_has_a_sentence_and_its_numbers(tables):
    plots = plots_of(tables)
    assert list(plots) == PLOTS
    for plot in plots.values():
        assert plot.sentence.endswith(".")
        assert plot.sentence in "".join(drawn(plot).itertext())
    figures = [figure for chapter in chapters_of(tables, plots) for figure in chapter.figures]
    assert sorted(figure.plot.name for figure in figures if figure.plot) == sorted(plots)
    assert {numbers.name for figure in figures for numbers in figure.numbers} == tables.keys()


def test_chapters_come_in_the_order_of_questions(tables):
    assert [chapter.title for chapter in chapters_of(tables, plots_of(tables))] == [
        "People and systems against people",
        "Categories",
        "Agreement and judges who correct",
        "What was judged",
    ]


def test_people_and_systems_have_a_point_with_an_interval_by_each_number_of_judges(tables):
    plot = plots_of(tables)["combinations"]
    assert len(marks(plot, "circle", "point")) == len(marks(plot, "line", "interval")) == 2 * 3
    assert {"people", "system", "1", "2", "3"} <= set(texts(plot))
    assert plot.sentence.startswith("People reach F 0.")
    assert "; the best system there, system, reaches 0." in plot.sentence


def test_more_lines_than_can_be_told_apart_get_a_panel_each():
    corrections = toy.random(seed=1, judges=5)
    names = ("Heron", "Wren", "Owl")
    three = replace(corrections, systems=names, outputs=corrections.outputs * 3)
    plot = plots_of(analyse(study(three)).tables)["combinations"]
    assert texts(plot, "name") == ["people, F", "Heron, F", "Wren, F", "Owl, F"]
    assert plot.svg.count('class="curve"') == 4
    assert plot.svg.count('class="curve pale"') == 4 * 3
    assert not marks(plot, "line", "leader")


def test_names_are_led_to_from_the_ends_of_lines(tables):
    plot = plots_of(tables)["combinations"]
    assert len(marks(plot, "line", "leader")) == 2


def test_ratios_are_of_systems_alone(tables):
    plot = plots_of(tables)["ratios_to_people"]
    assert len(marks(plot, "circle", "point")) == 3
    assert "people" not in texts(plot)
    assert plot.sentence.startswith("Against 3 judges system comes nearest to people")


def test_all_documents_stand_beside_the_first(tables):
    plot = plots_of(tables)["document_subsets"]
    assert {"All documents", "The first 2"} <= set(texts(plot, "name"))
    assert plot.sentence == "Intervals are of other choices of 2 documents."


def test_categories_are_told_from_the_most_frequent(tables):
    plots = plots_of(tables)
    assert set(texts(plots["edits_by_category"], "name")) >= set(toy.KINDS)
    assert plots["edits_by_category"].sentence.startswith("Most frequent, by share: ")
    assert plots["category_agreement"].sentence.startswith("Against 3 other judges people agree most in ")


def test_another_order_of_systems_is_said(tables):
    lines = [
        (2, 20, 1, "system", name, f, None, None, whole, None, None)
        for name, f, whole in (("A", 0.3, 0.4), ("B", 0.4, 0.3))
    ]
    turned = Table.of("document_subsets", tables["document_subsets"].columns, lines)
    plot = plots_of({"document_subsets": turned})["document_subsets"]
    assert plot.sentence.startswith("From the first documents alone the systems are in another order than from all")


def test_names_of_strangers_are_only_text():
    corrections = toy.random(seed=1, judges=5)
    named = replace(corrections, systems=(HOSTILE,), judges=(HOSTILE, *corrections.judges[1:]))
    for plot in plots_of(analyse(study(named)).tables).values():
        assert "<script" not in to_svg(plot)
        drawn(plot)


def test_many_systems_are_told_and_not_drawn(tables):
    corrections = toy.random(seed=1, judges=4)
    many = replace(corrections, systems=tuple(map(str, range(20))), outputs=corrections.outputs * 20)
    plot = plots_of(analyse(study(many)).tables)["combinations"]
    assert not plot.svg
    assert "With 21 curves there is no picture" in plot.sentence


@pytest.mark.parametrize("name", analyse(study()).tables)
def test_what_is_not_known_is_not_drawn(name, tables):
    known = {"gold", "kind", "who", "judge", "other", "category", "others", "documents", "sentences"}
    rows = [tuple(cell if of in known else None for of, cell in line.items()) for line in tables[name].dicts()]
    for plot in plots_of(tables | {name: replace(tables[name], rows=tuple(rows))}).values():
        drawn(plot)
        assert "nan" not in plot.svg.lower()
        assert "None" not in plot.svg


def test_empty_tables_have_no_plot(tables):
    assert plots_of({name: Table(name, table.columns, ()) for name, table in tables.items()}) == {}
