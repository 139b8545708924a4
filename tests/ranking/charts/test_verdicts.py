"""Charts of reports on verdicts: positions, sentences, few and many, names with special characters."""

from dataclasses import replace

import numpy as np
import pytest

from ranking.charts.drawing.standalone import to_svg
from ranking.numbers.tables import Table
from ranking.reports.kinds.verdicts import VERDICTS
from ranking.reports.page import chapters_of
from ranking.stats.analysis import analyse
from ranking.stats.verdicts.study import VerdictNames
from tests.ranking.charts.cast import HOSTILE, drawn, marks, texts
from tests.ranking.stats.verdicts.cast import QUICK, study_of, verdicts, whole_study

CHARTS = ["judgments_over_time", "measures", "bins", "bins_kappa", "stability", "agreement_histogram", "enough",
         "verdict_judges"]  # fmt: skip


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    return analyse(whole_study(), VERDICTS.study.sections).tables


def test_every_chart_is_there_has_a_sentence_and_its_numbers(tables):
    charts = VERDICTS.charts_of(tables)
    assert list(charts) == CHARTS
    for chart in charts.values():
        assert chart.sentence.endswith(".")
        assert chart.sentence in "".join(drawn(chart).itertext())
    figures = [figure for chapter in chapters_of(VERDICTS, tables, charts) for figure in chapter.figures]
    assert sorted(figure.chart.name for figure in figures if figure.chart) == sorted(charts)
    shown = {table.name for figure in figures for table in figure.tables}
    assert shown == tables.keys() - {"counts"}


def test_chapters_come_in_the_order_of_questions(tables):
    assert [chapter.title for chapter in chapters_of(VERDICTS, tables, VERDICTS.charts_of(tables))] == [
        "Systems against the crowd",
        "Clear cases and contested ones",
        "How many judgments are enough",
        "Agreement and judges of verdicts",
        "What was judged",
    ]


def test_weighted_and_unweighted_are_side_by_side_with_intervals(tables):
    chart = VERDICTS.charts_of(tables)["measures"]
    systems = list(dict.fromkeys(tables["measures"].column("system")))
    assert texts(chart, "name")[: len(systems)] == systems
    assert len(marks(chart, "circle", "point hollow")) == 3 * len(systems)
    assert len(marks(chart, "line", "interval")) == 6 * len(systems)


def test_bins_have_a_point_with_an_interval_for_each_system(tables):
    lines = tables["bins"].dicts()
    chart = VERDICTS.charts_of(tables)["bins"]
    assert len(marks(chart, "circle", "point")) == 2 * len(lines)
    assert {"50–75", "75–90", "90–100", "A", "B", "C"} <= set(texts(chart))
    kappas = [line for line in lines if line["kappa"] is not None]
    assert len(marks(VERDICTS.charts_of(tables)["bins_kappa"], "circle", "point")) == len(kappas)


BINS = ("system", "low", "high", "instances", "errors", "precision", "precision_low", "precision_high", "recall",
        "recall_low", "recall_high", "f", "kappa", "kappa_low", "kappa_high")  # fmt: skip


def bins(*lines: tuple) -> dict[str, Table]:
    """System, ends of the bin, usages, errors, precision and recall."""
    rows = [(*line[:6], None, None, line[6], None, None, None, None, None, None) for line in lines]
    return {"bins": Table.of("bins", BINS, rows)}


def test_an_empty_bin_keeps_its_place_and_the_axis_shows_instances():
    chart = VERDICTS.charts_of(bins(("A", 0.5, 0.75, 12, 3, 0.5, 0.5), ("A", 0.9, 1.0, 7, 3, 0.5, 0.5)))["bins"]
    shown = texts(chart)
    assert [name for name in shown if name in ("50–75", "75–90", "90–100")] == 2 * ["50–75", "75–90", "90–100"]
    assert [name for name in shown if name in ("12", "0", "7")] == 2 * ["12", "0", "7"]
    assert chart.svg.count('class="curve"') == 2 * 2


@pytest.mark.wide
def test_zero_of_zero_is_an_open_point_and_never_the_best():
    chart = VERDICTS.charts_of(bins(("A", 0.9, 1.0, 7, 3, 1.0, 0.0), ("B", 0.9, 1.0, 7, 3, 0.5, 0.5)))["bins"]
    assert len(marks(chart, "circle", "point hollow")) == 1
    assert "B has the highest precision, 0.50" in chart.sentence
    assert "An open point is not a measurement: 0 of 0" in chart.sentence
    known = VERDICTS.charts_of(bins(("A", 0.9, 1.0, 7, 3, 1.0, 0.5)))["bins"]
    assert not marks(known, "circle", "point hollow")
    assert "0 of 0" not in known.sentence


def test_the_sentence_states_how_many_are_enough():
    """Nine judges who are right, and experts who are of one mind in half of the cases."""
    cast = verdicts(*["eee" + "ee", "kkk" + "kk", "eee" + "ek", "kkk" + "ke"])
    charts = VERDICTS.charts_of(analyse(study_of(cast, [[1, 0, 1, 0]], experts=(3, 4)), VERDICTS.study.sections).tables)
    assert "0.50 that experts have with each other" in charts["enough"].sentence
    assert "experts" in texts(charts["enough"])


@pytest.mark.wide
def test_the_sentence_names_gold(tables):
    study = whole_study()
    charts = VERDICTS.charts_of(
        analyse(replace(study, is_expert=np.zeros(7, dtype=bool)), VERDICTS.study.sections).tables
    )
    assert charts["enough"].sentence.startswith("Compared with gold, one judge agrees in ")
    each = VERDICTS.charts_of(
        analyse(replace(study, parameters=QUICK.changed(experts="each")), VERDICTS.study.sections).tables
    )
    assert each["enough"].sentence.startswith("Compared with each expert, ")


def test_the_histogram_counts_by_hand():
    charts = VERDICTS.charts_of(
        analyse(study_of(verdicts("eeee", "eeee", "kkkk", "eeek", "eekk")), VERDICTS.study.sections).tables
    )
    text = charts["agreement_histogram"].sentence
    assert text.startswith("On 3 of 5 usages (60 %) at least nine of ten verdicts agree; ")
    assert text.endswith("on 1 fewer than three of four do.")


@pytest.mark.wide
def test_names_of_strangers_are_only_text():
    study = whole_study()
    names = VerdictNames((HOSTILE, "B", "C"), (HOSTILE, *study.names.judges[1:]), study.names.usages,
                         study.names.documents)  # fmt: skip
    for chart in VERDICTS.charts_of(analyse(replace(study, names=names), VERDICTS.study.sections).tables).values():
        assert "<script" not in to_svg(chart)
        drawn(chart)


@pytest.mark.parametrize(("systems", "judges", "usages"), [(1, 2, 1), (8, 70, 6), (1, 120, 3), (0, 2, 4)])
def test_few_and_many_are_drawn_or_explained(systems, judges, usages):
    random = np.random.default_rng(1)
    rows = ("".join(random.choice(list("ek"), judges)) for _ in range(usages))
    cast, classes = verdicts(*rows), random.random((systems, usages))
    chosen = QUICK.changed(most_judges=200)
    charts = VERDICTS.charts_of(
        analyse(study_of(cast, classes, chosen, gold=[1] * usages), VERDICTS.study.sections).tables
    )
    for chart in charts.values():
        assert chart.sentence.endswith(".")
        if chart.svg:
            drawn(chart)
    assert bool(charts["verdict_judges"].svg) == (judges <= 60)
    assert bool(charts["enough"].svg) == (judges <= 100)


@pytest.mark.parametrize("name", analyse(whole_study(), VERDICTS.study.sections).tables)
def test_unknown_numbers_are_not_drawn(name, tables):
    known = {"system", "by", "measure", "judge", "expert", "low", "high", "against", "judges", "other", "instances"}
    rows = [tuple(cell if of in known else None for of, cell in line.items()) for line in tables[name].dicts()]
    for chart in VERDICTS.charts_of(tables | {name: replace(tables[name], rows=tuple(rows))}).values():
        drawn(chart)
        assert "nan" not in chart.svg.lower()
        assert "None" not in chart.svg


def test_empty_tables_have_no_chart(tables):
    assert VERDICTS.charts_of({name: Table(name, table.columns, ()) for name, table in tables.items()}) == {}
