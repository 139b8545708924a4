"""Archives: unpacked without trust, refused in sentences."""

import io
import random
import tracemalloc
import zipfile
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.rules.files.archives import pack, read_archive, unpack_archives
from judgments.rules.files.archives import unpack as unpack_kept
from judgments.rules.files.text_files import UploadedFile
from tests.judgments.rules.refusals import complaints
from tests.judgments.rules.zips import packed

MEBIBYTE = 2**20
PACKINGS = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
CENTRAL_HEADER = b"PK\x01\x02"
FLAGS, UNPACKED_SIZE = 8, 24  # where they stand in a central header


def unpack(archive: bytes, **limits: int) -> list[UploadedFile]:
    return read_archive("outputs.zip", io.BytesIO(archive), **limits)


def problems(archive: bytes, **limits: int) -> list[str]:
    return complaints(unpack, archive, **limits)


def lying(archive: bytes, about: int, value: bytes) -> bytes:
    """The archive with another value in the central header of its first member."""
    start = archive.index(CENTRAL_HEADER) + about
    return archive[:start] + value + archive[start + len(value) :]


def test_the_files_of_a_flat_archive_come_in_its_order():
    files = {"UFC": b"One .\n", "AMU.txt": b"", "system-Ä": b"Two .\n"}
    assert unpack(packed(files, zipfile.ZIP_STORED)) == [UploadedFile(*file) for file in files.items()]
    assert unpack(packed({})) == []


def test_leftovers_of_desktops_are_skipped_and_do_not_count_as_files():
    files = {"__MACOSX/._AMU": b"x", "__MACOSX/": b"", ".DS_Store": b"x", "Thumbs.db": b"x", "AMU": b"One .\n"}
    assert unpack(packed(files), most_files=1) == [UploadedFile("AMU", b"One .\n")]
    assert problems(packed({"A": b"", "B": b"", "C": b""}), most_files=2) == [
        "outputs.zip: holds 3 files; at most 2 are allowed"
    ]


@pytest.mark.parametrize("path", ["outputs/AMU", "../AMU", "/AMU", "outputs/", "outputs\\AMU", "C:\\AMU", "./AMU"])
def test_a_file_with_a_path_is_refused(path):
    assert problems(packed({path: b""})) == [
        f"outputs.zip: holds {path!r}, a file with a path; zip the files themselves, not their folder"
    ]


def test_each_reason_to_refuse_members_is_reported_once_with_their_number():
    archive = lying(packed({"A": b"", "x/B": b"", "y/C": b""}), FLAGS, b"\x01\x00")
    assert problems(archive) == [
        "outputs.zip: 'A' is encrypted; zip it without a password",
        "outputs.zip: holds 'x/B', a file with a path; zip the files themselves, not their folder (2 files)",
    ]


@pytest.mark.parametrize("content", [b"", b"One .\n", b"PK\x03\x04", b"PK\x05\x06" + bytes(17), b"\x1f\x8b\x08"])
def test_content_that_is_no_zip_is_refused(content):
    (sentence,) = problems(content)
    assert sentence.startswith("outputs.zip: cannot be read as a ZIP (")
    assert sentence.endswith("); create it again")


def test_an_archive_may_unpack_to_the_limit_but_no_further():
    limit = 2 * MEBIBYTE
    assert len(unpack(packed({"A": bytes(limit)}), most_bytes=limit)[0].content) == limit
    for files in ({"A": bytes(limit + 1)}, {"A": bytes(MEBIBYTE), "B": bytes(MEBIBYTE), "C": b"x"}):
        assert problems(packed(files), most_bytes=limit) == [
            "outputs.zip: unpacks to more than 2 MiB; upload its files in several archives, or without"
        ]


@pytest.mark.parametrize("size", [0, 1, 2**32 - 2])
def test_a_header_that_lies_about_the_size_is_not_believed(size):
    archive = lying(packed({"A": bytes(2 * MEBIBYTE)}), UNPACKED_SIZE, size.to_bytes(4, "little"))
    assert len(problems(archive, most_bytes=MEBIBYTE)) == 1


@pytest.mark.parametrize("packing", PACKINGS)
def test_a_bomb_is_refused_before_it_is_unpacked(packing):
    archive = packed({"A": bytes(32 * MEBIBYTE)}, packing)
    tracemalloc.start()
    try:
        assert len(problems(archive, most_bytes=MEBIBYTE)) == 1
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8 * MEBIBYTE


@pytest.mark.parametrize("packing", PACKINGS)
def test_a_file_damaged_on_its_way_is_refused(packing):
    letters = bytes(random.Random(1).choices(b"abcdefgh", k=2000))
    archive = bytearray(packed({"A": letters}, packing))
    for place in range(60, 260):
        archive[place] ^= 0xFF
    (sentence,) = problems(bytes(archive))
    assert sentence.startswith("outputs.zip: ")


@given(st.dictionaries(st.text("abcÄ猫.+-_", min_size=1, max_size=8), st.binary(max_size=200), max_size=5))
def test_files_come_back_as_they_were_packed(files):
    assert unpack(packed(files)) == [UploadedFile(*file) for file in files.items()]


def test_files_and_archives_come_in_together_and_share_the_limits_of_one():
    files = [UploadedFile("INPUT", b"One .\n"), UploadedFile("more.ZIP", packed({"AMU": b"Two .\n"}))]
    assert unpack_archives(files) == [UploadedFile("INPUT", b"One .\n"), UploadedFile("AMU", b"Two .\n")]
    archive = packed({"AMU": b"x" * 600})
    both = [UploadedFile("a.zip", archive), UploadedFile("b.zip", archive)]
    assert len(unpack_archives(both[:1], most_bytes=1000)) == 1
    assert [text[:17] for text in complaints(unpack_archives, both, most_bytes=1000)] == ["b.zip: unpacks to"]
    assert complaints(unpack_archives, both, most_files=1) == ["b.zip: holds 1 files; at most 0 are allowed"]
    sentences = complaints(unpack_archives, [UploadedFile("a.zip", b"x"), UploadedFile("b.zip", b"x")])
    assert [text[:5] for text in sentences] == ["a.zip", "b.zip"]


@given(st.lists(st.builds(UploadedFile, st.text(), st.binary())))
def test_packed_files_of_any_name_are_unpacked(files):
    packed_file = BytesIO()
    pack(files, packed_file)
    assert unpack_kept(packed_file, [file.name for file in files]) == files
