"""Corrections from parallel text: one file by one judge, or a ZIP such as `corrections.zip`."""

import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from judgments.exchange.importers.rules.corrections import (
    Sentences,
    check_sentences,
    checked,
    correction,
    lines_of,
)
from judgments.exchange.importers.rules.recorded import RecordedJudgment
from judgments.material.rules.files import LONGEST_LINE
from judgments.rules.files.archives import is_archive, read_archive
from judgments.rules.files.csv_tables import read_rows, whole_number
from judgments.rules.files.problems import Problem, Problems
from judgments.rules.progress import unless_cancelled
from judgments.rules.texts.diff import effort
from judgments.rules.texts.edits import Edit, derived

# To derive the edits of a whole file: up to 40 seconds for hostile lines, and 11 for 20 judges with 1,000 lines each.
MOST_EFFORT = 400_000_000


class TableFile(NamedTuple):
    name: str
    columns: tuple[str, ...]


SOURCE = "source.txt"
JUDGES = TableFile("judges.csv", ("file", "judge"))
LEFT_OUT = TableFile("left-out.csv", ("file", "line", "label"))


class Comparison:
    """Derives the edits of a file's lines word by word, unless that would keep a worker busy for too long."""

    def __init__(self, name: str):
        self._name = name
        self._effort = 0

    def edits(self, text: str, line: str) -> tuple[Edit, ...]:
        if line == text:
            return ()
        self._effort += effort(text, line)
        if self._effort > MOST_EFFORT:
            what = (
                "has lines that differ too much from their sentences to be compared at once. Import fewer judges at a "
                "time, or corrections.jsonl, which has the edits themselves"
            )
            raise Problems([Problem(self._name, None, what)])
        return tuple(derived(text, line))


def file_of(number: int) -> str:
    """Name the file of a judge by number, because pseudonyms may contain characters that file names may not."""
    return f"judge-{number}.txt"


def read_parallel(name: str, content: bytes, sentences: Sentences, judges: Sequence[str]) -> list[RecordedJudgment]:
    """Read each line as the judge's correction of the sentence on that line."""
    comparison = Comparison(name)
    if not is_archive(name):
        judge = judges[0] if judges else PurePosixPath(name).stem
        return checked(name, list(_of_judge(name, content, judge, sentences, {}, comparison)), sentences)
    files = {file.name: file.content for file in read_archive(name, io.BytesIO(content))}
    if SOURCE in files:
        check_sentences(SOURCE, list(enumerate(lines_of(SOURCE, files.pop(SOURCE)), 1)), sentences)
    names = {row["file"]: row["judge"] for row in _rows(files, JUDGES)}
    left_out: dict[str, dict[int, str]] = {}
    for row in _rows(files, LEFT_OUT):
        left_out.setdefault(row["file"], {})[whole_number(row["line"]) or 0] = row["label"]
    recorded = [
        one
        for file, text in sorted(files.items(), key=lambda file: (len(file[0]), file[0]))
        for judge in [names.get(file, PurePosixPath(file).stem)]
        for one in _of_judge(file, text, judge, sentences, left_out.get(file, {}), comparison)
    ]
    return checked(name, recorded, sentences)


def _of_judge(
    name: str,
    content: bytes,
    judge: str,
    sentences: Sentences,
    left_out: Mapping[int, str],
    comparison: Comparison,
) -> Iterator[RecordedJudgment]:
    lines = lines_of(name, content)
    if len(lines) != len(sentences.texts):
        what = f"has {len(lines)} lines where the campaign has {len(sentences.texts)} sentences"
        raise Problems([Problem(name, None, what)])
    for place, (line, text) in unless_cancelled(enumerate(zip(lines, sentences.texts, strict=True)), every=10):
        if len(line) > LONGEST_LINE:
            what = f"has {len(line):,} characters; at most {LONGEST_LINE:,} are compared with a sentence"
            raise Problems([Problem(name, place + 1, what)])
        if place + 1 not in left_out:
            yield correction(place + 1, judge, place, comparison.edits(text, line))
        elif left_out[place + 1]:
            yield correction(place + 1, judge, place, (), left_out[place + 1])


def _rows(files: dict[str, bytes], table: TableFile) -> list[dict[str, str]]:
    """Remove a table from the files and return its rows; none if there is no such table."""
    if table.name not in files:
        return []
    return [row for _, row in read_rows(table.name, files.pop(table.name), table.columns)]
