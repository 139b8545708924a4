"""Rankings: places follow values, one order in all charts, both uncertainties, squares of pairs, and accuracy."""

from dataclasses import replace
from itertools import combinations

import pytest

from ranking.charts.rankings import accuracy, forests, head_to_head, standings_of, uncertainty
from ranking.numbers.tables import Table
from ranking.stats.comparisons.standings import SIMULTANEOUS, STANDINGS
from tests.ranking.charts.cast import both_ways, change_rows, marks, standings, tables, texts

SYSTEMS = ("Heron", "Wren", "Magpie", "source")


def of(*rows) -> dict[str, Table]:
    return {"standings": Table.of("standings", STANDINGS, rows)}


@pytest.mark.parametrize(
    ("clusters", "letters", "shown"),
    [
        ((1, 1, 1, 1), "a ab ab b", "a ab ab b"),
        pytest.param((1, 1, 1, 2), "a ab ab b", "", id="where the order breaks, clusters say it"),
        pytest.param((1, 1, 1, 1), "a a a a", "", id="where nothing is separated, letters say no more"),
    ],
)
def test_where_the_order_has_no_break_systems_have_letters_and_ranks_that_hold_for_all(clusters, letters, shown):
    together = [("expected-wins", system, 0.0, 1.0, 1, 4, letter)
                for system, letter in zip(SYSTEMS, letters.split(), strict=True)]  # fmt: skip
    found, has_letters = standings_of(
        of(*standings(SYSTEMS, clusters=clusters)) | {"simultaneous": Table.of("simultaneous", SIMULTANEOUS, together)},
        "expected-wins",
    )
    assert has_letters is bool(shown)
    assert [line.get("letters") for line in found] == (shown.split() if shown else [None] * 4)
    assert [line["rank_high"] for line in found] == ([4, 4, 4, 4] if shown else [2, 3, 4, 4])


def test_better_scores_are_further_right_within_their_intervals_and_ranges_are_shown():
    (chart,) = forests(of(*standings(SYSTEMS)))
    points, intervals = marks(chart, "circle", "point"), marks(chart, "line", "interval")
    places = [point["cx"] for point in points]
    assert places == sorted(places, reverse=True)
    for point, interval in zip(points, intervals, strict=True):
        assert interval["x1"] < point["cx"] < interval["x2"]
        assert interval["y1"] == interval["y2"] == point["cy"]
    assert [text for text in texts(chart) if "–" in text] == ["1–2", "2–3", "3–4"]
    for chart in forests(tables(SYSTEMS)):
        assert texts(chart, "name") == list(SYSTEMS)


def test_all_methods_have_the_order_of_the_first_and_a_band_a_cluster():
    rows = [*standings(SYSTEMS), *standings(SYSTEMS[::-1], "bradley-terry")]
    first, second = forests(of(*rows))
    assert texts(first, "name") == texts(second, "name")
    places = [point["cx"] for point in marks(second, "circle", "point")]
    assert places == sorted(places)
    (chart,) = forests(of(*standings(SYSTEMS, clusters=(1, 1, 2, 3))))
    heights = [band["height"] for band in marks(chart, "rect", "band")]
    assert heights == [2 * heights[1], heights[1], heights[1]]


def test_an_unknown_score_has_no_point_and_equal_ones_are_in_the_middle():
    rows = [list(row) for row in standings(SYSTEMS)]
    rows[1][5:8] = [None, None, None]
    rows[2][6:8] = [None, None]
    (chart,) = forests(of(*rows))
    assert len(marks(chart, "circle", "point")) == 3
    assert len(marks(chart, "line", "interval")) == 2
    assert "not known" in texts(chart)
    rows = [(*row[:5], 0.5, 0.5, 0.5, *row[8:]) for row in standings(SYSTEMS)]
    (chart,) = forests(of(*rows))
    assert len({point["cx"] for point in marks(chart, "circle", "point")}) == 1


@pytest.mark.parametrize(
    ("clusters", "message"),
    [((1, 2, 2, 2), "Heron is alone in the first of 2 clusters, with the highest score, 1.000 (0.900 to 1.075) and a"),
     ((1, 1, 2, 3), "Heron and Wren share the first of 3 clusters; Heron"),
     ((1, 1, 1, 1), "All 4 systems are in one cluster; Heron")],
)  # fmt: skip
def test_the_sentence_names_the_first_cluster(clusters, message):
    (chart,) = forests(of(*standings(SYSTEMS, clusters=clusters)))
    assert chart.sentence.startswith(message)


def test_the_sentence_names_all_systems_with_the_best_score():
    (chart,) = forests(of(*((*row[:5], 0.5, *row[6:]) for row in standings(SYSTEMS))))
    assert chart.sentence.endswith("; Heron, Wren, Magpie and source have the highest score, 0.500.")


def test_both_ways_are_side_by_side_in_the_order_of_the_ranking():
    (chart,) = uncertainty(tables(SYSTEMS))
    assert texts(chart, "name") == list(SYSTEMS)
    assert "Published: single comparisons" in texts(chart)
    assert "Recommended: whole sentences" in texts(chart)
    bars = marks(chart, "rect", "bar")
    published, recommended = bars[:4], bars[4:]
    assert [bar["x"] for bar in published] == sorted(bar["x"] for bar in published)
    assert max(bar["x"] + bar["width"] for bar in published) < min(bar["x"] for bar in recommended)
    assert [bar["y"] for bar in published] == [bar["y"] for bar in recommended]
    assert min(bar["width"] for bar in recommended) > 4 * max(bar["width"] for bar in published)
    assert [text for text in texts(chart) if "–" in text] == ["1–4"] * 4
    heights = [band["height"] for band in marks(chart, "rect", "band")]
    assert heights == [28, 28, 28, 28, 112]
    made = tables(SYSTEMS)
    turned = replace(made["standings"], rows=tuple(map(tuple, standings(SYSTEMS[::-1]))))
    (chart,) = uncertainty(made | {"standings": turned})
    assert texts(chart, "name") == list(SYSTEMS[::-1])
    rows = tuple(row for row in map(tuple, both_ways(SYSTEMS)) if row[0] == "published")
    assert uncertainty(made | {"uncertainty": replace(made["uncertainty"], rows=rows)}) == []


def test_the_sentence_says_what_the_difference_means():
    (chart,) = uncertainty(tables(SYSTEMS))
    assert chart.sentence == (
        "By Expected Wins, drawing single comparisons as published makes 4 clusters; drawing whole sentences makes 1. "
        "From its best to its worst rank a system moves by 0.0 places on average the published way, "
        "and by 3.0 the recommended way. The published way treats single comparisons as independent; "
        "but those on one sentence belong together, so it looks more certain than it is."
    )
    (chart,) = uncertainty(tables(SYSTEMS[:1]))
    assert "more certain" not in chart.sentence


def test_rows_and_columns_are_in_the_order_of_the_ranking_which_some_contradict():
    systems = ("Wren", "Heron", "source")
    (chart,) = head_to_head(tables(systems))
    assert texts(chart, "name") == list(systems)
    assert texts(chart, "name column") == list(systems)
    made = tables()
    turned = {("Heron", "Wren"): 0.2, ("Wren", "Heron"): 0.8}
    shares = change_rows(made, "head_to_head", lambda row: [*row[:5], turned.get((row[0], row[1]), row[5]), *row[6:]])
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
    assert chart.sentence.endswith("By their own comparisons, for these judges, 3 pairs differ (p at most 0.05).")
    systems = [f"S{number}" for number in range(20)]
    (chart,) = head_to_head(separating(systems, *(("expected-wins", *pair, True) for pair in combinations(systems, 2))))
    written = texts(chart)
    assert written.count("*") == 20 * 19
    assert "wins all" in written


def test_accuracy_is_beside_its_baselines():
    (chart,) = accuracy(tables())
    assert texts(chart, "name") == ["Expected Wins", "always a tie"]
    assert len(marks(chart, "circle", "point")) == 3
    assert len(marks(chart, "circle", "point hollow")) == 1
    assert chart.sentence == (
        "Of decisive comparisons Expected Wins predicts 0.800. "
        "Of all comparisons, ties among them, Expected Wins predicts 0.600 (always a tie 0.200)."
    )
