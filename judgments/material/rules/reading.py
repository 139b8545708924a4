"""Reading uploaded files as material, reporting all problems at once with file and line."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self

from judgments.material.rules.contents import Lines, Material, Place
from judgments.material.rules.documents import SIDECAR, places_by_blank_lines, places_by_sidecar
from judgments.rules.files.names import fault_of_name, is_source_name, system_name
from judgments.rules.files.problems import Problem, Problems, shorten
from judgments.rules.files.text_files import TextFile, UploadedFile, read_text
from judgments.rules.texts.collapsing import normalise
from judgments.rules.texts.m2 import AnnotatedSentence, annotators, corrected, read_m2

LONGEST_LINE = 20_000
EMPTY_SOURCE = "the source sentence is empty"


class EmptyLine(StrEnum):
    """The meaning of an empty line where other files have text."""

    ERROR = "error"
    OUTPUT = "output"
    MISSING = "missing"


@dataclass(frozen=True)
class Roles:
    """The roles that the organiser gave the files; any other file is a system."""

    source: str | None = None
    source_takes_part: bool = False
    references: frozenset[str] = frozenset()
    controls: frozenset[str] = frozenset()
    empty_line: EmptyLine = EmptyLine.ERROR

    @classmethod
    def read(cls, kept: Mapping[str, Any]) -> Self:
        sets = {name: frozenset(kept[name]) for name in ("references", "controls")}
        return cls(kept["source"], kept["source_takes_part"], **sets, empty_line=EmptyLine(kept["empty_line"]))

    def written(self) -> dict[str, Any]:
        sets = {name: sorted(getattr(self, name)) for name in ("references", "controls")}
        return {**vars(self), **sets, "empty_line": self.empty_line.value}


@dataclass
class _Sorted:
    """The files by kind, and the problems and notes so far."""

    texts: dict[str, TextFile] = field(default_factory=dict)
    annotated: dict[str, tuple[TextFile, list[AnnotatedSentence]]] = field(default_factory=dict)
    sidecar: TextFile | None = None
    has_annotations: bool = False
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def report(self, file: str, what: str) -> None:
        self.problems.append(Problem(file, None, what))

    def settle(self) -> None:
        if self.problems:
            raise Problems(self.problems)


def read_material(
    files: Iterable[UploadedFile],
    roles: Roles,
    known: Sequence[Place] | None = None,
    known_source: Sequence[str | None] | None = None,
) -> Material:
    """Check the files against each other, and against the places and source of the campaign, and align them."""
    inputs = _sort(files)
    source = _find_source(inputs, roles, needed=known is None)
    _check_roles(inputs, roles, source)
    _check_counts(inputs, known)
    inputs.settle()
    blank = {
        name: {number for number, line in enumerate(file.lines) if not line or line.isspace()}
        for name, file in inputs.texts.items()
    }
    places = list(known) if known is not None else _find_places(inputs, blank)
    if not places:
        raise Problems([Problem("", None, "there is no sentence in the files, only blank lines")])
    texts = {
        name: _line_up(inputs, file, blank[name], places, roles.empty_line, is_source=name == source)
        for name, file in inputs.texts.items()
    }
    if known is not None and inputs.sidecar is not None:
        inputs.notes.append(f"{SIDECAR}: passed over, as the campaign has its documents already")
    uploaded = texts.pop(source, None) if source else None
    compared, references = _take_annotated(inputs, places, uploaded or known_source)
    source_texts = uploaded if known_source else compared
    inputs.settle()
    chosen = {name: Lines(name, lines) for name, lines in texts.items()}
    return Material(
        places=places,
        source=Lines(source or "source", source_texts) if source_texts is not None else None,
        systems=[lines for name, lines in chosen.items() if name not in roles.references | roles.controls],
        references=[lines for name, lines in chosen.items() if name in roles.references] + references,
        controls=[lines for name, lines in chosen.items() if name in roles.controls],
        source_takes_part=roles.source_takes_part,
        notes=inputs.notes,
    )


def _sort(files: Iterable[UploadedFile]) -> _Sorted:
    inputs = _Sorted()
    seen: Counter[str] = Counter()
    for uploaded in files:
        file = read_text(uploaded.name, uploaded.content)
        inputs.notes += file.notes
        if uploaded.name == SIDECAR:
            inputs.sidecar = file
            continue
        name = system_name(uploaded.name)
        seen[name.casefold()] += 1
        if seen[name.casefold()] == 2:
            inputs.report(uploaded.name, f"a second file speaks for {name!r}; rename one")
        if fault := fault_of_name(name):
            inputs.report(uploaded.name, fault)
        inputs.problems += file.problems + _too_long(file)
        if not name.endswith(".m2"):
            inputs.texts[name] = file
            continue
        inputs.has_annotations = True
        if not file.problems:
            try:
                inputs.annotated[name.removesuffix(".m2")] = (file, read_m2(file))
            except Problems as found:
                inputs.problems += found.problems
    if not seen:
        inputs.report("", "there is no file; upload one text file for each system")
    return inputs


def _too_long(file: TextFile) -> list[Problem]:
    """Report lines too long to be sentences, which nobody could judge and which take too long to compare."""
    what = f"has {{:,}} characters; at most {LONGEST_LINE:,} are taken. Put one sentence on a line"
    long = ((number, len(line)) for number, line in enumerate(file.lines, 1) if len(line) > LONGEST_LINE)
    return shorten(file.name, [Problem(file.name, number, what.format(length)) for number, length in long])


def _find_source(inputs: _Sorted, roles: Roles, *, needed: bool) -> str | None:
    if roles.source:
        return system_name(roles.source)
    found = [name for name in inputs.texts if is_source_name(name)]
    if len(found) > 1:
        inputs.report("", f"both {' and '.join(found)} look like the source; say which one it is")
    if not found and needed and inputs.texts and not inputs.has_annotations:
        inputs.report("", "no source: name the file of original sentences INPUT or source, or say which file it is")
    return found[0] if found else None


def _check_roles(inputs: _Sorted, roles: Roles, source: str | None) -> None:
    named = {*roles.references, *roles.controls, *([system_name(roles.source)] if roles.source else [])}
    annotated = {f"{name}.m2" for name in inputs.annotated}  # an M2 file is always a reference
    for name in sorted(named - inputs.texts.keys() - annotated):
        there = ", ".join(sorted(inputs.texts)) or "none"
        inputs.report("", f"no file is named {name!r}; the files are: {there}")
    for name in sorted(roles.controls & annotated):
        inputs.report(name, "brings references, so it cannot be a control")
    for name in sorted((roles.references | roles.controls) & {source}):
        inputs.report(name, "cannot be the source and something else at once")
    for name in sorted(roles.references & roles.controls):
        inputs.report(name, "cannot be a reference and a control at once")


def _check_counts(inputs: _Sorted, known: Sequence[Place] | None) -> None:
    counts = {name: len(file.lines) for name, file in inputs.texts.items() if file.lines}
    if not counts:
        return
    if known:
        usual, why = known[-1].position + 1, "the campaign has"
        # Blank lines after the last segment do not count; the first upload may have had them too.
        for name in [name for name, count in counts.items() if count > usual]:
            lines = enumerate(inputs.texts[name].lines, 1)
            counts[name] = max([usual, *(number for number, line in lines if line.strip())])
    else:
        usual, why = Counter(counts.values()).most_common(1)[0][0], "most files have"
    for name, count in counts.items():
        if count != usual:
            what = f"has {count} lines where {why} {usual}; every file needs one line a sentence"
            inputs.report(inputs.texts[name].name, what)


def _find_places(inputs: _Sorted, blank: dict[str, set[int]]) -> list[Place]:
    """Lines that are blank in every file separate documents; all others are segments."""
    if inputs.texts:
        line_count = len(next(iter(inputs.texts.values())).lines)
        everywhere = set.intersection(*blank.values())
    else:
        line_count = len(next(iter(inputs.annotated.values()))[1])
        everywhere = set()
    try:
        if inputs.sidecar is not None:
            return places_by_sidecar(inputs.sidecar, line_count, everywhere)
    except Problems as found:
        inputs.problems += found.problems
    return places_by_blank_lines(line_count, everywhere)


def _line_up(
    inputs: _Sorted, file: TextFile, blank: set[int], places: list[Place], empty_line: EmptyLine, *, is_source: bool
) -> list[str | None]:
    texts: list[str | None] = [file.lines[place.position] for place in places]
    empty = [index for index, place in enumerate(places) if place.position in blank] if blank else []
    if empty and (is_source or empty_line is EmptyLine.ERROR):
        unclear = "the line is empty; say whether empty lines are empty outputs or missing ones"
        what = EMPTY_SOURCE if is_source else unclear
        problems = [Problem(file.name, places[index].position + 1, what) for index in empty]
        inputs.problems += shorten(file.name, problems)
    for index in empty:
        texts[index] = None if empty_line is EmptyLine.MISSING else ""
    return texts


def _take_annotated(
    inputs: _Sorted, places: list[Place], source: Sequence[str | None] | None
) -> tuple[Sequence[str | None] | None, list[Lines]]:
    """Read the source and the references from M2 files, and check them against the campaign's source."""
    references = []
    for name, (file, sentences) in inputs.annotated.items():
        if len(sentences) != len(places):
            inputs.report(file.name, f"has {len(sentences)} sentences where the texts have {len(places)}")
            continue
        if source is None:
            source = [sentence.text for sentence in sentences]
            empty = [sentence.line for sentence in sentences if not sentence.text]
            inputs.problems += shorten(file.name, [Problem(file.name, line, EMPTY_SOURCE) for line in empty])
        elif difference := _first_difference(file.name, source, sentences):
            inputs.problems.append(difference)
        for annotator in annotators(sentences):
            texts = [corrected(sentence, annotator) for sentence in sentences]
            edits = [sentence.stored(annotator) for sentence in sentences]
            references.append(Lines(f"{name}-{annotator}", texts, edits))
            if f"{name}-{annotator}" in inputs.texts:
                what = f"brings a reference named {name}-{annotator}, and there is a file of that name; rename one"
                inputs.report(file.name, what)
            if silent := texts.count(None):
                note = f"{file.name}: annotator {annotator} has no line in {silent} sentences; missing there"
                inputs.notes.append(note)
    return source, references


def _first_difference(file: str, source: Sequence[str | None], sentences: list[AnnotatedSentence]) -> Problem | None:
    for index, (text, sentence) in enumerate(zip(source, sentences, strict=True)):
        if normalise(text or "") != normalise(sentence.text):
            what = f"sentence {index + 1} is not the source's: {sentence.text[:60]!r} against {(text or '')[:60]!r}"
            return Problem(file, sentence.line, what)
    return None
