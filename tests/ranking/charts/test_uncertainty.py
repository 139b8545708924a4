"""Both uncertainties side by side: ranges, clusters, and what they mean."""

from dataclasses import replace

from ranking.charts.uncertainty import uncertainty
from tests.ranking.charts.cast import both_ways, marks, standings, tables, texts

SYSTEMS = ("Heron", "Wren", "Magpie", "source")


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
