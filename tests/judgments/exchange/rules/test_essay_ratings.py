"""Ratings of whole texts in tables and in blocks by system: numbers, reasons, what is left out and what is wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.exchange.importers.rules.essay_ratings import read_essay_blocks, read_essay_table
from judgments.exchange.importers.rules.ratings import Ratings
from judgments.rules.authored.rubrics import read_rubric
from tests.judgments.rules.refusals import answer_or_problems, complaints

RUBRIC = read_rubric("? Grammaticality\n1: bad\n4: good\n-: other\n\n? Fluency\n1: bad\n4: good\n")
HEADER = "essay,system,annotator,scale,value"


def table(*rows: str, header: str = HEADER) -> Ratings:
    return read_essay_table("x.csv", "\n".join([header, *rows, ""]).encode(), RUBRIC)


def blocks(text: str, essays: tuple[str, ...] = ("a", "b")) -> Ratings:
    return read_essay_blocks("swe", text.encode(), RUBRIC, essays, "ada")


def said(ratings: Ratings) -> list[tuple]:
    rows = ((one, *one.groups[0]) for one in ratings.recorded)
    return [(one.about, system, one.judge, dict(said.scores), dict(said.reasons)) for one, system, said in rows]


def test_rows_of_one_version_are_one_rating_and_words_are_reasons():
    rows = ("7,Heron,ada,Fluency,3", "7,Heron,ada,Grammaticality,Other", "7,Wren,ada,Fluency,1", "8,Heron,ben,Fluency,")
    assert said(table(*rows)) == [
        ("7", "Heron", "ada", {"Grammaticality": None, "Fluency": 3}, {"Grammaticality": "Other"}),
        ("7", "Wren", "ada", {"Fluency": 1}, {}),
        ("8", "Heron", "ben", {"Fluency": None}, {}),
    ]
    assert said(table("7,Heron,ada,Fluency,3", header="essay id,system,annotator,scale,value"))[0][0] == "7"


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ("7,Heron,ada,Fluency,5", "x.csv, line 2: has 5 on Fluency, which goes from 1 to 4"),
        ("7,Heron,ada,Fluency,2.5", "x.csv, line 2: has 2.5 on Fluency"),
        ("7,Heron,ada,Fleuncy,2", "x.csv, line 2: has the scale 'Fleuncy'; the rubric has Grammaticality, Fluency"),
        (",Heron,ada,Fluency,2", "x.csv, line 2: names no text"),
        ("7,/,ada,Fluency,2", "x.csv, line 2: '/' cannot name a system"),
        ("7,Heron,,Fluency,2", "x.csv, line 2: a judge's name is empty"),
        (f"7,Heron,ada,Fluency,{'x' * 201}", "x.csv, line 2: has a reason of more than 200 characters"),
    ],
)
def test_faults_of_a_table_are_named_with_their_line(row, complaint):
    (found,) = complaints(table, row)
    assert found.startswith(complaint)
    twice = complaints(table, "7,Heron,ada,Fluency,2", "7,Heron,ada,Fluency,3")
    assert twice[0].startswith("x.csv, line 3: rates Heron")
    assert complaints(table, "7,Heron", header="text,system")[0].startswith("x.csv, line 1: lacks the columns")


def test_blocks_follow_the_order_of_the_texts_and_misspelt_lines_are_left_out_and_named():
    found = blocks(
        "#Heron\nGrammaticality: 3 Fluency: 2\nGrammaticlaity: 3 Fluency: 3\n\n"
        "#Wren\nGrammaticality: Other Fluency: 1\nGrammaticality: 4 Fluency: 4\n"
    )
    assert said(found) == [
        ("a", "Heron", "ada", {"Grammaticality": 3, "Fluency": 2}, {}),
        ("a", "Wren", "ada", {"Grammaticality": None, "Fluency": 1}, {"Grammaticality": "Other"}),
        ("b", "Wren", "ada", {"Grammaticality": 4, "Fluency": 4}, {}),
    ]
    assert found.notes == ["swe: line 3 names 'Grammaticlaity', which is no scale of the rubric; the line is left out"]
    assert [one.about for one in blocks("#Heron\nFluency: 2\nFluency: 1", ()).recorded] == ["1", "2"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("#Heron\nFluency: 2\n", "swe, line 1: the block of Heron has 1 line, and the campaign 2 texts"),
        ("Fluency: 2\nFluency: 2\n", "swe, line 1: names no system"),
        ("#Heron\nFluency: 2\nfluent\n", "swe, line 3: 'fluent' cannot be read"),
        ("#Heron\nFluency: 2\nFluency: 9\n", "swe, line 3: has 9 on Fluency"),
        ("#A\nFluency: 2\nFluency: 2\n#A\nFluency: 2\nFluency: 2\n", "swe, line 4: A has a second block"),
        ("#Heron\nForm: 2\nForm: 2\n", "swe: names no scale of the rubric, which has Grammaticality, Fluency"),
        ("\n", "swe: has no block"),
    ],
)
def test_faults_of_blocks_are_named_with_their_line(text, complaint):
    assert complaints(blocks, text)[0].startswith(complaint)


@given(st.text(alphabet="#HeronFluency: 29\n,", max_size=60))
def test_any_file_gives_ratings_or_problems(text):
    answer_or_problems(lambda: blocks(text, ()))
    answer_or_problems(lambda: table(*text.split("\n")))
