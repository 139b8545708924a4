"""Uploaded files one by one: the name and content of each, and what is wrong with it alone."""

import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import NamedTuple

from judgments.material.rules.documents import SIDECAR
from judgments.material.rules.lines import FileLines, read_lines
from judgments.material.rules.tables import ColumnFile
from judgments.rules.files.names import fault_of_name, system_name
from judgments.rules.files.problems import Problem, Problems, shorten
from judgments.rules.files.text_files import CONTROL, TextFile, UploadedFile
from judgments.rules.texts.m2 import AnnotatedSentence, read_m2

LONGEST_LINE = 20_000
M2 = ".m2"
BEGINNING = 80  # characters of a first line
# Files that hold other things than sentences, by the ends of their names.
OTHERS = {
    ".csv": "a table", ".tsv": "a table", ".json": "JSON", ".jsonl": "JSON", ".xlsx": "a spreadsheet",
    ".xls": "an old spreadsheet", ".ods": "a spreadsheet", ".docx": "a document of Word", ".doc": "a document of Word",
    ".odt": "a document", ".pdf": "a PDF", ".html": "a web page", ".xml": "XML",
}  # fmt: skip


class FileRow(NamedTuple):
    """A file in the table of files; `made` are the sources, systems, references or controls that it brings.

    A column of a table has its place there, such as "column C of texts.xlsx".
    """

    file: str
    name: str
    kind: str
    lines: int
    first_line: str
    is_annotated: bool
    is_dropped: bool
    made: Sequence[str] = ()
    place: str = ""


@dataclass
class File:
    """An uploaded file; `handle` is the name by which roles refer to it, whatever its system is called.

    In a file of whole texts, these are the `lines`, and `places` says where each begins, None for one that it lacks. A
    column of a table knows the row of each line.
    """

    text: TextFile
    handle: str
    name: str
    is_annotated: bool
    is_dropped: bool
    problems: list[Problem] = field(default_factory=list)
    sentences: list[AnnotatedSentence] = field(default_factory=list)
    made: list[str] = field(default_factory=list)
    places: list[tuple[str, int] | None] | None = None
    column: ColumnFile | None = None

    @property
    def is_sidecar(self) -> bool:
        return self.handle == SIDECAR

    def report(self, what: str) -> None:
        self.problems.append(Problem(self.text.name, None, what))

    def lacks(self, position: int) -> bool:
        if self.places is not None:
            return self.places[position] is None
        return self.column is not None and self.column.rows[position] is None

    def problem(self, position: int, what: str) -> Problem:
        """A problem of the text at a position."""
        if self.column and self.places is None:
            return Problem(self.text.name, None, self.column.problem_at(position, what))
        place = self.places[position] if self.places else None
        return Problem(*(place or (self.text.name, position + 1)), what)

    def check_name(self, seen: set[tuple[bool, str]]) -> None:
        called = (self.is_annotated, self.name.casefold())
        if called in seen:
            self.report(f"a second file has the name {self.name!r}; rename one, or leave one out")
        seen.add(called)
        if fault := fault_of_name(self.name + M2 * self.is_annotated):
            self.report(fault)

    def row(self, kind: str) -> FileRow:
        lines = [sentence.text for sentence in self.sentences] if self.is_annotated else self.text.lines
        first = CONTROL.sub("\N{REPLACEMENT CHARACTER}", lines[0]) if lines else ""
        shown = f"{first[:BEGINNING]} ..." if len(first) > BEGINNING else first
        place = self.column.place if self.column and self.column.is_own else ""
        return FileRow(
            self.text.name, self.name, kind, len(lines), shown, self.is_annotated, self.is_dropped, [*self.made], place
        )


def read_each(files: Iterable[UploadedFile], names: Mapping[str, str], dropped: Collection[str]) -> list[File]:
    """Read every file; a second file of the same name gets a number, so that roles can refer to it."""
    read: dict[str, File] = {}
    seen: set[tuple[bool, str]] = set()
    for uploaded in files:
        key = free_name(uploaded.name, read)
        handle = system_name(key)
        file = _read(key, handle, uploaded, names.get(handle), is_dropped=handle in dropped)
        read[handle] = file
        if not file.is_dropped and not file.is_sidecar:
            file.check_name(seen)
    return list(read.values())


def free_name(name: str, taken: Collection[str]) -> str:
    """A file's name, with a number if another file has its handle."""
    free, number = name, 1
    while system_name(free) in taken:
        number += 1
        free = f"{name} ({number})"
    return free


def _read(key: str, handle: str, uploaded: UploadedFile, name: str | None, *, is_dropped: bool) -> File:
    own = system_name(uploaded.name)
    text = read_lines(key, uploaded)
    given = unicodedata.normalize("NFC", name) if name else own.removesuffix(M2)
    column = uploaded if isinstance(uploaded, ColumnFile) else None
    file = File(text, handle, given, own.endswith(M2), is_dropped, column=column)
    if not file.is_sidecar:  # which is checked where its rows are read
        found = [*text.problems, *_too_long(text)]
        file.problems = [file.problem(one.line - 1, one.what) if column and one.line else one for one in found]
        if not column and (what := _other_than_sentences(own, text)):
            file.report(f"seems to be {what}, not sentences; upload a text file with one sentence per line")
    if file.is_annotated and not text.problems:
        try:
            file.sentences = read_m2(text)
        except Problems as found:
            file.problems += found.problems
    return file


def _other_than_sentences(name: str, file: TextFile) -> str | None:
    """What a file seems to hold instead of sentences, by its name or its lines."""
    if what := OTHERS.get(PurePosixPath(name).suffix.lower()):
        return what
    lines = (line for line in file.lines if line.strip())
    first = next(lines, "")
    tabs, more = first.count("\t"), next(lines, None)
    if tabs and more is not None and more.count("\t") == tabs and all(line.count("\t") == tabs for line in lines):
        return f"a table of {tabs + 1} columns"
    is_json = first.lstrip().startswith(("{", "[{")) and first.rstrip().endswith("}")
    if is_json and all(
        line.lstrip().startswith(("{", "[{")) and line.rstrip().endswith("}") for line in file.lines if line.strip()
    ):
        return "JSON"
    return None


def _too_long(file: TextFile) -> list[Problem]:
    """Report lines too long to be sentences, which nobody could judge and which take too long to compare."""
    if isinstance(file.lines, FileLines) and file.lines.longest <= LONGEST_LINE:
        return []
    what = f"has {{:,}} characters; at most {LONGEST_LINE:,} are allowed. Put one sentence on a line"
    long = ((number, len(line)) for number, line in enumerate(file.lines, 1) if len(line) > LONGEST_LINE)
    return shorten(file.name, [Problem(file.name, number, what.format(length)) for number, length in long])
