"""Usages and classifications of them: read exactly, or refused in sentences with file and line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.material.rules.usages import GivenUsage, holds_usages, read_classes, read_usages
from judgments.rules.files.text_files import UploadedFile
from tests.judgments.rules.refusals import complaints

TOY = b"id,sentence,start,end,gold\na1,In the May 5 .,3,6,error\na2,In May .,0,2,\n"


def problems_in(read, *given: object) -> str:
    return "\n".join(complaints(read, *given))


def test_usages_have_spans_of_characters_or_tokens():
    first, second = read_usages("toy.csv", TOY)
    assert first == GivenUsage("a1", "", "In the May 5 .", 3, 6, True)
    assert first.span == "the"
    assert (second.span, second.gold) == ("In", None)
    (one,) = read_usages("toy.csv", b"id,sentence,start_token,end_token\na,In  the May 5 .,1,3\n")
    assert one.span == "the May"
    (one,) = read_usages("toy.csv", b'id,sentence,start,end\na,"In May, 5",0,2\n')
    assert one.sentence == "In May, 5"
    semicolons = UploadedFile("toy.csv", b"id;sentence;start;end\na;In May, 5;0;2\n")
    assert holds_usages(semicolons)
    assert read_usages(semicolons.name, semicolons.content) == [one]
    row = {"id": "a1", "document": "d", "sentence": "In the May 5 .", "start": 3, "end": 6, "gold": 1}
    spaced = row | {"id": " a\n", "document": " d ", "sentence": " In the"}
    content = json.dumps(row).encode() + b"\n\n" + json.dumps(spaced).encode()
    assert read_usages("toy.jsonl", content) == [
        GivenUsage("a1", "d", "In the May 5 .", 3, 6, True), GivenUsage("a", "d", " In the", 3, 6, True)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("row", "what"),
    [
        (b",x y,0,1,", "line 2: needs an id"),
        (b"a,,0,1,", "line 2: needs a sentence"),
        (b"a,x y,0,9,", "does not lie in the sentence of 3 characters"),
        (b"a,x y,1,1,", "or is empty"),
        (b"a,x y,-1,1,", "does not lie in the sentence"),
        (b"a,x y,one,1,", "does not lie in the sentence"),
        (b"a,x y,,,", "needs a span, either as start and end"),
        (b"a,x y,0,1,maybe", "has 'maybe' as gold; write error, ok, or nothing"),
        (b"a,x y,0,1", "has 4 cells where the header has 5"),
    ],
)
def test_faults_are_reported_with_their_line(row, what):
    assert what in problems_in(read_usages, "toy.csv", b"id,sentence,start,end,gold\n" + row + b"\n")


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (b"{", "line 1: is not JSON; write one object a line"),
        (b"[1]", "is not a JSON object"),
        (b"[" * 100_000, "is not JSON"),
        (b'{"id": "a", "colour": 1}', "has unknown fields: colour"),
        (b'{"id": ["a"]}', "has a id that is neither a text"),
        *[
            (b'{"start": 0, "end": 1, %s}' % fields, what)
            for fields, what in [
                (rb'"id": "a", "sentence": "x \ud800"', "has a sentence with a control character or half a"),
                (rb'"id": "a", "sentence": "x \u0000"', "has a sentence with a control character"),
                (rb'"id": "a", "sentence": "x\r"', "has a sentence with a control character"),
                (rb'"id": "a\ud800", "sentence": "x"', "a domain with a line break"),
                (rb'"id": "a\rb", "sentence": "x"', "a domain with a line break"),
                (rb'"id": "a", "document": "\ud800", "sentence": "x"', "has an id, a document"),
                (rb'"id": "a", "sentence": "x", "start": 0.5', "has a start that is neither a text nor a whole number"),
            ]
        ],
    ],
)
def test_faults_in_json_are_reported(line, what):
    assert what in problems_in(read_usages, "toy.jsonl", line + b"\n")


def test_an_id_stands_once_and_a_file_of_nothing_is_reported():
    assert "has the id 'a1' of line 2" in problems_in(read_usages, "toy.csv", TOY.replace(b"a2", b"a1"))
    assert "holds no usage" in problems_in(read_usages, "toy.csv", b"id,sentence,start,end\n")
    assert "lacks the columns id, sentence" in problems_in(read_usages, "toy.csv", b"x\n")


IDS = {"a1", "a2"}


def test_classes_and_probabilities():
    assert read_classes("lm.csv", b"id,class\na1,1\na2,ok\n", IDS) == {"a1": 1.0, "a2": 0.0}
    assert read_classes("lm.csv", b"id,probability\na1,0.25\n", IDS) == {"a1": 0.25}
    assert read_classes("lm", b"a1 error\na2 1e-3\n", IDS) == {"a1": 1.0, "a2": 0.001}


@given(st.floats(0, 1))
def test_every_probability_is_read_as_programs_write_it(value):
    for written in (repr(value), f"{value:.20f}", f"{value:E}", f"{value:.3e}"):
        assert read_classes("lm", f"a1 {written}\n".encode(), IDS) == {"a1": float(written)}


def test_long_and_strange_numbers_are_no_probabilities():
    for value in ("1_0", "inf", "nan", "1e400", "1e-9999999999x", "0." + "1" * 40, "٠", "+1", "0x1p-1", "."):
        assert "write 1 (error), 0 (fine) or a probability" in problems_in(
            read_classes, "lm", f"a1 {value}\n".encode(), IDS
        )
    assert read_classes("lm", b"a1 1e-400\na2 1.5E-007\n", IDS) == {"a1": 0.0, "a2": 1.5e-7}


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("lm", b"a3 1\n", "line 1: names the usage 'a3', which does not exist"),
        ("lm", b"a1 1\na1 0\n", "line 2: names the usage 'a1' twice"),
        ("lm", b"a1 2\n", "has '2'; write 1 (error), 0 (fine) or a probability"),
        ("lm", b"a1 nan\n", "has 'nan'"),
        ("lm", b"a1 -0.1\n", "has '-0.1'"),
        ("lm", b"a1\n", "is not a line 'ID VALUE'"),
        ("lm", b"\n", "contains no classification"),
        ("lm.csv", b"id,x\na1,1\n", "lacks a column class or probability"),
    ],
)
def test_faults_in_classes_are_reported(name, content, what):
    assert what in problems_in(read_classes, name, content, IDS)
