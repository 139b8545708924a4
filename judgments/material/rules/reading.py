"""Reading uploaded files as material: all problems at once with file and line, and what fits in spite of them."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, NamedTuple, Self
from unicodedata import is_normalized

from judgments.material.rules.contents import Lines, SegmentPlace, UploadedMaterial
from judgments.material.rules.documents import SIDECAR, places_by_blank_lines, places_by_sidecar
from judgments.material.rules.files import File, FileRow, read_each
from judgments.material.rules.lines import AlignedTexts, blank_lines
from judgments.material.rules.tables import open_tables
from judgments.rules.files.names import is_reference_name, is_source_name, similar_names, system_name
from judgments.rules.files.problems import Problem, Problems, count_lines, shorten
from judgments.rules.files.text_files import UploadedFile
from judgments.rules.texts.collapsing import normalise
from judgments.rules.texts.m2 import AnnotatedSentence, annotators, correct_sentence

UNCLEAR_LINE = "the line is empty; say whether the system wrote nothing, or there is no output"
EMPTY_SOURCE = "the source sentence is empty"
UNCLEAR_TEXT = "the text is empty; say whether the system wrote nothing, or there is no output"
EMPTY_SOURCE_TEXT = "the text of the source is empty"
SETS = ("references", "controls", "dropped")


class EmptyLine(StrEnum):
    """The meaning of an empty line where other files have text."""

    ERROR = "error"
    OUTPUT = "output"
    MISSING = "missing"


@dataclass(frozen=True)
class Roles:
    """The roles and names that the organiser gave the files; any other file is a system named like its file, or a
    reference if it is called ref0, gold or the like and `columns` does not say that it holds texts.

    All refer to files by name without .txt, also after renaming.
    """

    source: str | None = None
    source_takes_part: bool = False
    references: frozenset[str] = frozenset()
    controls: frozenset[str] = frozenset()
    empty_line: EmptyLine = EmptyLine.ERROR
    names: Mapping[str, str] = field(default_factory=dict)
    dropped: frozenset[str] = frozenset()
    # Of tables: whether they have a header ("yes", "no", or empty to see by the first row), and the roles of columns.
    header: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, kept: Mapping[str, Any]) -> Self:
        sets = {name: frozenset(kept[name]) for name in SETS}
        return cls(**{**kept, **sets, "empty_line": EmptyLine(kept["empty_line"])})

    def as_json(self) -> dict[str, Any]:
        sets = {name: sorted(getattr(self, name)) for name in SETS}
        return {
            **vars(self),
            **sets,
            "names": dict(self.names),
            "columns": dict(self.columns),
            "empty_line": self.empty_line.value,
        }


class ReadFiles(NamedTuple):
    """A row for each file, all problems, and the material made of the files that fit in spite of them, if any do."""

    files: list[FileRow]
    problems: list[Problem]
    material: UploadedMaterial | None

    def whole(self) -> UploadedMaterial:
        """The material of files that have no problem; otherwise all problems are raised."""
        if self.problems or self.material is None:
            raise Problems(self.problems)
        return self.material


@dataclass
class Inputs:
    """All files, those in use by kind, and the problems that are not of one file."""

    every: list[File]
    problems: list[Problem] = field(default_factory=list)

    def __post_init__(self) -> None:
        used = [file for file in self.every if not file.is_dropped]
        self.sidecar = next((file for file in used if file.is_sidecar), None)
        self.texts = [file for file in used if not file.is_sidecar and not file.is_annotated]
        self.annotated = [file for file in used if file.is_annotated]
        self.notes = [note for file in used for note in file.text.notes]
        self.notes += similar_names(file.name for file in self.texts)
        if not self.texts and not self.annotated:
            self.report("", "there is no file; upload one text file for each system")

    @property
    def fitting(self) -> list[File]:
        """The files without a problem so far, whose lines can be aligned."""
        return [file for file in self.texts if not file.problems]

    def report(self, file: str, what: str) -> None:
        self.problems.append(Problem(file, None, what))

    def all_problems(self) -> list[Problem]:
        found = [problem for file in self.every if not file.is_dropped for problem in file.problems]
        return [*found, *self.problems]


def read_material(
    files: Iterable[UploadedFile],
    roles: Roles,
    known: Sequence[SegmentPlace] | None = None,
    known_source: Sequence[str | None] | None = None,
) -> UploadedMaterial:
    """Read files that have no problem, or raise all problems."""
    return read_files(files, roles, known, known_source).whole()


def read_files(
    files: Iterable[UploadedFile],
    roles: Roles,
    known: Sequence[SegmentPlace] | None = None,
    known_source: Sequence[str | None] | None = None,
) -> ReadFiles:
    """Check the files against each other, and against the places and source of the campaign; align those that fit."""
    inputs = Inputs(read_each(files, roles.names, roles.dropped))
    sources = find_sources(inputs, roles, needed=known is None)
    _check_counts(inputs, known)
    return reading_of(inputs, roles, sources, known, known_source)


def read_tables_and_files(
    files: Iterable[UploadedFile],
    roles: Roles,
    known: Sequence[SegmentPlace] | None = None,
    known_source: Sequence[str | None] | None = None,
    read: Callable[..., ReadFiles] = read_files,
    line_break: str = " ",
) -> ReadFiles:
    """Read files, some of which may be tables with a file in each column; `line_break` divides the lines of a cell."""
    tables = open_tables(files, roles.header, roles.columns, roles.dropped, line_break)
    rows = [
        FileRow(one.handle, one.name, one.role.value, one.filled, one.first, False, one.is_dropped, (), one.place)
        for one in tables.others
    ]
    if tables.problems and not tables.files:
        return ReadFiles(rows, tables.problems, None)
    others = {one.handle for one in tables.others}
    names = {handle: name for handle, name in roles.names.items() if handle not in others}
    kept = replace(roles, names=names, dropped=roles.dropped - others)
    found = read(tables.files, kept, known, known_source)
    if found.material:
        found.material.notes[:0] = tables.notes
    own = [row for row in found.files if not (rows and row.file == SIDECAR)]
    return ReadFiles([*rows, *own], [*tables.problems, *found.problems], found.material)


def reading_of(
    inputs: Inputs,
    roles: Roles,
    sources: Sequence[str],
    known: Sequence[SegmentPlace] | None,
    known_source: Sequence[str | None] | None,
) -> ReadFiles:
    """Align files whose texts are counted; without known places, the files give them."""
    kinds = {file.handle: _kind(file, roles, sources) for file in inputs.every}
    _check_roles(inputs, roles, sources)
    material = _align(inputs, roles, kinds, known, known_source)
    return ReadFiles([file.row(kinds[file.handle]) for file in inputs.every], inputs.all_problems(), material)


def _align(
    inputs: Inputs,
    roles: Roles,
    kinds: Mapping[str, str],
    known: Sequence[SegmentPlace] | None,
    known_source: Sequence[str | None] | None,
) -> UploadedMaterial | None:
    fitting = inputs.fitting
    blank = {file.handle: blank_lines(file.text.lines) for file in fitting}
    places = list(known) if known is not None else _find_places(inputs, fitting, blank)
    if not places:
        if not inputs.all_problems():
            inputs.report("", "there is no sentence in the files, only blank lines")
        return None
    if known is not None and inputs.sidecar is not None:
        inputs.notes.append(f"{SIDECAR}: ignored, because the campaign already has documents")
    chosen: dict[str, list[Lines]] = {kind: [] for kind in ("source", "system", "reference", "control")}
    for file in fitting:
        kind = kinds[file.handle]
        texts = _line_up(file, blank[file.handle], places, roles.empty_line, is_source=kind == "source")
        file.made.append(file.name)
        chosen[kind].append(Lines(file.name, texts))
    decomposed = [file.name for file in fitting if not all(is_normalized("NFC", line) for line in file.text.lines)]
    if decomposed and not all(is_normalized("NFD", line) for file in fitting for line in file.text.lines):
        what = "other signs than the rest for letters with accents, so words that look alike count as changed"
        inputs.notes.append(f"{', '.join(decomposed)}: has {what}; convert all files to one form of Unicode (NFC)")
    uploaded = chosen["source"][0] if chosen["source"] else None
    compared, references = _take_annotated(inputs, places, uploaded.texts if uploaded else known_source)
    if uploaded is None and compared is not None and not known_source:
        uploaded = Lines("source", compared)
    return UploadedMaterial(
        places=places,
        source=uploaded,
        systems=chosen["system"],
        references=[*chosen["reference"], *references],
        controls=chosen["control"],
        source_takes_part=roles.source_takes_part,
        notes=inputs.notes,
    )


def find_sources(inputs: Inputs, roles: Roles, *, needed: bool) -> list[str]:
    """The handles of the files that are the source, or look like it."""
    if roles.source and system_name(roles.source) not in roles.dropped:
        return [system_name(roles.source)]
    found = [file for file in inputs.texts if is_source_name(file.name) or (file.column and file.column.seems_source)]
    if len(found) > 1 and len({file.name.casefold() for file in found}) > 1:
        names = " and ".join(file.name for file in found)
        inputs.report("", f"both {names} look like the source; say which one it is")
    if not found and needed and inputs.texts and not inputs.annotated:
        inputs.report("", "no source: name the file of original sentences INPUT or source, or say which file it is")
    return [file.handle for file in found]


def _kind(file: File, roles: Roles, sources: Sequence[str]) -> str:
    if file.is_sidecar:
        return "documents"
    if file.is_annotated:
        return "reference"
    is_named = file.handle == system_name(roles.source) if roles.source else is_source_name(file.name)
    if is_named or file.handle in sources:
        return "source"
    if file.handle in roles.controls:
        return "control"
    is_called_so = file.handle not in roles.columns and is_reference_name(file.handle)
    return "reference" if file.handle in roles.references or is_called_so else "system"


def _check_roles(inputs: Inputs, roles: Roles, sources: Sequence[str]) -> None:
    named = {*roles.references, *roles.controls, *sources, *roles.names, *roles.dropped}
    for name in sorted(named - {file.handle for file in inputs.every}):
        there = ", ".join(sorted(file.handle for file in inputs.texts)) or "none"
        inputs.report("", f"no file is named {name!r}; the files are: {there}")
    for file in inputs.annotated:
        if file.handle in roles.controls:
            inputs.report(file.text.name, "brings references, so it cannot be a control")
    for file in inputs.texts:
        if file.handle in sources and file.handle in roles.references | roles.controls:
            inputs.report(file.text.name, "cannot be the source and something else at once")
        if file.handle in roles.references & roles.controls:
            inputs.report(file.text.name, "cannot be a reference and a control at once")


def _check_counts(inputs: Inputs, known: Sequence[SegmentPlace] | None) -> None:
    counts = {file.handle: len(file.text.lines) for file in inputs.texts if file.text.lines}
    if not counts:
        return
    if known:
        usual, why = known[-1].position + 1, "the campaign has"
        # Blank lines after the last segment do not count; the first upload may have had them too.
        for file in inputs.texts:
            if (count := counts.get(file.handle, 0)) > usual:
                written = set(range(usual, count)) - blank_lines(file.text.lines)
                counts[file.handle] = max(written, default=usual - 1) + 1
    else:
        usual, why = Counter(counts.values()).most_common(1)[0][0], "most files have"
    for file in inputs.texts:
        count = counts.get(file.handle, usual)
        if count != usual:
            file.report(f"has {count_lines(count)} where {why} {usual}; every file needs one line per sentence")


def _find_places(inputs: Inputs, fitting: list[File], blank: dict[str, set[int]]) -> list[SegmentPlace]:
    """Lines that are blank in every file separate documents; all others are segments."""
    if fitting:
        line_count = len(fitting[0].text.lines)
        everywhere = set.intersection(*blank.values())
    else:
        line_count = next((len(file.sentences) for file in inputs.annotated if not file.problems), 0)
        everywhere = set()
    if inputs.sidecar is not None and line_count:
        try:
            return places_by_sidecar(inputs.sidecar.text, line_count, everywhere)
        except Problems as found:
            inputs.sidecar.problems += found.problems
    return places_by_blank_lines(line_count, everywhere)


def _line_up(
    file: File, blank: set[int], places: list[SegmentPlace], empty_line: EmptyLine, *, is_source: bool
) -> AlignedTexts:
    """The file's texts; an empty line of unclear meaning is a problem, and missing until that is solved."""
    empty = [index for index, place in enumerate(places) if place.position in blank] if blank else []
    absent = {index for index in empty if file.lacks(places[index].position)}
    unclear = [index for index in empty if index not in absent]
    if unclear and (is_source or empty_line is EmptyLine.ERROR):
        whats = (EMPTY_SOURCE, UNCLEAR_LINE) if file.places is None else (EMPTY_SOURCE_TEXT, UNCLEAR_TEXT)
        found = [file.problem(places[index].position, whats[not is_source]) for index in unclear]
        file.problems += shorten(file.text.name, found)
    meaning = "" if empty_line is EmptyLine.OUTPUT else None
    return AlignedTexts(file.text.lines, places, {index: None if index in absent else meaning for index in empty})


def _take_annotated(
    inputs: Inputs, places: list[SegmentPlace], source: Sequence[str | None] | None
) -> tuple[Sequence[str | None] | None, list[Lines]]:
    """Read the source and the references from M2 files, and check them against the campaign's source."""
    references = []
    texts = {file.name for file in inputs.texts}
    for file in (file for file in inputs.annotated if not file.problems):
        sentences, key = file.sentences, file.text.name
        if len(sentences) != len(places):
            file.report(f"has {len(sentences)} sentences where the texts have {len(places)}")
            continue
        if source is None:
            source = [sentence.text for sentence in sentences]
            empty = [sentence.line for sentence in sentences if not sentence.text]
            file.problems += shorten(key, [Problem(key, line, EMPTY_SOURCE) for line in empty])
        elif difference := _first_difference(key, source, sentences):
            file.problems.append(difference)
            continue
        for annotator in annotators(sentences):
            name = f"{file.name}-{annotator}"
            if name in texts:
                file.report(f"brings a reference named {name}, and there is a file of that name; rename one")
                continue
            made = [correct_sentence(sentence, annotator) for sentence in sentences]
            references.append(Lines(name, made, [sentence.to_rows(annotator) for sentence in sentences]))
            file.made.append(name)
            if silent := made.count(None):
                note = f"{key}: annotator {annotator} has no line in {silent} sentences; missing there"
                inputs.notes.append(note)
    return source, references


def _first_difference(
    file: str, source: Sequence[str | None], sentences: Sequence[AnnotatedSentence]
) -> Problem | None:
    for index, (text, sentence) in enumerate(zip(source, sentences, strict=True)):
        if normalise(text or "") != normalise(sentence.text):
            what = f"sentence {index + 1} is not the source's: {sentence.text[:60]!r} against {(text or '')[:60]!r}"
            return Problem(file, sentence.line, what)
    return None
