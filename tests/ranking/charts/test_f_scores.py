"""F of every system over beta."""

from ranking.charts.f_curves import F_SCORES_MOST, f_scores
from ranking.numbers.tables import Table
from tests.ranking.charts.cast import HOSTILE, texts

COLUMNS = ("metric", "beta", "system", "f")


def table(curves: dict[str, tuple[float, ...]], metric: str = "M2") -> dict[str, Table]:
    rows = [
        (metric, beta, system, value)
        for system, values in curves.items()
        for beta, value in zip((0.1, 0.5, 2.0), values, strict=True)
    ]
    return {"f_scores": Table.of("f_scores", COLUMNS, rows)}


def test_a_curve_a_system_named_at_its_end():
    (chart,) = f_scores(table({"Heron": (0.7, 0.4, 0.2), "Wren": (0.5, 0.45, 0.4)}))
    assert str(chart.svg).count("<polyline") == 2
    assert {"Heron", "Wren", "M2"} <= set(texts(chart))
    (chart,) = f_scores(table({f"S{number}": (0.1, 0.2, 0.3) for number in range(F_SCORES_MOST + 1)}))
    assert not chart.svg
    assert "see the numbers below" in chart.sentence
    (chart,) = f_scores(table({HOSTILE: (0.1, 0.2, 0.3), "Wren": (0.2, 0.2, 0.2)}))
    assert "<script>" not in str(chart.svg)
    assert f_scores({}) == []


def test_the_sentence_names_the_best_systems_at_both_ends_and_counts_changes_of_place():
    (chart,) = f_scores(table({"Heron": (0.7, 0.4, 0.2), "Wren": (0.5, 0.45, 0.4), "Owl": (0.1, 0.1, 0.1)}))
    assert chart.sentence == (
        "By M2 Heron is best at beta 0.1 and Wren at 2; 1 of 3 pairs of systems change places between."
    )
    (chart,) = f_scores(table({"Heron": (0.7, 0.4, 0.6), "Wren": (0.5, 0.45, 0.4)}))
    assert chart.sentence == (
        "By M2 Heron is best both at beta 0.1 and at 2; 0 of 1 pair of systems change places between."
    )
