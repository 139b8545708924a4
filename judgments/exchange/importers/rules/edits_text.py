"""Verdicts on edits typed by hand: a text file for each source sentence, in a folder for each annotator.

    <Source with context>
    Earlier sentence .
    <t>He [go] to school every days .</t>

    <Correction>
    <s1>He [go→goes|True] to school every [days→day|True] .</s1>

The number of a file says which sentence it is where several are equal; the texts say which sentence and which versions
of it. Files that can be understood are read, slips included (`judgments.rules.texts.bracketed`); every slip of the
others is a problem with its file and line.
"""

import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import NamedTuple

from judgments.exchange.importers.rules.recorded import KEEP_FIRST, RecordedGroup, RecordedJudgment
from judgments.material.rules.files import LONGEST_LINE
from judgments.rules.authored.edit_verdicts import EditVerdict
from judgments.rules.files.archives import is_archive, read_archive
from judgments.rules.files.names import fault_of_pseudonym
from judgments.rules.files.problems import Problem, Problems, refuse
from judgments.rules.files.text_files import UploadedFile, read_text
from judgments.rules.progress import unless_cancelled
from judgments.rules.texts.bracketed import (
    BracketedReading,
    Notation,
    Pieces,
    judged_edits,
    left_in,
    misfit,
    remove_spaces,
    source_of,
    version_of,
    with_left,
)
from judgments.rules.texts.edits import JudgedEdit, derive_edits, fault_of_judged

TARGET = re.compile(r"<t>(?P<text>.*?)(?P<end></t>|$)", re.IGNORECASE)
VERSION = re.compile(r"<s(?P<number>\d{1,2})>(?P<text>.*?)(?P<end></s\d?\d?>|$)", re.IGNORECASE)
TEXT, RANKING = ".txt", ".xml"
MOST_FILES = 20_000


class Versions(NamedTuple):
    """The versions of a sentence, by the keys of their candidates."""

    text: str
    versions: Mapping[int, str]


class EditedMaterial(NamedTuple):
    """The sentences of a campaign (normalised, by position), and its verdicts."""

    sentences: Mapping[int, Versions]
    verdicts: Sequence[EditVerdict]


@dataclass
class ReadEdits:
    """What could be read; the problems of files that could not; slips that were understood; files of rankings."""

    recorded: list[RecordedJudgment] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    slips: list[str] = field(default_factory=list)
    rankings: list[UploadedFile] = field(default_factory=list)


class _Fault(Exception):
    """A file cannot be understood; the line, and why."""

    def __init__(self, line: int | None, why: str):
        self.line = line
        super().__init__(why)


def read_edits_text(
    name: str, content: bytes, material: EditedMaterial, judges: Sequence[str], keep_first: bool = False
) -> ReadEdits:
    """Read a file, or a ZIP of files in folders; files without a folder are by the first judge named."""
    reader, found = _Reader(material, keep_first), ReadEdits()
    files: Iterable[UploadedFile] = [UploadedFile(name, content)]
    if is_archive(name):
        files = read_archive(name, io.BytesIO(content), MOST_FILES, with_folders=True)
    for file in unless_cancelled(files, every=10):
        path = PurePosixPath(file.name)
        if path.suffix.lower() == RANKING:
            found.rankings.append(file)
        elif path.suffix.lower() == TEXT:
            alone = judges[0] if judges else PurePosixPath(name).stem
            try:
                recorded, slips = reader.read(file, path.parent.name or alone)
            except Problems as refused:
                found.problems += refused.problems
            else:
                found.recorded.append(recorded)
                found.slips += slips
    if not found.recorded and not found.problems:
        found.problems.append(Problem(name, None, "contains no file 1.txt, 2.txt and so on with verdicts on edits"))
    return found


class _Reader:
    def __init__(self, material: EditedMaterial, keep_first: bool):
        self.material, self.notation, self.keep_first = material, Notation(material.verdicts), keep_first
        self.places: dict[str, list[int]] = {}
        for position, sentence in material.sentences.items():
            self.places.setdefault(remove_spaces(sentence.text), []).append(position)

    def read(self, file: UploadedFile, judge: str) -> tuple[RecordedJudgment, list[str]]:
        """What a judge found in a sentence, by the keys of its versions, and the slips that were understood."""
        text = read_text(file.name, file.content)
        refuse(text.problems)
        try:
            if fault := fault_of_pseudonym(judge):
                raise _Fault(None, fault)
            return self._understood(file.name, judge, text.lines)
        except _Fault as fault:
            raise Problems([Problem(file.name, fault.line, str(fault))]) from None

    def _understood(self, name: str, judge: str, lines: Sequence[str]) -> tuple[RecordedJudgment, list[str]]:
        source, versions, slips = _marked(lines)
        if source is None:
            raise _Fault(None, "has no line <t>...</t> with the source")
        line, text = source
        position, reading = self._sentence(PurePosixPath(name).stem, line, text)
        sentence = self.material.sentences[position]
        slips += [f"line {line}: {slip}" for slip in reading.slips]
        left = left_in(sentence.text, reading.pieces)
        found: dict[int, tuple[JudgedEdit, ...]] = {}
        for line, text in versions:
            candidate, one = self._version(sentence, line, text)
            slips += [f"line {line}: {slip}" for slip in one.slips]
            version = sentence.versions[candidate]
            judged = judged_edits(sentence.text, version, one.pieces, derive_edits(sentence.text, version))
            marks = with_left(judged, {*left, *left_in(sentence.text, one.pieces)})
            if fault := fault_of_judged([mark._asdict() for mark in marks]):
                raise _Fault(line, f"{fault}; edits at one place must be one")
            if found.setdefault(candidate, marks) != marks:
                what = "has other verdicts than an earlier line with the same sentence"
                if not self.keep_first:
                    raise _Fault(line, f"{what}; leave one out, {KEEP_FIRST}")
                slips.append(f"line {line}: {what}, which are kept")
        if not found:
            raise _Fault(None, "has no line <s1>...</s1> with a corrected sentence")
        recorded = RecordedJudgment(
            0, judge, position, tuple(RecordedGroup(key, marks) for key, marks in sorted(found.items()))
        )
        return recorded, [f"{name}, {slip}" for slip in slips]

    def _sentence(self, stem: str, line: int, text: str) -> tuple[int, BracketedReading]:
        for reading in self.notation.readings(text):
            if positions := self.places.get(source_of(reading.pieces)):
                number = int(stem) if stem.isdecimal() else -1
                fitting = (position for position in (number - 1, number) if position in positions)
                return next(fitting, positions[0]), reading
        raise _Fault(line, "is no sentence of the campaign; check the brackets, and upload the source first")

    def _version(self, sentence: Versions, line: int, text: str) -> tuple[int, BracketedReading]:
        source = remove_spaces(sentence.text)
        candidates = {remove_spaces(version): key for key, version in sentence.versions.items()}
        fitting: Pieces | None = None
        first: Pieces = ()
        for reading in self.notation.readings(text):
            first = first or reading.pieces
            if source_of(reading.pieces) != source:
                continue
            fitting = fitting or reading.pieces
            if (candidate := candidates.get(version_of(reading.pieces))) is not None:
                return candidate, reading
        if fitting is None:
            raise _Fault(line, f"cannot be read: {misfit(sentence.text, first)}")
        raise _Fault(line, f"makes {version_of(fitting)[:80]!r}, which no system wrote for this sentence")


def _marked(lines: Sequence[str]) -> tuple[tuple[int, str] | None, list[tuple[int, str]], list[str]]:
    """The line of the source, those of the versions, and slips in them; each with its number."""
    source, versions, slips = None, [], []
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            raise _Fault(number, f"has {len(line):,} characters; at most {LONGEST_LINE:,} are read")
        if found := TARGET.search(line):
            source = source or (number, found["text"])
        elif found := VERSION.search(line):
            versions.append((number, found["text"]))
        if found and not found["end"]:
            slips.append(f"line {number}: the closing tag is missing")
    return source, versions, slips
