"""Tables as material: every format, wide and long, with what is guessed and what is asked."""

import io
import json

import pytest
from openpyxl import Workbook

from judgments.material.rules.reading import UNCLEAR_LINE, EmptyLine, ReadFiles, Roles, read_tables_and_files
from judgments.rules.files.problems import Problems
from judgments.rules.files.spreadsheets import is_table
from judgments.rules.files.text_files import UploadedFile

HEADER = ["id", "source", "Wren", "Great Tit", "ref1"]
ROWS = [
    ["7", "She go home .", "She goes home .", "She went home .", "She goes home ."],
    ["8", "I has , I say , a cat .", "I have a cat .", "I has , I say , a cat .", "I have a cat ."],
    ["9", '" Yes " , he say .', '" Yes " , he says .', '" Yes , " he said .', '" Yes " , he says .'],
]


def read(*files: UploadedFile, **roles) -> ReadFiles:
    return read_tables_and_files(files, Roles(**roles))


def texts_of(found: ReadFiles) -> dict[str, list[str | None]]:
    material = found.whole()
    return {lines.name: [*lines.texts] for lines in material.everything()}


def kinds_of(found: ReadFiles) -> dict[str, str]:
    return {row.name: row.kind for row in found.files}


def problems_of(found: ReadFiles) -> list[str]:
    return [str(problem) for problem in found.problems]


def tsv(rows=(HEADER, *ROWS), name: str = "t.tsv") -> UploadedFile:
    return UploadedFile(name, "".join("\t".join(row) + "\n" for row in rows).encode())


def csv(rows=(HEADER, *ROWS), sign: str = ",", encoding: str = "utf-8") -> UploadedFile:
    quoted = [['"' + cell.replace('"', '""') + '"' for cell in row] for row in rows]
    return UploadedFile("t.csv", "\r\n".join(sign.join(row) for row in quoted).encode(encoding))


def workbook(rows=(HEADER, *ROWS), name: str = "t.xlsx", *more) -> UploadedFile:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    book.active["A2"].data_type = "s"  # a sentence, even if it begins with =
    for title in more:
        book.create_sheet(title).append(["x"])
    kept = io.BytesIO()
    book.save(kept)
    return UploadedFile(name, kept.getvalue())


def objects(rows=(HEADER, *ROWS)) -> UploadedFile:
    lines = [json.dumps(dict(zip(rows[0], row, strict=True))) for row in rows[1:]]
    return UploadedFile("t.jsonl", "\n".join(lines).encode())


def nested() -> UploadedFile:
    items = [{"source": row[1], "outputs": {"Wren": row[2], "Great Tit": row[3]}, "ref1": row[4]} for row in ROWS]
    return UploadedFile("t.json", json.dumps(items).encode())


EVERY = [
    tsv(), tsv(name="pasted"), csv(), csv(sign=";"), csv(encoding="utf-8-sig"), csv(encoding="utf-16"),
    objects(), nested(), UploadedFile("t.txt", tsv().content.decode().encode("utf-16")), workbook(),
]  # fmt: skip


@pytest.mark.parametrize("file", EVERY, ids=lambda file: file.name)
def test_every_format_gives_the_same_texts(file):
    assert is_table(file)
    found = read(file)
    assert texts_of(found) == {
        "source": [row[1] for row in ROWS],
        "Wren": [row[2] for row in ROWS],
        "Great-Tit": [row[3] for row in ROWS],
        "ref1": [row[4] for row in ROWS],
    }
    kinds = kinds_of(found)
    assert kinds.pop("id", "id") == "id"
    assert kinds == {"source": "source", "Wren": "system", "Great-Tit": "system", "ref1": "reference"}


def test_columns_are_of_another_kind_if_the_organiser_says_so():
    columns = {"id": "text", "source": "text", "Wren": "text", "Great-Tit": "document", "ref1": "text"}
    found = read(tsv(), columns=columns, source="Wren", dropped=frozenset({"id"}))
    assert kinds_of(found) | {"id": ""} == {
        "Great Tit": "document", "id": "", "source": "system", "Wren": "source", "ref1": "system"
    }  # fmt: skip
    assert "both" in str(problems_of(read(tsv([["source", "original"], ["a b", "c d"]]))))
    assert [place.document for place in found.material.places] == [row[3] for row in ROWS]


def test_documents_and_domains_come_from_their_columns():
    rows = [
        ["source", "Wren", "doc", "genre"],
        ["a b c", "d", "d1", "mail"],
        ["e f", "g", "d1", "mail"],
        ["h", "i", "d2", "x"],
    ]
    places = read(tsv(rows)).whole().places
    assert [place[1:] for place in places] == [("d1", "mail"), ("d1", "mail"), ("d2", "x")]
    assert {row.name for row in read(tsv(rows)).files} == {"source", "Wren", "doc", "genre"}


LONG = [
    ["segment", "source", "system", "output"],
    ["1", "She go home .", "Wren", "She goes home ."],
    ["1", "She go home .", "Magpie", "She went home ."],
    ["2", "She go home .", "Wren", "She goes ."],
]


def test_a_long_table_has_a_row_for_each_sentence_and_system():
    assert texts_of(read(tsv(LONG))) == {
        "source": ["She go home .", "She go home ."],
        "Wren": ["She goes home .", "She goes ."],
        "Magpie": ["She went home .", None],
    }
    twice = read(tsv([*LONG, ["2", "She go home .", "Wren", "She go ."]]))
    assert problems_of(twice)[0] == (
        "t.tsv: row 5, column D of t.tsv: a second text of Wren for the sentence of row 4; give sentences ids"
    )
    differing = read(tsv([*LONG, ["2", "She went .", "Magpie", "x"]]))
    assert "row 5, column B of t.tsv: is not what row 4 has for the same sentence" in problems_of(differing)[0]
    without = read(tsv([row[:3] for row in LONG]))
    assert "none of texts of the systems; choose one" in problems_of(without)[0]


def test_a_first_row_that_may_be_either_is_asked_about():
    either = tsv([["We agree", "They agree"], ["I go", "I went"], ["You go", "You went"]])
    assert "say whether the first row has the names of the columns or a sentence" in problems_of(read(either))[0]
    assert texts_of(read(either, header="no")) == {
        "source": ["We agree", "I go", "You go"], "column-B": ["They agree", "I went", "You went"]
    }  # fmt: skip
    named = read(either, header="yes", source="We-agree")
    assert texts_of(named) == {"We-agree": ["I go", "You go"], "They-agree": ["I went", "You went"]}


def test_sentences_in_the_first_row_are_no_names():
    found = read(tsv([row[1:3] for row in ROWS]))
    assert texts_of(found) == {"source": [row[1] for row in ROWS], "column-B": [row[2] for row in ROWS]}
    assert "column A of t.tsv counts as the source" in found.material.notes[0]


def test_cells_of_spreadsheets_are_read_as_they_are_shown():
    rows = [["source", "Wren"], ["= 2 + 2 .", 42], ["a\nb c", 1.5], ["=1+1", "x"], ["y", None]]
    problems = problems_of(read(workbook(rows)))
    assert problems[0].startswith("t.xlsx: row 4, column A of t.xlsx, sheet Sheet: has a formula without its value")
    rows[3] = ["'=1+1", "x"]
    found = read(workbook(rows, "t.xlsx", "Notes"), empty_line=EmptyLine.OUTPUT)
    assert texts_of(found) == {"source": ["= 2 + 2 .", "a b c", "'=1+1", "y"], "Wren": ["42", "1.5", "x", ""]}
    assert any("the sheet Sheet was read, not Notes" in note for note in found.material.notes)
    assert any("1 cells have line breaks" in note for note in found.material.notes)


def test_every_problem_names_its_row_and_column():
    rows = [["source", "Wren"], ["", "x"], ["a b", ""], ["c\x02d", "e"]]
    assert problems_of(read(tsv(rows)))[0] == "t.tsv: row 4, column A of t.tsv: has the character U+0002; remove it"
    assert problems_of(read(tsv(rows[:3]))) == [
        "source: row 2, column A of t.tsv: the source sentence is empty",
        f"Wren: row 3, column B of t.tsv: {UNCLEAR_LINE}",
    ]
    ragged = UploadedFile("t.csv", b"source,Wren\na,b\nc\n")
    assert problems_of(read(ragged))[0] == "t.csv: row 3 has 1 cells where the first has 2"
    assert "save the file as CSV in UTF-8" in problems_of(read(UploadedFile("t.csv", b"source,Wren\n\xe9,b\n")))[0]
    with pytest.raises(Problems):
        read(UploadedFile("t.xlsx", b"no workbook")).whole()
    lines = b'{"source": "a b"}\n\n["no object"]\n{\n{"source": "a", "Wren": ["a", "b"]}'
    assert problems_of(read(UploadedFile("t.jsonl", lines))) == [
        "t.jsonl, line 3: is not a JSON object; write one object a line",
        "t.jsonl, line 4: is not JSON; write one object a line",
        "t.jsonl, line 5: “Wren” holds a list or an object; give it one text, or leave it out",
    ]
    listed = UploadedFile("t.json", b'[{"source": "a", "Wren": ["a", "b"]}]')
    assert "“Wren” holds a list" in problems_of(read(listed))[0]


def test_blank_rows_separate_documents_and_a_table_goes_with_other_files():
    rows = [["source", "Wren"], ["a b", "c"], ["", ""], ["d e", "f"]]
    found = read(tsv(rows), UploadedFile("Magpie.txt", b"x\n\ny\n"))
    assert [place.document for place in found.whole().places] == ["document-1", "document-2"]
    assert texts_of(found)["Magpie"] == ["x", "y"]


def test_a_table_with_tabs_keeps_quotation_marks_of_its_sentences():
    rows = [["source", "Wren"], ['"He go" , she say .', '"He goes" , she says .'], ['"Yes ."', '"No ."']]
    assert texts_of(read(tsv(rows)))["source"] == ['"He go" , she say .', '"Yes ."']
    pasted = UploadedFile("p.tsv", b'source\tWren\n"a ""b"" c"\td\n')
    assert texts_of(read(pasted))["source"] == ['a "b" c']
