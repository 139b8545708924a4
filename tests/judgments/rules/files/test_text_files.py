"""Reading text files: any bytes give either lines or problems with their place."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.rules.files.text_files import CONTROL, read_text

text_of_a_line = st.text(
    st.characters(exclude_categories=("Cc", "Cs"), exclude_characters="\ufeff", include_characters="\t")
)
some_lines = st.lists(text_of_a_line, min_size=1, max_size=20)


def problems(content: bytes) -> list[str]:
    return [str(problem) for problem in read_text("AMU", content).problems]


def test_lines_come_without_their_ends_of_which_the_last_needs_none():
    file = read_text("AMU", b"One .\nTwo .\n")
    assert (file.name, file.lines, file.notes, file.problems) == ("AMU", ["One .", "Two ."], [], [])
    assert read_text("AMU", b"One .\nTwo .").lines == ["One .", "Two ."]
    assert read_text("AMU", b"One .\n\n").lines == ["One .", ""]
    assert read_text("AMU", b"\n").lines == [""]


def test_a_byte_order_mark_and_windows_line_ends_are_accepted_and_noted():
    file = read_text("AMU", codecs.BOM_UTF8 + b"One .\r\nTwo .\r\n")
    assert (file.lines, file.problems) == (["One .", "Two ."], [])
    assert file.notes == [
        "AMU: begins with a byte order mark, which was ignored",
        "AMU: has Windows line ends, which were accepted",
    ]


@pytest.mark.parametrize("content", [b"", codecs.BOM_UTF8])
def test_an_empty_file_is_a_problem(content):
    assert problems(content) == ["AMU: the file is empty"]


def test_other_encodings_are_reported_by_line_and_byte():
    assert problems("One .\nCafé .\nTwo .\nÜber .".encode("latin-1")) == [
        "AMU, line 2: byte 4 of the line (0xe9) is not UTF-8; save the file as UTF-8",
        "AMU, line 4: byte 1 of the line (0xdc) is not UTF-8; save the file as UTF-8",
    ]
    assert [line.split(":")[0] for line in problems(b"\xc3\n\xa9\n")] == ["AMU, line 1", "AMU, line 2"]
    for encoding in ("utf-16-le", "utf-16-be"):
        assert problems("\ufeffOne .\n".encode(encoding)) == ["AMU: looks like UTF-16; save the file as UTF-8"]
        assert "a NUL character" in problems("One .\n".encode(encoding))[0]
    assert problems(b"PK\x03\x04\x14\x00")[0].startswith("AMU: is a workbook, a document or an archive; save")


def test_control_characters_are_reported_and_only_a_line_feed_parts_lines():
    assert problems(b"One .\nT\0wo .\nThree\x07 .\nFo\rur .\n") == [
        "AMU, line 2: a NUL character at character 2; remove it",
        "AMU, line 3: a control character (U+0007) at character 6; remove it",
        "AMU, line 4: a control character (U+000D) at character 3; remove it",
    ]
    assert read_text("AMU", "One\u2028two\u2029three\n".encode()).lines == ["One\u2028two\u2029three"]
    assert problems("One\x85two\n".encode()) == ["AMU, line 1: a control character (U+0085) at character 4; remove it"]
    assert read_text("AMU", b"One\t.\n").lines == ["One\t."]
    assert not problems(b"One\t.\n")


@pytest.mark.parametrize("bad", [b"\xff\n", b"\0\n"])
def test_a_file_bad_on_every_line_is_reported_in_eleven_sentences(bad):
    sentences = problems(bad * 25)
    assert len(sentences) == 11
    assert sentences[-1] == "AMU: and 15 more like these"


@given(st.binary() | st.text().map(str.encode))
def test_any_bytes_give_lines_or_problems_on_lines_of_the_file(content):
    file = read_text("AMU", content)
    assert file.lines or file.problems
    assert all(problem.file == "AMU" for problem in file.problems)
    assert all(1 <= problem.line <= content.count(b"\n") + 1 for problem in file.problems if problem.line)


@given(some_lines, st.sampled_from(["\n", "\r\n"]), st.sampled_from([b"", codecs.BOM_UTF8]))
def test_a_file_comes_back_line_by_line(lines, end, mark):
    file = read_text("AMU", mark + "".join(line + end for line in lines).encode())
    assert file.lines == lines
    assert not file.problems
    assert len(file.notes) == (end == "\r\n") + bool(mark)


@given(st.lists(st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\n\ufeff")), min_size=1))
def test_exactly_the_lines_with_a_control_character_are_reported(lines):
    lines = [line.rstrip("\r") for line in lines]
    bad = [number for number, line in enumerate(lines, 1) if CONTROL.search(line)]
    file = read_text("AMU", "".join(f"{line}\n" for line in lines).encode())
    assert [problem.line for problem in file.problems if problem.line] == bad[:10]
