"""An uploaded text file: UTF-8, one sentence a line."""

import io
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from judgments.rules.files.problems import Problem, shorten

# Of one file, or of all files that are uploaded together: forty systems of five thousand sentences each. A line takes
# up to half a kilobyte of memory, however short it is.
MOST_LINES = 200_000
LINES_AT_ONCE = 1000
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
BOM = b"\xef\xbb\xbf"
# With which workbooks of Excel, documents of Word and all other ZIP archives begin.
ZIPPED = b"PK\x03\x04"
# Tabs count as white space; any other control character means a broken file.
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
# What most texts consist of; among these bytes nothing has to be looked for.
PLAIN = b"\t\n" + bytes(range(32, 127))
# Control characters, surrogates, line and paragraph separators.
NOT_IN_A_LINE = {"Cc", "Cs", "Zl", "Zp"}
SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class TextFile:
    """Lines of a file without their ends, notes on what was accepted, and problems."""

    name: str
    lines: Sequence[str]
    notes: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def is_one_line(text: str) -> bool:
    return not any(unicodedata.category(sign) in NOT_IN_A_LINE for sign in text)


def lines_of(text: str) -> list[str]:
    """Split at line feeds only: `splitlines` would also split at characters that a sentence may contain."""
    return text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")


def is_valid_text(text: str) -> bool:
    """Whether a text from JSON could have come from a text file."""
    return not CONTROL.search(text) and not SURROGATES.search(text)


@dataclass(frozen=True)
class UploadedFile:
    """A file and its name; one that is given by its path stays on disk, and is read whenever it is asked for."""

    name: str
    kept: bytes | Path

    @property
    def content(self) -> bytes:
        return self.kept if isinstance(self.kept, bytes) else self.kept.read_bytes()

    def open(self) -> BinaryIO:
        return io.BytesIO(self.kept) if isinstance(self.kept, bytes) else self.kept.open("rb")


def read_text(name: str, content: bytes) -> TextFile:
    """Decode a file and split it at line feeds; accept and note a byte order mark and Windows line ends."""
    lines: list[str] = []
    text = TextFile(name, lines)
    if fault := fault_of_count(content.count(b"\n")):
        text.problems.append(Problem(name, None, fault))
    else:
        for _, block in read_blocks(io.BytesIO(content), text):
            lines += block
    return text


def read_blocks(file: BinaryIO, text: TextFile) -> Iterator[tuple[int, list[str]]]:
    """Yield where each block of lines begins, and its lines; add notes and problems to the text."""
    name, at, number = text.name, 0, 1
    if file.read(len(BOM)) == BOM:
        text.notes.append(f"{name}: begins with a byte order mark, which was ignored")
        at = len(BOM)
    file.seek(at)
    beginning = file.read(len(ZIPPED))
    file.seek(at)
    if beginning[:2] in UTF16_MARKS:
        text.problems.append(Problem(name, None, "looks like UTF-16; save the file as UTF-8"))
        return
    if beginning == ZIPPED:
        what = "is a workbook, a document or an archive; save the table as CSV, or the text as plain text, in UTF-8"
        text.problems.append(Problem(name, None, what))
        return
    problems, has_windows_ends = [], False
    while block := b"".join(islice(file, LINES_AT_ONCE)):
        if b"\r\n" in block and not has_windows_ends:
            has_windows_ends = True
            text.notes.append(f"{name}: has Windows line ends, which were accepted")
        lines, found = decode_lines(name, number, block)
        problems += found
        yield at, lines
        at, number = at + len(block), number + len(lines)
    if number == 1:
        problems.append(Problem(name, None, "the file is empty"))
    text.problems.extend(shorten(name, problems))


def decode_lines(name: str, first: int, block: bytes) -> tuple[list[str], list[Problem]]:
    """The lines of a block that begins with this line, and what is wrong with them."""
    block = block.replace(b"\r\n", b"\n").removesuffix(b"\n")
    try:
        text = block.decode()
        if not block.translate(None, PLAIN) or not CONTROL.search(text):
            return text.split("\n"), []
    except UnicodeDecodeError:
        pass
    lines, problems = [], []
    for number, line in enumerate(block.split(b"\n"), first):
        lines.append(line.decode(errors="replace"))
        try:
            line.decode()
        except UnicodeDecodeError as error:
            what = f"byte {error.start + 1} of the line (0x{line[error.start]:02x}) is not UTF-8"
            problems.append(Problem(name, number, f"{what}; save the file as UTF-8"))
            continue
        if found := CONTROL.search(lines[-1]):
            kind = "a NUL character" if found[0] == "\0" else f"a control character (U+{ord(found[0]):04X})"
            problems.append(Problem(name, number, f"{kind} at character {found.start() + 1}; remove it"))
    return lines, problems


def fault_of_count(lines: int) -> str | None:
    """Why so many lines are refused before they are split, or None."""
    return f"has {lines:,} lines; at most {MOST_LINES:,} are allowed; divide it" if lines > MOST_LINES else None
