"""The order of a report: the verdict, then chapters in which every plot has its numbers and no table is lost."""

from ranking.chapters import PLANS, chapters_of, missing_of, rankings_of
from ranking.plots.gallery import plots_of
from ranking.stats.tables import Table
from tests.ranking.plots.cast import tables


def test_chapters_come_in_the_order_of_questions():
    made = tables()
    assert [chapter.title for chapter in chapters_of(made, plots_of(made))] == [
        "How sure the ranking is",
        "Head to head",
        "Metrics against people",
        "Agreement and judges",
        "What was judged",
        "Accuracy",
    ]


def test_the_verdict_is_every_ranking_with_its_plot():
    made = tables()
    first, second = rankings_of(made, plots_of(made))
    assert (first.label, second.label) == ("Expected Wins", "Bradley-Terry with ties")
    assert first.plot.name == "forest_expected-wins"
    assert [line["system"] for line in first.lines] == ["Heron", "Wren", "source"]
    assert rankings_of({}, {}) == []


def test_every_plot_is_planned_for_and_has_its_numbers():
    made = tables()
    plots = plots_of(made)
    figures = [figure for chapter in chapters_of(made, plots) for figure in chapter.figures]
    shown = [figure.plot.name for figure in figures if figure.plot]
    assert sorted([*shown, *(ranking.plot.name for ranking in rankings_of(made, plots))]) == sorted(plots)
    for figure in figures:
        assert tuple(numbers.name for numbers in figure.numbers) == figure.plot.tables


def test_the_words_of_a_chapter_stand_only_above_what_they_are_about():
    agreed = Table.of("category_agreement", ("category", "gold", "f"), [])
    shares = Table.of("edits_by_category", ("category", "judge", "edits", "share"), [("Nn", "everybody", 1, 1.0)])
    told = {table.name: table for table in (agreed, shares)}
    (chapter, _) = chapters_of(told, plots_of(told))
    assert (chapter.key, chapter.words) == ("categories", "")
    judges = {name: Table.of(name, ("judge",), [("ada",)]) for name in ("labels", "same_as_others")}
    (chapter,) = chapters_of(judges, {})
    assert chapter.words.startswith("Two judges may both be right")
    (chapter,) = chapters_of({"labels": judges["labels"]}, {})
    assert chapter.words == ""


def test_what_is_missing_has_its_title_in_order_and_every_reason_stands_once():
    assert missing_of({"same_as_others": "Why.", "fewer documents": "Why.", "Williams' tests": "Else."}) == [
        ("Fewer documents, The same as one of others", "Why."),
        ("Williams' tests", "Else."),
    ]


def test_no_table_is_lost():
    table = Table.of("new_numbers", ("number",), [(1,)])
    made = tables() | {"new_numbers": table, "reliability": Table.of("reliability", ("value",), [(0.5,)])}
    chapters = {chapter.key: chapter for chapter in chapters_of(made, plots_of(made))}
    assert [figure.title for figure in chapters["others"].figures] == ["New numbers"]
    assert [figure.title for figure in chapters["judges"].figures] == ["Agreement of the judges", "Reliability"]
    shown = {numbers.name for chapter in chapters.values() for figure in chapter.figures for numbers in figure.numbers}
    assert shown == made.keys() - {"standings"}


def test_a_chapter_without_anything_is_not_there():
    assert chapters_of({}, {}) == []
    assert len({plan.key for plan in PLANS}) == len(PLANS)
