"""Upright bars: distinct outputs of sentences, and judgments by day."""

import re
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

import pytest

from ranking.charts.judged import distinct_outputs, judgments_over_time
from ranking.numbers.tables import Table
from tests.ranking.charts.cast import SVG, marks, tables, texts, xml_of

LABEL = re.compile(r"\d+ [A-Z][a-z]{2}|[A-Z][a-z]{2} \d{4}")
DISTINCT, TIME = ("distinct", "sentences", "share"), ("day", "judgments", "judges")


def by_day(*days) -> dict[str, Table]:
    return {"judgments_over_time": Table.of("judgments_over_time", TIME, days)}


def every(step: int, days: int) -> list[tuple]:
    """Some judgments, then nothing for some days, and so on."""
    first = date(2026, 1, 30)
    return [((first + timedelta(place * step)).isoformat(), 10 + place % 5, 2) for place in range(days)]


def distinct(*rows) -> dict[str, Table]:
    return {"distinct_outputs": Table.of("distinct_outputs", DISTINCT, rows)}


def test_bars_are_as_high_as_there_are_sentences():
    (chart,) = distinct_outputs(tables())
    heights = [bar["height"] for bar in marks(chart, "rect", "bar")]
    assert heights == [24, 180, 60]
    assert [text for text in texts(chart) if text.isdigit()] == ["4", "30", "10", "1", "2", "3"]
    assert chart.sentence == (
        "On 44 sentences the systems have 2.1 distinct outputs on average, most often 2 (30 sentences); "
        "on 4 (9.1%) all of them agree."
    )
    (chart,) = distinct_outputs(distinct((1, 0, 0.0), (2, 1, 1.0)))
    assert chart.sentence == (
        "On 1 sentence the systems have 2.0 distinct outputs on average, most often 2 (1 sentence); "
        "on none do all of them agree."
    )


def test_many_numbers_of_outputs_have_bars_without_labels_and_too_many_no_chart():
    (chart,) = distinct_outputs(distinct(*((number, 3, None) for number in range(1, 121))))
    assert len(marks(chart, "rect", "bar")) == 120
    assert "10" in texts(chart)
    assert "11" not in texts(chart)
    (chart,) = distinct_outputs(distinct((1, 5, 0.5), (201, 5, 0.5)))
    assert not chart.svg
    assert chart.sentence.endswith("Up to 201 distinct outputs are too many for a picture; the numbers have them all.")


def test_days_without_judgments_leave_room():
    (chart,) = judgments_over_time(tables())
    first, second, third = (bar["x"] for bar in marks(chart, "rect", "bar"))
    assert third - second == pytest.approx(3 * (second - first), abs=0.2)
    assert [text for text in texts(chart) if "Feb" in text or "Mar" in text] == [
        "26 Feb", "27 Feb", "28 Feb", "1 Mar", "2 Mar", "26 February 2026 to 2 March 2026",
    ]  # fmt: skip
    assert chart.sentence == (
        "123 judgments came on 3 of 5 days, most on 27 February 2026: 60 judgments by 3 judges."
    )  # fmt: skip
    (chart,) = judgments_over_time(by_day(("2026-02-26", 1, 1)))
    assert chart.sentence == "All of 1 judgment by 1 judge came on 26 February 2026."
    assert len(marks(chart, "rect", "bar")) == 1


@pytest.mark.parametrize(("step", "days"), [(1, 2), (1, 12), (1, 40), (1, 200), (100, 7), (149, 6)])
def test_labels_of_days_keep_apart(step, days):
    (chart,) = judgments_over_time(by_day(*every(step, days)))
    places = [float(text.get("x")) for text in xml_of(chart).iter(f"{SVG}text") if LABEL.fullmatch(text.text)]
    assert len(places) >= 2
    assert all(after - before >= 44 for before, after in pairwise(places))


def test_too_long_a_time_has_no_chart_and_unknown_numbers_no_bar():
    (chart,) = judgments_over_time(by_day(("2024-01-01", 5, 1), ("2026-02-26", 7, 1)))
    assert not chart.svg
    assert "787 days apart" in chart.sentence
    made = tables()["judgments_over_time"]
    unknown = replace(made, rows=(made.rows[0], (made.rows[1][0], None, None), (*made.rows[2][:2], None)))
    (chart,) = judgments_over_time({"judgments_over_time": unknown})
    assert len(marks(chart, "rect", "bar")) == 2
    assert chart.sentence == "63 judgments came on 2 of 5 days, most on 26 February 2026: 40 judgments by 2 judges."
