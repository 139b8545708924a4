"""Imported metric scores: read in any layout, checked against the systems that take part, and put in order.

lines      `SYSTEM score` or `SYSTEM score score ...`, separated by white space, tabs, semicolons or commas, with or
           without a header; a second column named segment, sentence or line makes them scores of sentences
shared     `metric  language  testset  SYSTEM  score`, or with a segment before the score, separated by tabs
columns    a header of system names, and a row of scores for each sentence; an empty cell is a missing score (GMEG),
           NaN in the arrays; a column named as above may number the rows

All problems are reported at once, with file and line: systems that are missing, duplicated or unknown, and scores that
are not finite numbers. Toy: for systems A and B, the lines `B .2` and `A .1` give the scores (.1, .2).
"""

import csv
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from math import isfinite
from typing import NamedTuple

import numpy as np

from judgments.rules.files.csv_tables import separator_of, whole_number
from judgments.rules.files.problems import Problem, refuse, shorten
from ranking.scores.files import GivenFile, fault_in, read_lines
from ranking.stats.metaevaluation.scores import MetricScores, ScoreLevel

SEGMENTS = {"segment", "segment_id", "segmentid", "sentence", "line", "id"}
SHARED_SYSTEM_LEVEL, SHARED_SENTENCE_LEVEL = 5, 6
SHARED_SYSTEM_AT = 3
NO_SCORE = "holds no score; write a line 'SYSTEM score' for each system"
LIKE_A_NUMBER = re.compile(r"[+-]?(\.?[0-9][0-9.,e+-]*%?|nan|inf|infinity)", re.ASCII | re.IGNORECASE)
NUMBER = re.compile(r"[+-]?([0-9]++\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?", re.ASCII)
# The page reads a file while its user waits, and a cell takes up to a quarter of a kilobyte.
MOST_CELLS, MOST_METRICS = 1_000_000, 100
LONGEST_QUOTE = 40
# Names that say nothing without that of the file.
PARTS = {"f", "p", "r", "precision", "recall"}

Rows = list[tuple[int, list[str]]]


class ScoreCell(NamedTuple):
    """A score of one system and its line; `segment` is the file's own number, None at system level."""

    line: int
    metric: str
    system: str
    segment: int | None
    text: str


def read_metric_scores(
    name: str,
    content: bytes,
    systems: Sequence[str],
    metrics: Sequence[str] = (),
    sentences: int | None = None,
    may_lack: Collection[str] = (),
    others_fit: bool = False,
) -> list[MetricScores]:
    """Read every metric of a file, or raise every problem; `metrics` names the columns of a file without a header.

    Systems in `may_lack` need no scores; if `others_fit`, a file may have scores of other systems, which do not count.
    """
    cells, may_be_blank = _read_cells(name, content, systems, metrics)
    if others_fit:
        cells = [cell for cell in cells if cell.system in systems]
    found = list(dict.fromkeys(cell.metric for cell in cells))
    # Checked first, since the other checks would take long.
    if len(found) > MOST_METRICS:
        raise fault_in(name, f"holds scores by {len(found)} metrics; at most {MOST_METRICS} are allowed")
    problems = [
        *_problems_of_cells(name, cells, systems, may_be_blank),
        *_problems_of_gaps(name, cells, systems, sentences, may_lack),
    ]
    refuse(shorten(name, sorted(problems, key=lambda problem: problem.line or 0)))
    first, place = _first_number(cells), {system: number for number, system in enumerate(systems)}
    label = name.removesuffix(".txt").removesuffix(".tsv").removesuffix(".csv")
    scored = []
    for metric in found:
        # F, P and R get the name of the file before theirs.
        clear = label + metric.removeprefix(name) if metric.startswith(name) else metric
        clear = f"{label} {metric}" if metric.casefold() in PARTS else clear
        ours = [cell for cell in cells if cell.metric == metric]
        rows = [cell.segment - first for cell in ours if cell.segment is not None]
        scores = np.full((max(rows, default=0) + 1, len(systems)), np.nan)
        values = [float(cell.text) if cell.text else np.nan for cell in ours]
        scores[rows or 0, [place[cell.system] for cell in ours]] = values
        level = ScoreLevel.SENTENCE if rows else ScoreLevel.SYSTEM
        scored.append(MetricScores(clear, level, scores if rows else scores[0]))
    return scored


def _read_cells(
    name: str, content: bytes, systems: Sequence[str], metrics: Sequence[str]
) -> tuple[list[ScoreCell], bool]:
    """Read a file in any layout, or raise every bad line; also return whether cells may be blank."""
    rows = _split(name, content, systems)
    header = rows[0][1]
    known = [cell for cell in header if cell in systems]
    names_systems = 2 * len(known) > len(header) > 1 and not any(
        LIKE_A_NUMBER.fullmatch(cell) for cell in header if cell not in known
    )
    if names_systems and len(rows) > 1:
        if len(metrics) > 1:
            raise fault_in(name, f"has a column for each system, so it holds one metric and not {len(metrics)}")
        _check_widths(name, rows)
        at = next((at for at, cell in enumerate(header) if is_segments(cell) and cell not in systems), None)
        return [
            ScoreCell(line, metrics[0] if metrics else name, system, segment, cell)
            for segment, (line, cells) in zip(_numbers_of_rows(rows[1:], at), rows[1:], strict=True)
            for place, (system, cell) in enumerate(zip(header, cells, strict=True))
            if place != at
        ], True
    rows = [(line, cells) for line, cells in rows if any(cells)]
    if not rows:
        raise fault_in(name, NO_SCORE)
    _check_widths(name, rows)
    # In the shared layout, systems are in the fourth column and not in the first.
    is_shared = (
        len(rows[0][1]) in (SHARED_SYSTEM_LEVEL, SHARED_SENTENCE_LEVEL)
        and any(cells[SHARED_SYSTEM_AT] in systems for _, cells in rows)
        and not any(cells[0] in systems for _, cells in rows)
    )
    if not is_shared:
        return _read_lines_of_scores(name, rows, systems, metrics), False
    at = SHARED_SYSTEM_AT + 1 if len(rows[0][1]) == SHARED_SENTENCE_LEVEL else None
    return [
        ScoreCell(line, cells[0], cells[SHARED_SYSTEM_AT], segment, cells[-1])
        for (line, cells), segment in zip(rows, _segments(name, rows, at), strict=True)
    ], False


def is_segments(column: str) -> bool:
    """Whether a column of this name has numbers of sentences."""
    return column.casefold() in SEGMENTS


def _numbers_of_rows(rows: Rows, column: int | None) -> Sequence[int]:
    """The numbers in a column, if they can be those of so many sentences; else, as for names of texts, the order."""
    numbers = [] if column is None else [whole_number(cells[column]) for _, cells in rows]
    known = [number for number in numbers if number is not None and 0 <= number <= len(rows)]
    return known if len(known) == len(rows) else range(1, len(rows) + 1)


def _split(name: str, content: bytes, systems: Sequence[str]) -> Rows:
    """Split lines into cells by the separator of the first line: tabs, semicolons, commas or white space."""
    lines = read_lines(GivenFile(name, content))
    opening = next((line for line in lines if line.strip()), "")
    if not opening:
        raise fault_in(name, NO_SCORE)
    separator = separator_of(opening)
    if len(lines) + sum(line.count(separator or " ") for line in lines) > MOST_CELLS:
        raise fault_in(name, f"has more than {MOST_CELLS:,} cells; give it in parts")
    # `AMU 0,35` is not a row of CSV but has a decimal comma, which is reported later.
    if not separator or (separator == "," and opening.split()[0] in systems):
        return [(number, line.split()) for number, line in enumerate(lines, 1)]
    if separator == ";":
        # Excel parts cells so where numbers are written with decimal commas.
        lines = tuple(line.replace(",", ".") for line in lines)
    try:
        reader = csv.reader((f"{line}\n" for line in lines), delimiter=separator, strict=True)
        return [(reader.line_num, [cell.strip() for cell in cells]) for cells in reader]
    except csv.Error as error:
        what = f"cannot be read as a table ({error}); is a quotation mark not closed?"
        raise fault_in(name, what, reader.line_num) from error


def _read_lines_of_scores(name: str, rows: Rows, systems: Sequence[str], given: Sequence[str]) -> list[ScoreCell]:
    """Read lines of a system, an optional segment, and a score by each metric.

    The first line is a header if it names no system and contains no number.
    """
    header = rows[0][1]
    if header[0] in systems or any(map(LIKE_A_NUMBER.fullmatch, header[1:])):
        header = []
    rows = rows[1:] if header else rows
    leading = 2 if len(header) > 1 and is_segments(header[1]) else 1
    columns = len(rows[0][1]) - leading if rows else 0
    if columns < 1:
        raise fault_in(name, NO_SCORE)
    if given and len(given) != columns:
        what = f"has {columns} scores a line, so give as many names of metrics, not {len(given)}"
        raise fault_in(name, what, rows[0][0])
    unnamed = [name] if columns == 1 else [f"{name} {number}" for number in range(1, columns + 1)]
    names = list(given) or header[leading:] or unnamed
    if twice := sorted(metric for metric, times in Counter(names).items() if times > 1):
        raise fault_in(name, f"names the metric {twice[0]} twice; give each column its own name", 1)
    return [
        ScoreCell(line, metric, cells[0], segment, cell)
        for (line, cells), segment in zip(rows, _segments(name, rows, 1 if leading > 1 else None), strict=True)
        for metric, cell in zip(names, cells[leading:], strict=True)
    ]


def _segments(name: str, rows: Rows, column: int | None) -> Sequence[int | None]:
    """The numbers of segments in a column; None for each row if there is no column of them."""
    if column is None:
        return [None] * len(rows)
    segments = [whole_number(cells[column]) for _, cells in rows]
    problems = [
        Problem(name, line, f"'{cells[column]}' is not a segment number; number segments from 0 or from 1")
        for (line, cells), segment in zip(rows, segments, strict=True)
        if segment is None or segment < 0
    ]
    refuse(shorten(name, problems))
    return segments


def _check_widths(name: str, rows: Rows) -> None:
    width = len(rows[0][1])
    empty = "is empty; remove it, or write only separators for a sentence without scores"
    where = f"cells where the first line has {width}; give each line a score for each column"
    problems = [
        Problem(name, line, f"has {len(cells)} {where}" if cells else empty)
        for line, cells in rows
        if len(cells) != width
    ]
    refuse(shorten(name, problems))


def _problems_of_cells(
    name: str, cells: list[ScoreCell], systems: Sequence[str], may_be_blank: bool
) -> Iterator[Problem]:
    """Report systems that do not take part, two scores for the same sentence or metric, and what is not a number."""
    alike = {system.casefold(): system for system in systems}
    first_lines: dict[str, int] = {}
    for cell in cells:
        if cell.system not in systems:
            first_lines.setdefault(cell.system, cell.line)
    for system, line in first_lines.items():
        meant = alike.get(system.casefold())
        hint = f"is it {meant}?" if meant else f"the systems are {', '.join(systems)}"
        yield Problem(name, line, f"{system or 'a system without a name'} does not take part; {hint}")
    known: dict[tuple[str, str, int | None], int] = {}
    # Once per line, or per column.
    doubled: dict[tuple[int | None, str], Problem] = {}
    for cell in cells:
        key = (cell.metric, cell.system, cell.segment)
        if (before := known.get(key)) is None:
            known[key] = cell.line
        elif before == cell.line:
            what = f"{cell.system} has two columns; keep one of them"
            doubled.setdefault((None, cell.system), Problem(name, 1, what))
        else:
            what = f"{cell.system} has a score on line {before} already; keep one of them"
            doubled.setdefault((cell.line, cell.system), Problem(name, cell.line, what))
    yield from doubled.values()
    for cell in cells:
        fault, quoted = "", cell.text[:LONGEST_QUOTE]
        if not cell.text:
            fault = "" if may_be_blank else "has no score; write the number, or leave the metric out"
        elif re.fullmatch(r"[+-]?[0-9]+,[0-9]+", cell.text):
            fault = f"{quoted} has a decimal comma; write a point"
        elif not NUMBER.fullmatch(cell.text) or not isfinite(float(cell.text)):
            fault = f"'{quoted}' is not a finite number; compute the score again, or leave the metric out"
        if fault:
            yield Problem(name, cell.line, f"{cell.metric} of {cell.system}: {fault}")


def _problems_of_gaps(
    name: str, cells: list[ScoreCell], systems: Sequence[str], sentences: int | None, may_lack: Collection[str]
) -> Iterator[Problem]:
    """Report systems and sentences without scores, and a wrong number of sentences."""
    there: dict[tuple[str, str], set[int]] = {}
    for cell in cells:
        segments = there.setdefault((cell.metric, cell.system), set())
        if cell.segment is not None:
            segments.add(cell.segment)
    for metric in dict.fromkeys(metric for metric, _ in there):
        for system in systems:
            if system not in may_lack and (metric, system) not in there:
                yield Problem(name, None, f"has no score of {system} by {metric}; add it, or leave the metric out")
    if not any(there.values()):
        return
    first = _first_number(cells)
    found = max(max(segments) for segments in there.values() if segments) - first + 1
    if sentences is not None and found != sentences:
        yield Problem(name, None, f"scores {found} sentences, but there are {sentences}; score each of them once")
        return
    for (metric, system), segments in there.items():
        if system in systems and len(segments) < found:
            lacking = next(number for number in range(first, first + found) if number not in segments)
            what = f"scores {len(segments)} of {found} sentences of {system} by {metric}; sentence {lacking} is missing"
            yield Problem(name, None, f"{what}, so add the rest")


def _first_number(cells: list[ScoreCell]) -> int:
    """The number of the first segment: 0 if any has it, or else 1."""
    return 0 if any(cell.segment == 0 for cell in cells) else 1
