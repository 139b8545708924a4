"""F of every system over beta."""

from ranking.plots.f_scores import MOST, f_scores
from ranking.stats.tables import Table
from tests.ranking.plots.cast import HOSTILE, texts

COLUMNS = ("metric", "beta", "system", "f")


def table(curves: dict[str, tuple[float, ...]], metric: str = "M2") -> dict[str, Table]:
    rows = [
        (metric, beta, system, value)
        for system, values in curves.items()
        for beta, value in zip((0.1, 0.5, 2.0), values, strict=True)
    ]
    return {"f_scores": Table.of("f_scores", COLUMNS, rows)}


def test_a_curve_a_system_named_at_its_end():
    (plot,) = f_scores(table({"Heron": (0.7, 0.4, 0.2), "Wren": (0.5, 0.45, 0.4)}))
    assert str(plot.svg).count("<polyline") == 2
    assert {"Heron", "Wren", "M2"} <= set(texts(plot))


def test_the_sentence_says_who_is_best_at_either_end_and_who_changes_places():
    (plot,) = f_scores(table({"Heron": (0.7, 0.4, 0.2), "Wren": (0.5, 0.45, 0.4), "Owl": (0.1, 0.1, 0.1)}))
    assert plot.sentence == (
        "By M2 Heron is best at beta 0.1 and Wren at 2; 1 of 3 pairs of systems change places between."
    )


def test_who_is_best_at_both_ends_is_named_once():
    (plot,) = f_scores(table({"Heron": (0.7, 0.4, 0.6), "Wren": (0.5, 0.45, 0.4)}))
    assert plot.sentence == (
        "By M2 Heron is best both at beta 0.1 and at 2; 0 of 1 pair of systems change places between."
    )


def test_too_many_curves_are_left_to_the_numbers():
    (plot,) = f_scores(table({f"S{number}": (0.1, 0.2, 0.3) for number in range(MOST + 1)}))
    assert not plot.svg
    assert "the numbers have them all" in plot.sentence


def test_hostile_names_are_text():
    (plot,) = f_scores(table({HOSTILE: (0.1, 0.2, 0.3), "Wren": (0.2, 0.2, 0.2)}))
    assert "<script>" not in str(plot.svg)


def test_without_the_table_there_is_no_plot():
    assert f_scores({}) == []
