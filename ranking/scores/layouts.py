"""Layouts of files with metric scores; each is read into cells that hold one score of one system.

lines      `SYSTEM score` or `SYSTEM score score ...`, separated by white space, tabs or commas, with or without a
           header; a second column named segment, sentence or line makes them scores of sentences
shared     `metric  language  testset  SYSTEM  score`, or with a segment before the score, separated by tabs
columns    a header of system names, and a row of scores for each sentence; an empty cell is a missing score (GMEG)
"""

import csv
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from judgments.rules.files.csv_tables import whole_number
from judgments.rules.files.problems import Problem, Problems, shorten
from ranking.scores.files import GivenFile, read_lines

SEGMENTS = {"segment", "segment_id", "segmentid", "sentence", "line", "id"}
SHARED_SYSTEM_LEVEL, SHARED_SENTENCE_LEVEL = 5, 6
SHARED_SYSTEM_AT = 3
EMPTY = "is empty; remove it, or write only separators for a sentence without scores"
NO_SCORE = "holds no score; write a line 'SYSTEM score' for each system"
LIKE_A_NUMBER = re.compile(r"[+-]?(\.?[0-9][0-9.,e+-]*%?|nan|inf|infinity)", re.ASCII | re.IGNORECASE)

# The page reads a file while its user waits, and a cell takes up to a quarter of a kilobyte.
MOST_CELLS = 1_000_000

Row = tuple[int, list[str]]


class Cell(NamedTuple):
    """A score and its line; `segment` is the file's own number, None at system level."""

    line: int
    metric: str
    system: str
    segment: int | None
    text: str


def read_cells(
    name: str, content: bytes, systems: Sequence[str], metrics: Sequence[str] = ()
) -> tuple[list[Cell], bool]:
    """Read a file in any layout, or raise every bad line.

    Also return whether cells may be blank: in the layout with columns, a blank cell is a missing score.
    """
    rows = _split(name, content, systems)
    header = rows[0][1]
    known = [cell for cell in header if cell in systems]
    names_systems = 2 * len(known) > len(header) > 1 and all(
        cell in known or not _is_like_a_number(cell) for cell in header
    )
    if names_systems and len(rows) > 1:
        return _columns(name, rows, metrics), True
    rows = [(line, cells) for line, cells in rows if any(cells)]
    if not rows:
        raise Problems([Problem(name, None, NO_SCORE)])
    # In the shared layout, systems are in the fourth column and not in the first.
    is_shared = (
        any(len(cells) > SHARED_SYSTEM_AT and cells[SHARED_SYSTEM_AT] in systems for _, cells in rows)
        and not any(cells[0] in systems for _, cells in rows)
        and len(rows[0][1]) in (SHARED_SYSTEM_LEVEL, SHARED_SENTENCE_LEVEL)
    )
    return _shared(name, rows) if is_shared else _lines(name, rows, systems, metrics), False


def _split(name: str, content: bytes, systems: Sequence[str]) -> list[Row]:
    """Split lines into cells by the separator of the first line: tabs, commas or white space."""
    lines = read_lines(GivenFile(name, content))
    opening = next((line for line in lines if line.strip()), "")
    if not opening:
        raise Problems([Problem(name, None, NO_SCORE)])
    separator = next((sign for sign in "\t," if sign in opening), None)
    if len(lines) + sum(line.count(separator or " ") for line in lines) > MOST_CELLS:
        raise Problems([Problem(name, None, f"has more than {MOST_CELLS:,} cells; give it in parts")])
    # `AMU 0,35` is not a row of CSV but has a decimal comma, which is reported later.
    if separator is None or (separator == "," and opening.split()[0] in systems):
        return [(number, line.split()) for number, line in enumerate(lines, 1)]
    try:
        reader = csv.reader((f"{line}\n" for line in lines), delimiter=separator, strict=True)
        return [(reader.line_num, [cell.strip() for cell in cells]) for cells in reader]
    except csv.Error as error:
        what = f"cannot be read as a table ({error}); is a quotation mark not closed?"
        raise Problems([Problem(name, reader.line_num, what)]) from error


def _is_like_a_number(cell: str) -> bool:
    return LIKE_A_NUMBER.fullmatch(cell) is not None


def _columns(name: str, rows: list[Row], metrics: Sequence[str]) -> list[Cell]:
    """Read a column for each system and a row for each sentence, all by one metric."""
    if len(metrics) > 1:
        what = f"has a column for each system, so it holds one metric and not {len(metrics)}"
        raise Problems([Problem(name, None, what)])
    _check_widths(name, rows)
    metric = metrics[0] if metrics else name
    return [
        Cell(line, metric, system, segment, cell)
        for segment, (line, cells) in enumerate(rows[1:], 1)
        for system, cell in zip(rows[0][1], cells, strict=True)
    ]


def _shared(name: str, rows: list[Row]) -> list[Cell]:
    _check_widths(name, rows)
    if len(rows[0][1]) == SHARED_SYSTEM_LEVEL:
        return [Cell(line, cells[0], cells[SHARED_SYSTEM_AT], None, cells[-1]) for line, cells in rows]
    segments = _segments(name, [(line, cells[SHARED_SYSTEM_AT + 1]) for line, cells in rows])
    return [
        Cell(line, cells[0], cells[SHARED_SYSTEM_AT], segment, cells[-1])
        for (line, cells), segment in zip(rows, segments, strict=True)
    ]


def _lines(name: str, rows: list[Row], systems: Sequence[str], metrics: Sequence[str]) -> list[Cell]:
    """Read lines of a system, an optional segment, and a score by each metric.

    The first line is a header if it names no system and contains no number.
    """
    _check_widths(name, rows)
    header = rows[0][1]
    if header[0] in systems or any(map(_is_like_a_number, header[1:])):
        header = []
    rows = rows[1:] if header else rows
    leading = 2 if len(header) > 1 and header[1].casefold() in SEGMENTS else 1
    names = _metric_names(name, rows, header[leading:], len(rows[0][1]) - leading if rows else 0, metrics)
    segments: Sequence[int | None] = [None] * len(rows)
    if leading > 1:
        segments = _segments(name, [(line, cells[1]) for line, cells in rows])
    return [
        Cell(line, metric, cells[0], segment, cell)
        for (line, cells), segment in zip(rows, segments, strict=True)
        for metric, cell in zip(names, cells[leading:], strict=True)
    ]


def _metric_names(name: str, rows: list[Row], header: list[str], columns: int, given: Sequence[str]) -> list[str]:
    if not rows or columns < 1:
        raise Problems([Problem(name, None, NO_SCORE)])
    if given and len(given) != columns:
        what = f"has {columns} scores a line, so give as many names of metrics, not {len(given)}"
        raise Problems([Problem(name, rows[0][0], what)])
    made = [name] if columns == 1 else [f"{name} {number}" for number in range(1, columns + 1)]
    names = list(given) or header or made
    if twice := sorted(metric for metric, times in Counter(names).items() if times > 1):
        raise Problems([Problem(name, 1, f"names the metric {twice[0]} twice; give each column its own name")])
    return names


def _segments(name: str, numbers: list[tuple[int, str]]) -> list[int]:
    segments = [whole_number(text) for _, text in numbers]
    problems = [
        Problem(name, line, f"'{text}' is not a segment number; number segments from 0 or from 1")
        for (line, text), segment in zip(numbers, segments, strict=True)
        if segment is None or segment < 0
    ]
    if problems:
        raise Problems(shorten(name, problems))
    return [segment for segment in segments if segment is not None]


def _check_widths(name: str, rows: list[Row]) -> None:
    width = len(rows[0][1])
    problems = [
        Problem(
            name,
            line,
            f"has {len(cells)} cells where the first line has {width}; give each line a score for each column",
        )
        if cells
        else Problem(name, line, EMPTY)
        for line, cells in rows
        if len(cells) != width
    ]
    if problems:
        raise Problems(shorten(name, problems))
