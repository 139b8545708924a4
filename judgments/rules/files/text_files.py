"""An uploaded text file: UTF-8, one sentence a line."""

import io
import re
import unicodedata
from dataclasses import dataclass, field
from typing import BinaryIO, NamedTuple

from judgments.rules.files.problems import Problem, shorten

# Of one file, or of all files that are uploaded together: forty systems of five thousand sentences each. A line takes
# up to half a kilobyte of memory, however short it is.
MOST_LINES = 200_000
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
BOM = b"\xef\xbb\xbf"
# Tabs count as white space; any other control character means a broken file.
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
# Control characters, surrogates, line and paragraph separators.
NOT_IN_A_LINE = {"Cc", "Cs", "Zl", "Zp"}
SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class TextFile:
    """Lines of a file without their ends, notes on what was accepted, and problems."""

    name: str
    lines: list[str]
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


def read_text(name: str, content: bytes) -> TextFile:
    """Decode a file and split it at line feeds; accept and note a byte order mark and Windows line ends."""
    notes = []
    if content.startswith(BOM):
        content = content[len(BOM) :]
        notes.append(f"{name}: begins with a byte order mark, which was ignored")
    if content[:2] in UTF16_MARKS:
        return TextFile(name, [], notes, [Problem(name, None, "looks like UTF-16; save the file as UTF-8")])
    if b"\r\n" in content:
        content = content.replace(b"\r\n", b"\n")
        notes.append(f"{name}: has Windows line ends, which were accepted")
    if not content:
        return TextFile(name, [], notes, [Problem(name, None, "the file is empty")])
    if fault := fault_of_count(content.count(b"\n")):
        return TextFile(name, [], notes, [Problem(name, None, fault)])
    # Line by line, because one wide character makes every character of its text take four bytes.
    lines, problems = [], []
    for number, line in enumerate(content.removesuffix(b"\n").split(b"\n"), 1):
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            what = f"byte {error.start + 1} of the line (0x{line[error.start]:02x}) is not UTF-8"
            problems.append(Problem(name, number, f"{what}; save the file as UTF-8"))
            continue
        lines.append(text)
        if found := CONTROL.search(text):
            kind = "a NUL character" if found[0] == "\0" else f"a control character (U+{ord(found[0]):04X})"
            problems.append(Problem(name, number, f"{kind} at character {found.start() + 1}; remove it"))
    return TextFile(name, lines, notes, shorten(name, problems))


def fault_of_count(lines: int) -> str | None:
    """Why so many lines are refused before they are split, or None."""
    return f"has {lines:,} lines; at most {MOST_LINES:,} are taken at once; divide it" if lines > MOST_LINES else None


class UploadedFile(NamedTuple):
    name: str
    content: bytes

    def open(self) -> BinaryIO:
        return io.BytesIO(self.content)
