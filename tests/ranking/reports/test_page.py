"""The order of a report: the verdict, then chapters in which every chart has its numbers and no table is lost."""

from ranking.numbers.tables import Table
from ranking.reports.kinds.comparisons import COMPARISONS
from ranking.reports.kinds.corrections import CORRECTIONS
from ranking.reports.kinds.kind import KINDS, kind_named
from ranking.reports.page import chapters_of, missing_of, rankings_of
from tests.ranking.charts.cast import tables


def test_chapters_come_in_the_order_of_questions_after_the_ranking_to_cite():
    made = tables()
    assert [chapter.title for chapter in chapters_of(COMPARISONS, made, COMPARISONS.charts_of(made))] == [
        "Other methods", "How certain the ranking is", "Head to head", "Metrics against people",
        "Agreement and judges", "What was judged", "Accuracy",
    ]  # fmt: skip
    first, second = rankings_of(tables())
    assert (first["label"], second["label"]) == ("Expected Wins", "Bradley-Terry with ties")
    assert [standing["system"] for standing, *_ in first["bars"]["rows"]] == ["Heron", "Wren", "source"]
    assert rankings_of({}) == []
    assert chapters_of(COMPARISONS, {}, {}) == []
    for kind in map(kind_named, KINDS):
        assert len({plan.key for plan in kind.chapters}) == len(kind.chapters)


def test_every_chart_is_planned_for_and_has_its_numbers():
    made = tables()
    charts = COMPARISONS.charts_of(made)
    figures = [figure for chapter in chapters_of(COMPARISONS, made, charts) for figure in chapter.figures]
    shown = [figure.chart.name for figure in figures if figure.chart]
    assert sorted(shown) == sorted(name for name in charts if not name.startswith("forest"))
    for figure in figures:
        assert tuple(table.name for table in figure.tables) == figure.chart.tables


def test_words_and_gaps_stand_only_above_what_they_are_about():
    agreed = Table.of("category_agreement", ("category", "gold", "f"), [])
    shares = Table.of("edits_by_category", ("category", "judge", "edits", "share"), [("Nn", "everybody", 1, 1.0)])
    tables = {table.name: table for table in (agreed, shares)}
    (chapter, _) = chapters_of(CORRECTIONS, tables, CORRECTIONS.charts_of(tables))
    assert (chapter.key, chapter.words) == ("categories", "")
    judges = {name: Table.of(name, ("judge",), [("ada",)]) for name in ("labels", "same_as_others")}
    (chapter,) = chapters_of(CORRECTIONS, judges, {})
    assert chapter.words.startswith("Two judges may both be right")
    (chapter,) = chapters_of(CORRECTIONS, {"labels": judges["labels"]}, {})
    assert chapter.words == ""
    gaps = {"same_as_others": "Why.", "fewer documents": "Why.", "Williams' tests": "Else."}
    wanted = [("Fewer documents, The same as one of others", "Why."), ("Williams' tests", "Else.")]
    assert missing_of(CORRECTIONS, gaps) == wanted


def test_no_table_is_lost():
    table = Table.of("new_numbers", ("number",), [(1,)])
    made = tables() | {"new_numbers": table, "reliability": Table.of("reliability", ("value",), [(0.5,)])}
    chapters = {chapter.key: chapter for chapter in chapters_of(COMPARISONS, made, COMPARISONS.charts_of(made))}
    assert [figure.title for figure in chapters["others"].figures] == ["New numbers"]
    assert [figure.title for figure in chapters["judges"].figures] == [
        "Agreement of the judges", "Rankings by single judges", "Reliability"
    ]  # fmt: skip
    shown = {table.name for chapter in chapters.values() for figure in chapter.figures for table in figure.tables}
    assert shown == made.keys() - {"standings"}
