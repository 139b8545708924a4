"""Whole texts as material: files in the format of MultiGEC and folders, aligned by id, and what is wrong with them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.material.rules.essays import read_essays
from judgments.material.rules.reading import UNCLEAR_TEXT, EmptyLine, ReadFiles, Roles
from judgments.rules.files.archives import unpack_archives
from judgments.rules.files.problems import Problems
from judgments.rules.files.text_files import UploadedFile
from judgments.rules.texts.collapsing import normalise
from tests import factory
from tests.judgments.rules.refusals import answer_or_problems
from tests.judgments.rules.zips import packed

SOURCE = "### essay_id = 7\n\nMy first  day.\n\nIt was rain.\n\n### essay_id = b/2\nWe goed.\nThe end.\n"
HERON = "### essay_id = b/2\n\nWe went.\nThe end.\n\n### essay_id = 7\nMy first day.\n\nIt rained.\n"


def read(roles: Roles | None = None, **files: str) -> ReadFiles:
    """Files by their names, in which __ stands for a dot and ___ for a slash."""
    named = {name.replace("___", "/").replace("__", "."): text for name, text in files.items()}
    return read_essays([UploadedFile(name, text.encode()) for name, text in named.items()], roles or Roles())


def complaints(found: ReadFiles) -> list[str]:
    return list(map(str, found.problems))


def test_texts_are_aligned_by_id_in_the_order_of_the_source_or_the_campaign_and_keep_their_lines():
    found = read(source=SOURCE, Heron__md=HERON).whole()
    assert [place.document for place in found.places] == ["7", "b/2"]
    assert found.source.texts == ["My first  day.\n\nIt was rain.", "We goed.\nThe end."]
    assert [(one.name, one.texts) for one in found.systems] == [
        ("Heron", ["My first day.\n\nIt rained.", "We went.\nThe end."])
    ]
    known = read(source=SOURCE).whole()
    later = read_essays([UploadedFile("Heron.md", HERON.encode())], Roles(), known.places, known.source.texts)
    assert later.whole().systems[0].texts[1] == "We went.\nThe end."
    assert read(orig__md=SOURCE).whole().source.name == "source"
    files = [UploadedFile("sv-swell-orig-dev.md", SOURCE.encode()), UploadedFile("original.md", HERON.encode())]
    assert [row.kind for row in read_essays(files, Roles()).files] == ["source", "system"]


def test_cells_of_a_table_are_whole_texts():
    cells = 'id,source,Heron\n7,"My first  day.\n\n It was rain.","My first day.\nIt rained."\nb/2,We goed.,\n'
    found = read(table__csv=cells).whole()
    assert found.notes == ["Heron: lacks 1 of 2 texts, whose outputs are missing: b/2"]
    assert [place.document for place in found.places] == ["7", "b/2"]
    assert found.source.texts == ["My first  day.\nIt was rain.", "We goed."]
    assert found.systems[0].texts == ["My first day.\nIt rained.", None]
    later = UploadedFile("Wren.md", b"### essay_id = 7\nMy day.\n### essay_id = b/2\nWe went.\n")
    added = read_essays([later], Roles(), found.places, found.source.texts).whole()
    assert added.systems[0].texts == ["My day.", "We went."], "ids are those of the table"
    unnumbered = read(table__csv="source,Heron\nI goed .,I went .\nI seed .,I saw .\n").whole()
    assert [place.document for place in unnumbered.places] == ["1", "2"]


def test_a_folder_has_a_file_for_each_text():
    content = packed(
        {"all/source/1.txt": "I goed.\r\n", "all/A/1.txt": "I went.\n", "all/A/2.txt": "?", "all/empty/": ""}
    )
    files = unpack_archives([UploadedFile("texts.zip", content)], with_folders=True)
    found = read_essays(files, Roles())
    assert complaints(found) == [
        "all/A/2.txt, line 1: the source has no text '2'; the same text has the same id in all files"
    ]
    assert found.material.source.texts == ["I goed."]
    with pytest.raises(Problems, match="a file with a path"):
        unpack_archives([UploadedFile("texts.zip", content)])


def test_a_text_that_a_file_lacks_is_a_missing_output_and_white_space_collapses_in_lines():
    part = "### essay_id = 7\n\n"
    found = read(source=SOURCE, Heron=part)
    assert complaints(found) == [f"Heron, line 1: {UNCLEAR_TEXT}"]
    assert read(Roles(empty_line=EmptyLine.OUTPUT), source=SOURCE, Heron=part).whole().systems[0].texts == ["", None]
    assert found.material.notes == ["Heron: lacks 1 of 2 texts, whose outputs are missing: b/2"]
    assert normalise(" a  b \n\n\n\n c\td\n") == "a b\n\nc d"
    assert normalise(" a\u2028 b ") == "a b"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("Hello.\n### essay_id = 7\nx\n", "A, line 1: does not begin with a line such as ### essay_id = 1"),
        ("### essay_id =\nx\n", "A, line 1: names no text; write its id"),
        ("### essay_id = 7\nx\n### essay_id = 7\ny\n", "A, line 3: gives the text '7' a second time"),
        ("### essay_id = 8\nx\n", "A, line 1: the source has no text '8'"),
        (f"### essay_id = 7\n{'x' * 20_001}\n", "A, line 1: the text '7' has 20,001 characters; at most 20,000"),
        ("### essay_id = 7\nx\x07\n", "A, line 2: a control character (U+0007) at character 2"),
        ("\n\n", "A: does not begin with a line such as"),
    ],
)
def test_faults_are_named_with_file_and_line(text, complaint):
    (found,) = complaints(read(source=SOURCE, A=text))
    assert found.startswith(complaint)


@given(st.lists(st.text(), max_size=3), st.text())
def test_any_file_gives_material_or_problems(texts, other):
    files = [UploadedFile("source", text.encode(errors="replace")) for text in (*texts, other)]
    answer_or_problems(lambda: read_essays(files, Roles()).whole())


@pytest.mark.wide
@given(st.dictionaries(st.from_regex(r"[a-z0-9]{1,8}", fullmatch=True), st.text("ab .\n"), min_size=1))
def test_what_is_written_is_read_again(texts):
    kept = {name: text for name, text in texts.items() if text.strip()}
    content = factory.write_essays(kept).encode()
    if kept:
        found = read_essays([UploadedFile("source", content)], Roles()).whole()
        assert list(map(normalise, found.source.texts)) == list(map(normalise, kept.values()))
