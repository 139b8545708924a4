"""Lines that are read where they are asked for are those of the file."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.material.rules.contents import SegmentPlace
from judgments.material.rules.lines import AlignedTexts, read_lines
from judgments.rules.errors import Refused
from judgments.rules.files.text_files import LINES_AT_ONCE, UploadedFile, read_text

MANY = 2 * LINES_AT_ONCE + 5
WRITTEN = "".join(f"line {number} \N{SNOWMAN}\r\n" if number % 3 else "\n" for number in range(MANY)).encode()


def test_lines_of_several_blocks_are_those_of_the_whole_file(tmp_path):
    path = tmp_path / "Heron"
    path.write_bytes(b"\xef\xbb\xbf" + WRITTEN)
    whole = read_text("Heron", path.read_bytes())
    for file in (UploadedFile("Heron", path), UploadedFile("Heron", path.read_bytes())):
        found = read_lines("Heron", file)
        assert (found.notes, found.problems) == (whole.notes, [])
        assert list(found.lines) == whole.lines
        assert found.lines.blank == set(range(0, MANY, 3))
        assert found.lines.longest == len("line 2000 *")
        assert [found.lines[at] for at in (0, 1, LINES_AT_ONCE, MANY - 1, -1)] == [
            whole.lines[at] for at in (0, 1, LINES_AT_ONCE, MANY - 1, -1)
        ]
        with pytest.raises(IndexError):
            found.lines[MANY]


@given(st.integers(0, MANY + 2), st.integers(0, MANY + 2))
def test_any_stretch_of_texts_is_that_of_all_texts(first, end):
    lines = read_lines("Heron", UploadedFile("Heron", WRITTEN)).lines
    places = [SegmentPlace(number, "d", "") for number in range(MANY) if number % 5]
    empty = {index: None for index, place in enumerate(places) if place.position in lines.blank}
    texts = AlignedTexts(lines, places, empty)
    every = [lines[place.position] or None for place in places]
    assert texts[first:end] == every[first:end]
    assert texts == every


def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path):
    path = tmp_path / "Heron"
    path.write_bytes(WRITTEN)
    lines = read_lines("Heron", UploadedFile("Heron", path)).lines
    path.write_bytes(WRITTEN[:100])
    with pytest.raises(Refused, match="Heron was changed while it was read"):
        list(lines)
