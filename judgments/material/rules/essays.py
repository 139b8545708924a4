"""Whole texts as material: files in the format of MultiGEC, and folders with a file for each text.

    ### essay_id = 7
    My first day at school.

    It was raining.

A text begins after the line with its id and ends before the next such line. Texts belong together by their ids, in the
order of the source; in a folder, the name of a file is the id, and the name of the folder that of the system. In a
table, cells are whole texts, and their ids those of the table, or numbers.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from judgments.material.rules.contents import SegmentPlace
from judgments.material.rules.documents import LONGEST_DOCUMENT, SIDECAR
from judgments.material.rules.files import LONGEST_LINE, File, free_name
from judgments.material.rules.reading import (
    Inputs,
    ReadFiles,
    Roles,
    find_sources,
    read_tables_and_files,
    reading_of,
)
from judgments.material.rules.tables import ColumnFile
from judgments.rules.files.names import system_name
from judgments.rules.files.problems import Problem, shorten
from judgments.rules.files.text_files import TextFile, UploadedFile, read_text

# The files that an archive of folders may contain: forty systems with a hundred texts each.
MOST_TEXTS = 4000
HEADING = re.compile(r"#{1,6}\s*essay_id\s*=(?P<id>.*)")
# What MultiGEC calls the source, alone or as a part of a name such as sv-swell-orig-dev.md.
ORIGINAL = re.compile(r"(?:^|[-_.])orig(?:[-_.]|$)", re.IGNORECASE)
NO_HEADING = (
    "does not begin with a line such as ### essay_id = 1; write one before each text, or upload a ZIP of folders, one "
    "for each system, with a file for each text"
)
MOST_NAMED = 5
# Between the lines of a cell.
LINE_SEPARATOR = "\u2028"


@dataclass
class _Collection:
    """The texts of one system by their ids, from one file or folder, each with the file and line where it begins."""

    name: str
    essays: dict[str, tuple[str, str, int]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    column: ColumnFile | None = None

    def add(self, name: str, lines: Sequence[str], file: str, line: int) -> None:
        """Add a text whose lines begin after this line of a file; layout around it is not part of it."""
        text = "\n".join(lines)
        if not name:
            fault = "names no text; write its id after the equals sign, as in ### essay_id = 1"
        elif len(name) > LONGEST_DOCUMENT:
            fault = f"has an id of {len(name)} characters; at most {LONGEST_DOCUMENT} are allowed"
        elif name in self.essays:
            fault = f"gives the text {name!r} a second time; write every id once in a file"
        elif len(text) > LONGEST_LINE:
            fault = f"the text {name!r} has {len(text):,} characters; at most {LONGEST_LINE:,} are allowed. Divide it"
        else:
            self.essays[name] = text.strip("\n"), file, line
            return
        self.problems.append(Problem(file, line, fault))


def read_essays(
    files: Iterable[UploadedFile],
    roles: Roles,
    known: Sequence[SegmentPlace] | None = None,
    known_source: Sequence[str | None] | None = None,
) -> ReadFiles:
    """Read files, folders and tables of whole texts."""
    return read_tables_and_files(files, roles, known, known_source, _read, LINE_SEPARATOR)


def _read(
    files: Iterable[UploadedFile],
    roles: Roles,
    known: Sequence[SegmentPlace] | None,
    known_source: Sequence[str | None] | None,
) -> ReadFiles:
    """Check the texts against each other by their ids, and against those of the campaign; align those that fit."""
    collections = _collected(files)
    inputs = Inputs([_file(handle, one, roles) for handle, one in collections.items()])
    seen: set[tuple[bool, str]] = set()
    for file in inputs.texts:
        file.check_name(seen)
    sources = find_sources(inputs, roles, needed=known is None)
    places = list(known) if known is not None else _places(collections, inputs, sources)
    for file in inputs.every:
        _line_up(file, collections[file.handle], places)
        if not file.is_dropped:
            inputs.notes += _notes(file, places)
    return reading_of(inputs, roles, sources, places, known_source)


def _collected(files: Iterable[UploadedFile]) -> dict[str, _Collection]:
    """The texts in files and folders, by the handle of their system."""
    found: dict[str, _Collection] = {}
    folders: dict[str, _Collection] = {}
    for uploaded in files:
        if isinstance(uploaded, ColumnFile):
            one = found[system_name(uploaded.name)] = _Collection(uploaded.name, column=uploaded)
            lines = uploaded.content.decode().split("\n")
            for name, row, line in zip(uploaded.ids, uploaded.rows, lines, strict=False):
                if line and row is not None:
                    one.add(name, line.split(LINE_SEPARATOR), uploaded.place, row)
            continue
        if uploaded.name == SIDECAR:  # of a table, whose documents are the texts
            continue
        path = PurePosixPath(uploaded.name)
        text = read_text(uploaded.name, uploaded.content)
        first = next((line for line in text.lines if line.strip()), "")
        is_alone = path.parent.name and not HEADING.fullmatch(first.strip())
        if is_alone and path.parent.name in folders:
            one = folders[path.parent.name]
        else:
            name = free_name(path.parent.name if is_alone else path.name, found)
            one = found[system_name(name)] = _Collection(name)
        if is_alone:
            folders[path.parent.name] = one
            one.add(path.stem, text.lines, uploaded.name, 1)
        elif not text.problems:
            _split(one, text)
        one.problems += text.problems
        one.notes += text.notes
    return found


def _split(collection: _Collection, file: TextFile) -> None:
    """Add the texts of a file in the format of MultiGEC."""
    heading, start = None, 0
    for number, line in enumerate([*file.lines, "### essay_id ="], 1):
        found = HEADING.fullmatch(line.strip())
        if not found:
            if heading is None and line.strip():
                collection.problems.append(Problem(file.name, number, NO_HEADING))
                return
            continue
        if heading is not None:
            collection.add(heading, file.lines[start : number - 1], file.name, start)
        heading, start = found["id"].strip(), number
    if not collection.essays and not collection.problems:
        collection.problems.append(Problem(file.name, None, NO_HEADING))


def _file(handle: str, collection: _Collection, roles: Roles) -> File:
    own = "source" if ORIGINAL.search(handle) else handle
    text = TextFile(collection.name, [], collection.notes)
    problems = shorten(collection.name, collection.problems)
    name = roles.names.get(handle, own)
    is_dropped = handle in roles.dropped
    return File(
        text, handle, name, is_annotated=False, is_dropped=is_dropped, problems=problems, column=collection.column
    )


def _places(collections: dict[str, _Collection], inputs: Inputs, sources: Sequence[str]) -> list[SegmentPlace]:
    """The ids in the order of the source, or of the first file without one."""
    handles = [file.handle for file in inputs.texts]
    first = next((handle for handle in sources if handle in collections), handles[0] if handles else None)
    ids = collections[first].essays if first else ()
    return [SegmentPlace(position, name, "") for position, name in enumerate(ids)]


def _line_up(file: File, collection: _Collection, places: Sequence[SegmentPlace]) -> None:
    """Put the file's texts in order; texts that the source lacks are problems."""
    ids = {place.document: place.position for place in places}
    size = max(ids.values(), default=-1) + 1
    file.places = [None] * size
    lines = [""] * size
    unknown = []
    for name, (text, first, line) in collection.essays.items():
        if name in ids:
            lines[ids[name]], file.places[ids[name]] = text, (first, line)
        else:
            what = f"the source has no text {name!r}; the same text has the same id in all files"
            unknown.append(Problem(first, line, what))
    file.text = TextFile(file.text.name, lines, file.text.notes)
    file.problems += shorten(file.text.name, unknown)


def _notes(file: File, places: Sequence[SegmentPlace]) -> Iterator[str]:
    lacking = [place.document for place in places if file.lacks(place.position)]
    if lacking and len(lacking) < len(places):
        named = ", ".join(lacking[:MOST_NAMED]) + (" ..." if len(lacking) > MOST_NAMED else "")
        yield f"{file.text.name}: lacks {len(lacking)} of {len(places)} texts, whose outputs are missing: {named}"
