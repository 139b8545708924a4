"""Uploads that are too many: files of a ZIP, and lines. Other bombs are in tests/long/test_bombs.py."""

import io
import struct
import tracemalloc
import zipfile

import pytest

from judgments.archive.reading import open_bundle
from judgments.rules.files.archives import MOST_ENTRIES, PIECE, check_entries, read_archive, unpack_archives
from judgments.rules.files.problems import Problems
from judgments.rules.files.text_files import MOST_LINES, UploadedFile, read_text


def listing(count: int, claimed: int) -> bytes:
    """A ZIP that is nothing but a list of empty files, with any declared number of them."""
    head = struct.pack("<4s4B4HL2L5H2L", b"PK\1\2", 20, 3, 20, *[0] * 8, 1, *[0] * 6)
    entries = (head + b"x") * count
    return entries + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, claimed, claimed, len(entries), 0, 0)


def test_the_attack_works_on_the_library():
    """Each entry of 47 bytes takes half a kilobyte of memory, for any number that the archive declares."""
    content = listing(1000, 1)
    tracemalloc.start()
    try:
        assert len(zipfile.ZipFile(io.BytesIO(content)).infolist()) == 1000
        assert tracemalloc.get_traced_memory()[1] > 5 * len(content)
    finally:
        tracemalloc.stop()


def opened_as_bundle(file: io.BytesIO) -> None:
    with open_bundle("all.zip", file):
        pass


@pytest.mark.parametrize("read", [lambda file: read_archive("all.zip", file), opened_as_bundle])
@pytest.mark.parametrize("claimed", [1, 60_000])
def test_a_list_of_very_many_files_is_refused_before_it_is_read(read, claimed, monkeypatch):
    content = io.BytesIO(listing(MOST_ENTRIES + 1, claimed))
    monkeypatch.setattr("zipfile.ZipFile", lambda *_: pytest.fail("the list was read"))
    with pytest.raises(Problems, match=f"lists more than {MOST_ENTRIES} files"):
        read(content)


def test_a_signature_across_pieces_is_counted_once(monkeypatch):
    monkeypatch.setattr("judgments.rules.files.archives.MOST_ENTRIES", 2)
    for before in range(PIECE - 6, PIECE + 2):
        check_entries("all.zip", io.BytesIO(b"x" * before + b"PK\1\2" + b"PK\1\2"))
        with pytest.raises(Problems):
            check_entries("all.zip", io.BytesIO(b"x" * before + b"PK\1\2" * 3))


def test_too_many_lines_are_refused_unread_in_one_file_and_in_all_together():
    fault = f"has {MOST_LINES + 1:,} lines; at most 200,000 are allowed; divide it"
    (problem,) = read_text("Heron", b"\n" * (MOST_LINES + 1)).problems
    assert str(problem) == f"Heron: {fault}"
    half = UploadedFile("Heron", b"\n" * (MOST_LINES // 2 + 1))
    with pytest.raises(Problems, match="All files together: has 200,002 lines"):
        unpack_archives([half, half])
    assert len(read_text("Heron", b"a\n" * MOST_LINES).lines) == MOST_LINES
