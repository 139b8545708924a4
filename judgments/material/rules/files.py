"""Uploaded files one by one: the name and content of each, and what is wrong with it alone."""

import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from judgments.material.rules.documents import SIDECAR
from judgments.rules.files.names import fault_of_name, system_name
from judgments.rules.files.problems import Problem, Problems, shorten
from judgments.rules.files.text_files import CONTROL, TextFile, UploadedFile, read_text
from judgments.rules.texts.m2 import AnnotatedSentence, read_m2

LONGEST_LINE = 20_000
M2 = ".m2"
BEGINNING = 80  # characters of a first line


@dataclass(frozen=True)
class FileRow:
    """A file in the table of files; `made` are the sources, systems, references or controls that it brings."""

    file: str
    name: str
    kind: str
    lines: int
    first_line: str
    is_annotated: bool
    is_dropped: bool
    made: tuple[str, ...] = ()


@dataclass
class File:
    """An uploaded file; `handle` is the name by which roles refer to it, whatever its system is called."""

    text: TextFile
    handle: str
    name: str
    is_annotated: bool
    is_dropped: bool
    problems: list[Problem] = field(default_factory=list)
    sentences: list[AnnotatedSentence] = field(default_factory=list)
    made: list[str] = field(default_factory=list)

    @property
    def is_sidecar(self) -> bool:
        return self.handle == SIDECAR

    def report(self, what: str) -> None:
        self.problems.append(Problem(self.text.name, None, what))

    def row(self, kind: str) -> FileRow:
        lines = [sentence.text for sentence in self.sentences] if self.is_annotated else self.text.lines
        first = CONTROL.sub("\N{REPLACEMENT CHARACTER}", lines[0]) if lines else ""
        shown = f"{first[:BEGINNING]} ..." if len(first) > BEGINNING else first
        return FileRow(
            self.text.name, self.name, kind, len(lines), shown, self.is_annotated, self.is_dropped, tuple(self.made)
        )


def read_each(files: Iterable[UploadedFile], names: Mapping[str, str], dropped: Collection[str]) -> list[File]:
    """Read every file; a second file of the same name gets a number, so that roles can refer to it."""
    read: dict[str, File] = {}
    seen: set[tuple[bool, str]] = set()
    for uploaded in files:
        key, number = uploaded.name, 1
        while system_name(key) in read:
            number += 1
            key = f"{uploaded.name} ({number})"
        handle = system_name(key)
        file = _read(key, handle, uploaded, names.get(handle), is_dropped=handle in dropped)
        read[handle] = file
        if file.is_dropped or file.is_sidecar:
            continue
        called = (file.is_annotated, file.name.casefold())
        if called in seen:
            file.report(f"a second file speaks for {file.name!r}; rename one, or leave one out")
        seen.add(called)
        if fault := fault_of_name(file.name + M2 * file.is_annotated):
            file.report(fault)
    return list(read.values())


def _read(key: str, handle: str, uploaded: UploadedFile, name: str | None, *, is_dropped: bool) -> File:
    own = system_name(uploaded.name)
    text = read_text(key, uploaded.content)
    given = unicodedata.normalize("NFC", name) if name else own.removesuffix(M2)
    file = File(text, handle, given, own.endswith(M2), is_dropped)
    if not file.is_sidecar:  # which is checked where its rows are read
        file.problems = [*text.problems, *_too_long(text)]
    if file.is_annotated and not text.problems:
        try:
            file.sentences = read_m2(text)
        except Problems as found:
            file.problems += found.problems
    return file


def _too_long(file: TextFile) -> list[Problem]:
    """Report lines too long to be sentences, which nobody could judge and which take too long to compare."""
    what = f"has {{:,}} characters; at most {LONGEST_LINE:,} are taken. Put one sentence on a line"
    long = ((number, len(line)) for number, line in enumerate(file.lines, 1) if len(line) > LONGEST_LINE)
    return shorten(file.name, [Problem(file.name, number, what.format(length)) for number, length in long])
