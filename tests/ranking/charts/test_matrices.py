"""Heat maps: head to head, and the agreement of judges."""

from dataclasses import replace
from itertools import combinations

from ranking.charts.agreement import agreement
from ranking.charts.drawing.heat import step_around_half, step_of_kappa
from ranking.charts.matrices import head_to_head
from ranking.numbers.tables import Table
from tests.ranking.charts.cast import marks, tables, texts


def changed(made: dict, name: str, change) -> dict:
    """Tables of which one has other rows."""
    return made | {name: replace(made[name], rows=tuple(tuple(change(list(row))) for row in made[name].rows))}


def test_rows_and_columns_are_in_the_order_of_the_ranking_which_some_contradict():
    systems = ("Wren", "Heron", "source")
    (chart,) = head_to_head(tables(systems))
    assert texts(chart, "name") == list(systems)
    assert texts(chart, "name column") == list(systems)
    made = tables()
    turned = {("Heron", "Wren"): 0.2, ("Wren", "Heron"): 0.8}
    shares = changed(made, "head_to_head", lambda row: [*row[:5], turned.get((row[0], row[1]), row[5]), *row[6:]])
    (chart,) = head_to_head(shares)
    assert chart.sentence.endswith("against the order of the ranking, Wren beats Heron.")


def separating(systems: list[str], *rows: tuple) -> dict:
    """Tables in which the methods of these rows separate pairs of systems."""
    columns = ("method", "system", "opponent", "resolved")
    return tables(systems) | {"pairs": Table.of("pairs", columns, rows)}


def test_pairs_that_the_ranking_to_cite_separates_are_marked_also_among_many_systems():
    rows = [("expected-wins", "Heron", "Wren", True), ("expected-wins", "Wren", "source", False),
            ("bradley-terry", "Wren", "source", True)]  # fmt: skip
    (chart,) = head_to_head(separating(["Heron", "Wren", "source"], *rows))
    shares = sorted(text for text in texts(chart) if "." in text)
    assert shares == [".25", ".25", ".25*", ".75", ".75", ".75*"]
    assert "* marks 1 of 3 pairs" in chart.sentence
    assert chart.sentence.endswith("By their own comparisons alone 3 differ (p at most 0.05).")
    systems = [f"S{number}" for number in range(20)]
    (chart,) = head_to_head(separating(systems, *(("expected-wins", *pair, True) for pair in combinations(systems, 2))))
    written = texts(chart)
    assert written.count("*") == 20 * 19
    assert "wins all" in written


def test_the_scales_are_even_around_a_half_and_begin_at_chance():
    shares = [0, 0.1, 0.25, 0.4, 0.5]
    for share in shares:
        assert step_around_half(share).replace("less", "more") == step_around_half(1 - share)
    assert len({step_around_half(share) for share in shares}) == 5
    classes = [step_of_kappa(kappa) for kappa in (-0.3, -0.001, 0.19, 0.2, 0.5, 0.7, 0.9, 1.0)]
    assert classes == [
        f"cell {name}" for name in ("less2", "even", "even", "more1", "more2", "more3", "more4", "more4")
    ]


def test_every_judge_is_named_once_beside_the_diagonal():
    (chart,) = agreement(tables())
    assert texts(chart, "name") == ["ada", "ben", "eve"]
    # Three with all others, three with themselves, three pairs.
    assert len(marks(chart, "rect", "cell")) == 9
    assert texts(chart).count(".35") == 3
    assert texts(chart).count(".25 to .45") == 3
    (chart,) = agreement(tables(judges=("everybody", "the rest")))
    assert texts(chart, "name") == ["everybody", "the rest"]
    made = changed(tables(), "agreement", lambda row: [*row[:4], 3, False] if row[0] == "intra" else row)
    (chart,) = agreement(made)
    assert texts(chart).count(".55*") == 3
    assert "A star marks 3 kappas from fewer than 50 comparisons." in chart.sentence
    made = tables()
    rows = tuple(row for row in made["agreement"].rows if row[:3] != ("inter", "ada", "eve"))
    (chart,) = agreement(made | {"agreement": replace(made["agreement"], rows=rows)})
    assert len(marks(chart, "rect", "cell void")) == 1
    assert texts(chart).count(".35") == 2


def test_the_sentence_on_agreement_names_the_extremes():
    made = changed(tables(), "agreement", lambda row: [*row[:3], 0.6, *row[4:]] if row[1:3] == ["ben", "eve"] else row)
    (chart,) = agreement(made)
    assert chart.sentence.startswith("Judges agree with each other at a kappa of 0.35 (0.25 to 0.45).")
    assert "highest between ben and eve (0.60) and lowest between ada and ben (0.35)." in chart.sentence
    made = tables()
    rows = tuple(row for row in made["agreement"].rows if str(row[0]).startswith("overall"))
    (chart,) = agreement({"agreement": replace(made["agreement"], rows=rows)})
    assert not chart.svg
    assert chart.sentence.startswith("Judges agree with each other")
    assert "matrix" not in chart.sentence
