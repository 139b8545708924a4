"""Corrections that others collected: JSON lines as in `corrections.jsonl`, M2, and parallel text.

In M2, each annotator is a judge. Parallel text is one file by one judge, or a ZIP such as `corrections.zip`.
"""

import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from judgments.exchange.importers.rules.recorded import LONGEST_LABEL, RecordedGroup, RecordedJudgment, seconds_of
from judgments.material.rules.files import LONGEST_LINE
from judgments.rules.files.archives import is_archive, read_archive
from judgments.rules.files.csv_tables import read_rows, whole_number
from judgments.rules.files.names import fault_of_pseudonym
from judgments.rules.files.problems import Problem, Problems, count_lines, refuse, shorten
from judgments.rules.files.text_files import is_one_line, read_text
from judgments.rules.files.values import RowFault, read_json_lines
from judgments.rules.progress import unless_cancelled
from judgments.rules.texts.diff import effort
from judgments.rules.texts.edits import LONGEST_REPLACEMENT, MOST_EDITS, Edit, Fault, derive_edits, faults_in
from judgments.rules.texts.m2 import NO_TYPE, AnnotatedEdit, annotators, read_m2
from judgments.rules.texts.token_edits import TokenEdit, by_characters

LONGEST_CATEGORY = 40
# Fault.CUTTING is allowed: an edit of whole words may split a grapheme, if a combining accent follows a space.
FAULTS = {
    Fault.OUTSIDE: "outside its sentence",
    Fault.IDLE: "that changes nothing; leave it out",
    Fault.OVERLAPPING: "that overlaps with another",
    Fault.DOUBLED: "that inserts at the same place as another; combine them",
    Fault.TOO_LONG: f"that writes more than {LONGEST_REPLACEMENT:,} characters",
    Fault.NO_LINE: "that contains a line break or a control character",
}


class Sentences(NamedTuple):
    """The sentences of a campaign: the line of each in the uploaded files (from 0), and its text."""

    positions: tuple[int, ...]
    texts: tuple[str, ...]


def correction(
    line: int, judge: str, place: int, edits: tuple[Edit, ...], skip_reason: str = "", seconds: float | None = None
) -> RecordedJudgment:
    """A judge's correction of a sentence of the campaign (counted from 0), or the reason of a skip."""
    groups = () if skip_reason else (RecordedGroup("", edits),)
    return RecordedJudgment(line, judge, place, groups, seconds, skip_reason=skip_reason)


# A reader takes a file's name and content, the sentences, and names for judges whom the file only numbers.


def lines_of(name: str, content: bytes) -> list[str]:
    """The lines of a text file; raise its problems."""
    file = read_text(name, content)
    refuse(file.problems)
    return list(file.lines)


def check_sentences(name: str, lines: Sequence[tuple[int, str]], sentences: Sentences) -> None:
    """Refuse a file about other sentences; `lines` has the line number and text of each."""
    if len(lines) != len(sentences.texts):
        what = f"has {len(lines)} sentences where the campaign has {len(sentences.texts)}; they must be the same"
        raise Problems([Problem(name, None, what)])
    problems = [
        Problem(name, line, f"is not the sentence of the campaign, which is {text[:60]!r}")
        for (line, line_text), text in zip(lines, sentences.texts, strict=True)
        if line_text.split() != text.split()
    ]
    refuse(shorten(name, problems))


def check_corrections(name: str, recorded: list[RecordedJudgment], sentences: Sentences) -> list[RecordedJudgment]:
    """Return the corrections, or raise all problems in them."""
    problems = [
        Problem(name, one.line, fault) for one in recorded for fault in _faults(one, sentences.texts[one.about])
    ]
    if not recorded:
        problems.append(Problem(name, None, "contains no correction"))
    refuse(shorten(name, problems))
    return recorded


def _faults(one: RecordedJudgment, text: str) -> Iterator[str]:
    if fault := fault_of_pseudonym(one.judge):
        yield fault
    if len(one.skip_reason) > LONGEST_LABEL or not is_one_line(one.skip_reason):
        yield f"has a label that is not a single line of at most {LONGEST_LABEL} characters; shorten it"
    edits: tuple[Edit, ...] = one.groups[0].value if one.groups else ()
    for place, fault in faults_in(text, edits, categories=None):
        if fault == Fault.TOO_MANY:
            yield f"has {len(edits)} edits of one sentence; the maximum is {MOST_EDITS}"
        elif fault in FAULTS:
            edit = edits[place - 1]
            yield f"has an edit from {edit.start} to {edit.end} {FAULTS[fault]}"
    for edit in edits:
        if len(edit.category) > LONGEST_CATEGORY:
            yield f"has a category of more than {LONGEST_CATEGORY} characters: {edit.category[:20]!r}..."
        elif not is_one_line(edit.category):
            yield f"has a category that is not a single line: {edit.category!a}"


NEEDS_EDITS = "needs edits: a list of objects with start, end, replacement and perhaps category"


def read_corrections_jsonl(
    name: str, content: bytes, sentences: Sentences, judges: Sequence[str]
) -> list[RecordedJudgment]:
    """Read one object per judgment, with fields `judge`, `line`, `edits` (by characters), `label` and `seconds`."""
    places = {position: place for place, position in enumerate(sentences.positions)}
    recorded = read_json_lines(name, content, lambda line, row: _correction(line, row, places, sentences))
    return check_corrections(name, recorded, sentences)


def _correction(line: int, row: dict[str, Any], places: dict[int, int], sentences: Sentences) -> RecordedJudgment:
    judge, position, label = row.get("judge"), row.get("line"), row.get("label") or ""
    if not isinstance(judge, str) or not isinstance(label, str):
        raise RowFault("needs a judge; judge and label must be texts")
    if type(position) is not int or position - 1 not in places:
        raise RowFault(f"is about line {str(position)[:20]}, which the campaign does not have")
    place = places[position - 1]
    source = row.get("source")
    if source is not None and (not isinstance(source, str) or source.split() != sentences.texts[place].split()):
        raise RowFault(f"is not about the sentence of the campaign, which is {sentences.texts[place][:60]!r}")
    rows = row.get("edits")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise RowFault(NEEDS_EDITS)
    edits = [Edit(row.get("start"), row.get("end"), row.get("replacement"), row.get("category", "")) for row in rows]
    if any(type(part) is not kind for edit in edits for part, kind in zip(edit, (int, int, str, str), strict=True)):
        raise RowFault(NEEDS_EDITS)
    if label and edits:
        raise RowFault("has both a label and edits; remove one of them")
    seconds: Any = row.get("seconds")
    is_number = type(seconds) in (int, float)
    in_order = tuple(sorted(edits, key=lambda edit: edit[:2]))
    return correction(line, judge, place, in_order, label, seconds_of(seconds) if is_number else None)


def read_corrections_m2(
    name: str, content: bytes, sentences: Sentences, judges: Sequence[str]
) -> list[RecordedJudgment]:
    """Read the first alternative of every edit; annotators judged the sentences for which they have a line."""
    annotated = read_m2(read_text(name, content))
    check_sentences(name, [(sentence.line, sentence.text) for sentence in annotated], sentences)
    unnamed = (f"judge-{number}" for number in count(len(judges)))
    names = dict(zip(annotators(annotated), chain(judges, unnamed), strict=False))
    recorded = [
        correction(
            sentence.line,
            names[annotator],
            place,
            by_characters(sentences.texts[place], _applied(edits, sentence.text.split())),
        )
        for place, sentence in enumerate(annotated)
        for annotator, edits in sorted(sentence.edits.items())
    ]
    return check_corrections(name, recorded, sentences)


def _applied(edits: Iterable[AnnotatedEdit], tokens: Sequence[str]) -> list[TokenEdit]:
    """Return the edits that change words; edits of an unclear type only if they insert words apart from all others."""
    changing = [edit for edit in edits if tokens[edit.start : edit.end] != edit.corrections[0].split()]
    applied = [edit for edit in changing if edit.is_made]
    for edit in changing:
        if not edit.is_made and edit.corrections[0]:
            start, end = edit.start, edit.end
            is_apart = all(
                (other.start, other.end) != (start, end) and not (start < other.end and other.start < end)
                for other in applied
            )
            applied += [edit] if is_apart else []
    return [
        TokenEdit(edit.start, edit.end, edit.corrections[0], "" if edit.kind == NO_TYPE else edit.kind)
        for edit in applied
    ]


# To derive the edits of a whole file: up to 40 seconds for hostile lines, and 11 for 20 judges with 1,000 lines each.
MOST_EFFORT = 400_000_000


class TableFile(NamedTuple):
    name: str
    columns: tuple[str, ...]


SOURCE = "source.txt"
JUDGES = TableFile("judges.csv", ("file", "judge"))
LEFT_OUT = TableFile("left-out.csv", ("file", "line", "label"))


def file_of(number: int) -> str:
    """Name the file of a judge by number, because pseudonyms may contain characters that file names may not."""
    return f"judge-{number}.txt"


def read_parallel(name: str, content: bytes, sentences: Sentences, judges: Sequence[str]) -> list[RecordedJudgment]:
    """Read each line as the judge's correction of the sentence on that line.

    Edits are derived from the differences, unless that would keep a worker busy for too long.
    """
    files, names = {name: content}, {name: judges[0]} if judges else {}
    labels: dict[tuple[str, int], str] = {}
    if is_archive(name):
        files = {file.name: file.content for file in read_archive(name, io.BytesIO(content))}
        if SOURCE in files:
            check_sentences(SOURCE, list(enumerate(lines_of(SOURCE, files.pop(SOURCE)), 1)), sentences)
        names = {row["file"]: row["judge"] for row in _rows(files, JUDGES)}
        labels = {(row["file"], whole_number(row["line"]) or 0): row["label"] for row in _rows(files, LEFT_OUT)}
    recorded, total = [], 0
    for file, text in sorted(files.items(), key=lambda one: (len(one[0]), one[0])):
        judge, lines = names.get(file, PurePosixPath(file).stem), lines_of(file, text)
        if len(lines) != len(sentences.texts):
            what = f"has {count_lines(len(lines))} where the campaign has {len(sentences.texts)} sentences"
            raise Problems([Problem(file, None, what)])
        for place, (line, sentence) in unless_cancelled(enumerate(zip(lines, sentences.texts, strict=True)), every=10):
            if len(line) > LONGEST_LINE:
                what = f"has {len(line):,} characters; at most {LONGEST_LINE:,} are compared with a sentence"
                raise Problems([Problem(file, place + 1, what)])
            label = labels.get((file, place + 1))
            if label == "":
                continue
            total += 0 if label or line == sentence else effort(sentence, line)
            if total > MOST_EFFORT:
                what = (
                    "has lines that differ too much from their sentences to be compared at once. Import fewer judges "
                    "at a time, or corrections.jsonl, which has the edits themselves"
                )
                raise Problems([Problem(name, None, what)])
            edits = () if label or line == sentence else tuple(derive_edits(sentence, line))
            recorded.append(correction(place + 1, judge, place, edits, label or ""))
    return check_corrections(name, recorded, sentences)


def _rows(files: dict[str, bytes], table: TableFile) -> list[dict[str, str]]:
    """Remove a table from the files and return its rows; none if there is no such table."""
    if table.name not in files:
        return []
    return [row for _, row in read_rows(table.name, files.pop(table.name), table.columns)]
