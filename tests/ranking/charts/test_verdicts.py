"""Charts of reports on verdicts: positions, sentences, few and many."""

from dataclasses import replace

import numpy as np
import pytest

from judgments.charts.svg import Chart
from ranking.numbers.tables import Table
from ranking.reports.kinds.verdicts import VERDICTS
from ranking.stats.analysis import analyse
from ranking.stats.verdicts.study import VerdictStudy
from tests.ranking.charts.cast import marks, texts, xml_of
from tests.ranking.stats.verdicts.cast import QUICK, study_of, verdicts, whole_study


def charts_of(study: VerdictStudy) -> dict[str, Chart]:
    return VERDICTS.charts_of(analyse(study, VERDICTS.sections).tables)


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    return analyse(whole_study(), VERDICTS.sections).tables


def test_bins_have_a_point_with_an_interval_for_each_system_beside_weighted_measures(tables):
    chart = VERDICTS.charts_of(tables)["measures"]
    systems = list(dict.fromkeys(tables["measures"].column("system")))
    assert texts(chart, "name")[: len(systems)] == systems
    assert len(marks(chart, "circle", "point hollow")) == 3 * len(systems)
    assert len(marks(chart, "line", "interval")) == 6 * len(systems)
    lines = tables["bins"].dicts()
    chart = VERDICTS.charts_of(tables)["bins"]
    assert len(marks(chart, "circle", "point")) == 2 * len(lines)
    assert {"50–75", "75–90", "90–100", "A", "B", "C"} <= set(texts(chart))
    kappas = [line for line in lines if line["kappa"] is not None]
    assert len(marks(VERDICTS.charts_of(tables)["bins_kappa"], "circle", "point")) == len(kappas)


BINS = ("system", "low", "high", "usages", "errors", "precision", "precision_low", "precision_high", "recall",
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
    charts = charts_of(study_of(cast, [[1, 0, 1, 0]], experts=(3, 4)))
    assert "0.50 that experts have with each other" in charts["enough"].sentence
    assert "experts" in texts(charts["enough"])


@pytest.mark.wide
def test_the_sentence_names_gold(tables):
    study = whole_study()
    charts = charts_of(replace(study, is_expert=np.zeros(7, dtype=bool)))
    assert charts["enough"].sentence.startswith("Compared with gold, one judge agrees in ")
    each = charts_of(replace(study, parameters=QUICK.with_changes(experts="each")))
    assert each["enough"].sentence.startswith("Compared with each expert, ")


def test_the_histogram_counts_by_hand():
    text = charts_of(study_of(verdicts("eeee", "eeee", "kkkk", "eeek", "eekk")))["agreement_histogram"].sentence
    assert text.startswith("On 3 of 5 usages (60%) at least nine of ten verdicts agree; ")
    assert text.endswith("on 1 fewer than three of four do.")


@pytest.mark.parametrize(("systems", "judges", "usages"), [(1, 2, 1), (8, 70, 6), (1, 120, 3), (0, 2, 4)])
def test_few_and_many_are_drawn_or_explained(systems, judges, usages):
    random = np.random.default_rng(1)
    rows = ("".join(random.choice(list("ek"), judges)) for _ in range(usages))
    cast, classes = verdicts(*rows), random.random((systems, usages))
    charts = charts_of(study_of(cast, classes, QUICK.with_changes(most_judges=200), gold=[1] * usages))
    for chart in charts.values():
        assert chart.sentence.endswith(".")
        if chart.svg:
            xml_of(chart)
    assert bool(charts["verdict_judges"].svg) == (judges <= 60)
    assert bool(charts["enough"].svg) == (judges <= 100)
