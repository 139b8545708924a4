"""Imported metric scores: read, checked against the systems that take part, and put in order.

All problems are reported at once, with file and line: systems that are missing, duplicated or unknown, and scores that
are not finite numbers. A table with a row for each sentence may have empty cells: missing scores, NaN in the arrays.

Toy: for systems A and B, the lines `B .2` and `A .1` give the scores (.1, .2).
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from math import isfinite

import numpy as np

from judgments.rules.files.problems import Problem, Problems, shorten
from ranking.scores.layouts import Cell, read_cells
from ranking.stats.metaevaluation.scores import MetricScores, ScoreLevel

NUMBER = re.compile(r"[+-]?([0-9]++\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?", re.ASCII)
MOST_METRICS = 100
LONGEST_QUOTE = 40
PARTS = {"f", "p", "r", "precision", "recall"}


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
    cells, may_be_blank = read_cells(name, content, systems, metrics)
    if others_fit:
        cells = [cell for cell in cells if cell.system in systems]
    found = list(dict.fromkeys(cell.metric for cell in cells))
    # Checked first, since the other checks would take long.
    if len(found) > MOST_METRICS:
        what = f"holds scores by {len(found)} metrics; at most {MOST_METRICS} are taken from a file"
        raise Problems([Problem(name, None, what)])
    problems = [
        *_unknown(name, cells, systems),
        *_doubled(name, cells),
        *_no_numbers(name, cells, may_be_blank),
        *_missing(name, cells, [system for system in systems if system not in may_lack], found),
        *_sentences_missing(name, cells, systems, sentences),
    ]
    if problems:
        raise Problems(shorten(name, sorted(problems, key=lambda problem: problem.line or 0)))
    return [_scores_of(metric, cells, systems) for metric in found]


def labelled(file: str, found: Iterable[MetricScores]) -> list[MetricScores]:
    """Make names unambiguous: prefix F, P and R with the name of the file, without its suffix."""
    label = file.removesuffix(".txt").removesuffix(".tsv").removesuffix(".csv")
    named = []
    for metric in found:
        name = metric.metric
        if name.casefold() in PARTS:
            name = f"{label} {name}"
        elif name.startswith(file):
            name = label + name.removeprefix(file)
        named.append(replace(metric, metric=name))
    return named


def _scores_of(metric: str, cells: list[Cell], systems: Sequence[str]) -> MetricScores:
    place = {system: number for number, system in enumerate(systems)}
    ours = [cell for cell in cells if cell.metric == metric]
    values = [float(cell.text) if cell.text else float("nan") for cell in ours]
    columns = [place[cell.system] for cell in ours]
    if ours[0].segment is None:
        scores = np.full(len(systems), np.nan)
        scores[columns] = values
        return MetricScores(metric, ScoreLevel.SYSTEM, scores)
    base = _base(cells)
    rows = [cell.segment - base for cell in ours if cell.segment is not None]
    scores = np.full((max(rows) + 1, len(systems)), np.nan)
    scores[rows, columns] = values
    return MetricScores(metric, ScoreLevel.SENTENCE, scores)


def _unknown(name: str, cells: list[Cell], systems: Sequence[str]) -> Iterable[Problem]:
    """Report systems that do not take part, each at its first line."""
    alike = {system.casefold(): system for system in systems}
    first: dict[str, int] = {}
    for cell in cells:
        if cell.system not in systems:
            first.setdefault(cell.system, cell.line)
    for system, line in first.items():
        meant = alike.get(system.casefold())
        hint = f"is it {meant}?" if meant else f"the systems are {', '.join(systems)}"
        yield Problem(name, line, f"{system or 'a system without a name'} does not take part; {hint}")


def _doubled(name: str, cells: list[Cell]) -> Iterable[Problem]:
    """Report systems with two scores for the same sentence or metric, once per line or column."""
    first: dict[tuple[str, str, int | None], int] = {}
    found: dict[tuple[int | None, str], Problem] = {}
    for cell in cells:
        key = (cell.metric, cell.system, cell.segment)
        if key not in first:
            first[key] = cell.line
        elif first[key] == cell.line:
            what = f"{cell.system} has two columns; keep one of them"
            found.setdefault((None, cell.system), Problem(name, 1, what))
        else:
            what = f"{cell.system} has a score on line {first[key]} already; keep one of them"
            found.setdefault((cell.line, cell.system), Problem(name, cell.line, what))
    return found.values()


def _no_numbers(name: str, cells: list[Cell], may_be_blank: bool) -> Iterable[Problem]:
    for cell in cells:
        if (cell.text or not may_be_blank) and (fault := _number_fault(cell.text)):
            yield Problem(name, cell.line, f"{cell.metric} of {cell.system}: {fault}")


def _number_fault(text: str) -> str | None:
    if not text:
        return "has no score; write the number, or leave the metric out"
    if re.fullmatch(r"[+-]?[0-9]+,[0-9]+", text):
        return f"{text[:LONGEST_QUOTE]} has a decimal comma; write a point"
    if not NUMBER.fullmatch(text) or not isfinite(float(text)):
        return f"'{text[:LONGEST_QUOTE]}' is not a finite number; compute the score again, or leave the metric out"
    return None


def _missing(name: str, cells: list[Cell], systems: Sequence[str], metrics: Iterable[str]) -> Iterable[Problem]:
    """Report systems without any score by a metric."""
    scored = {(cell.metric, cell.system) for cell in cells}
    for metric in metrics:
        for system in systems:
            if (metric, system) not in scored:
                yield Problem(name, None, f"has no score of {system} by {metric}; add it, or leave the metric out")


def _sentences_missing(
    name: str, cells: list[Cell], systems: Sequence[str], sentences: int | None
) -> Iterable[Problem]:
    """Report sentences without scores, and a wrong number of sentences."""
    there: dict[tuple[str, str], set[int]] = {}
    for cell in cells:
        if cell.segment is not None:
            there.setdefault((cell.metric, cell.system), set()).add(cell.segment)
    if not there:
        return
    base = _base(cells)
    found = max(max(segments) for segments in there.values()) - base + 1
    if sentences is not None and found != sentences:
        what = f"scores {found} sentences, but there are {sentences}; score each of them once"
        yield Problem(name, None, what)
        return
    for (metric, system), segments in there.items():
        if system in systems and len(segments) < found:
            lacking = next(number for number in range(base, base + found) if number not in segments)
            what = f"scores {len(segments)} of {found} sentences of {system} by {metric}; sentence {lacking} is missing"
            yield Problem(name, None, f"{what}, so add the rest")


def _base(cells: list[Cell]) -> int:
    """Return the number of the first segment, 0 or 1."""
    return 0 if any(cell.segment == 0 for cell in cells) else 1
