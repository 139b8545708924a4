"""Forest charts: places follow values, intervals hold their points, one order in all of them."""

import pytest

from ranking.charts.forest import forests, sentence
from ranking.numbers.tables import Table
from ranking.stats.comparisons.standings import STANDINGS
from tests.ranking.charts.cast import marks, standings, tables, texts

SYSTEMS = ("Heron", "Wren", "Magpie", "source")


def of(*rows) -> dict[str, Table]:
    return {"standings": Table.of("standings", STANDINGS, rows)}


def lines(*args, **named) -> list[dict]:
    return of(*standings(*args, **named))["standings"].dicts()


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
    assert sentence(lines(SYSTEMS, clusters=clusters)).startswith(message)


def test_the_sentence_names_all_systems_with_the_best_score():
    message = sentence([line | {"score": 0.5} for line in lines(SYSTEMS)])
    assert message.endswith("; Heron, Wren, Magpie and source have the highest score, 0.500.")
