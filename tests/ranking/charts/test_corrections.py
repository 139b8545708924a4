"""Charts of reports on corrections: positions, sentences, few and many."""

from dataclasses import replace

import pytest

from ranking.numbers.tables import Table
from ranking.reports.kinds.corrections import CORRECTIONS
from ranking.stats.analysis import analyse
from tests.ranking.charts.cast import marks, texts
from tests.ranking.stats.corrections import toy
from tests.ranking.stats.corrections.test_study import study


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    return analyse(study(), CORRECTIONS.sections).tables


def test_people_and_systems_have_a_point_with_an_interval_by_each_number_of_judges(tables):
    chart = CORRECTIONS.charts_of(tables)["combinations"]
    assert len(marks(chart, "circle", "point")) == len(marks(chart, "line", "interval")) == 2 * 3
    assert {"people", "system", "1", "2", "3"} <= set(texts(chart))
    assert chart.sentence.startswith("People reach F 0.")
    assert "; the highest F of a system there, that of system, is 0." in chart.sentence
    assert len(marks(chart, "line", "leader")) == 2


def test_many_curves_get_a_panel_each_and_too_many_none(tables):
    corrections = toy.random(seed=1, judges=5)
    names = ("Heron", "Wren", "Owl")
    three = replace(corrections, systems=names, outputs=corrections.outputs * 3)
    chart = CORRECTIONS.charts_of(analyse(study(three), CORRECTIONS.sections).tables)["combinations"]
    assert texts(chart, "name") == ["people, F", "Heron, F", "Wren, F", "Owl, F"]
    assert chart.svg.count('class="curve"') == 4
    assert chart.svg.count('class="curve pale"') == 4 * 3
    assert not marks(chart, "line", "leader")
    corrections = toy.random(seed=1, judges=4)
    many = replace(corrections, systems=tuple(map(str, range(20))), outputs=corrections.outputs * 20)
    chart = CORRECTIONS.charts_of(analyse(study(many), CORRECTIONS.sections).tables)["combinations"]
    assert not chart.svg
    assert "With 21 curves there is no chart" in chart.sentence


def test_ratios_are_of_systems_alone_and_all_documents_are_beside_the_first(tables):
    chart = CORRECTIONS.charts_of(tables)["ratios_to_people"]
    assert len(marks(chart, "circle", "point")) == 3
    assert "people" not in texts(chart)
    assert chart.sentence.startswith("Against 3 judges system comes nearest to people")
    chart = CORRECTIONS.charts_of(tables)["document_subsets"]
    assert {"All documents", "The first 2"} <= set(texts(chart, "name"))
    assert chart.sentence == "Intervals are of other choices of 2 documents."
    lines = [
        (2, 20, 1, "system", name, f, None, None, whole, None, None)
        for name, f, whole in (("A", 0.3, 0.4), ("B", 0.4, 0.3))
    ]
    turned = Table.of("document_subsets", tables["document_subsets"].columns, lines)
    chart = CORRECTIONS.charts_of({"document_subsets": turned})["document_subsets"]
    assert chart.sentence.startswith("From the first documents alone the systems are in another order than from all")


def test_categories_start_with_the_most_frequent(tables):
    charts = CORRECTIONS.charts_of(tables)
    assert set(texts(charts["edits_by_category"], "name")) >= set(toy.KINDS)
    assert charts["edits_by_category"].sentence.startswith("Most frequent, by share: ")
    assert charts["category_agreement"].sentence.startswith("Against 3 other judges people agree most in ")
