"""Imported metric scores: read, checked against the systems that take part, and put in order.

What is wrong is told all at once, with file and line: a system that is missing, doubled or unknown, and a score that is
no finite number. At sentence level a table with a row for each sentence may have empty cells, which are scores that are
missing (NaN in the arrays) and not 0.

Toy: the lines `B .2` and `A .1` for systems A and B are the scores (.1, .2).
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import isfinite

import numpy as np

from judgments.rules.files.problems import Problem, Problems, shorten
from ranking.scores.layouts import Cell, Layout, read_cells
from ranking.stats.metaevaluation.score_types import Level, MetricScores, PrecisionRecall

NUMBER = re.compile(r"[+-]?([0-9]++\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?", re.ASCII)
MOST_METRICS = 100
LONGEST_QUOTE = 40
F_PRECISION_RECALL = ("F", "P", "R")
PARTS = {"f", "p", "r", "precision", "recall"}

Check = Callable[[str], str | None]
Key = tuple[str, str, int | None]


def read_metric_scores(
    name: str, content: bytes, systems: Sequence[str], metrics: Sequence[str] = (), sentences: int | None = None
) -> list[MetricScores]:
    """Every metric of a file, or every problem in it; `metrics` names the columns of a file without a header."""
    return _read(name, read_cells(name, content, systems, metrics), systems, sentences, _number_fault)


def labelled(file: str, found: Iterable[MetricScores]) -> list[MetricScores]:
    """The metrics under names that can stand alone: F, P and R follow the name of the file, without `.txt`."""
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


def read_precision_recall(
    name: str, content: bytes, systems: Sequence[str], metrics: Sequence[str] = F_PRECISION_RECALL
) -> PrecisionRecall:
    """Precision and recall from lines `SYSTEM F P R`; other columns need names."""
    found = _read(name, read_cells(name, content, systems, metrics), systems, None, _share_fault)
    columns = {one.metric.casefold(): one.scores for one in found}
    precision, recall = (
        next((columns[key] for key in keys if key in columns), None) for keys in (("p", "precision"), ("r", "recall"))
    )
    if precision is None or recall is None:
        raise Problems([Problem(name, 1, "has no columns of precision (P) and recall (R); name them so")])
    return PrecisionRecall(precision, recall)


def _read(name: str, layout: Layout, systems: Sequence[str], sentences: int | None, check: Check) -> list[MetricScores]:
    _check_metrics(name, layout.cells)
    problems = [
        *_unknown(name, layout.cells, systems),
        *_doubled(name, layout.cells),
        *_no_numbers(name, layout, check),
        *_missing(name, layout.cells, systems),
        *_sentences_missing(name, layout.cells, systems, sentences),
    ]
    if problems:
        raise Problems(shorten(name, sorted(problems, key=lambda problem: problem.line or 0)))
    metrics = _in_order(cell.metric for cell in layout.cells)
    return [_scores_of(metric, layout.cells, systems) for metric in metrics]


def _check_metrics(name: str, cells: Iterable[Cell]) -> None:
    """Refuse what cannot be a file of metrics before anything takes long."""
    count = len({cell.metric for cell in cells})
    if count > MOST_METRICS:
        what = f"holds scores by {count} metrics; at most {MOST_METRICS} are taken from a file"
        raise Problems([Problem(name, None, what)])


def _scores_of(metric: str, cells: list[Cell], systems: Sequence[str]) -> MetricScores:
    place = {system: number for number, system in enumerate(systems)}
    ours = [cell for cell in cells if cell.metric == metric]
    values = [float(cell.text) if cell.text else float("nan") for cell in ours]
    columns = [place[cell.system] for cell in ours]
    if ours[0].segment is None:
        scores = np.empty(len(systems))
        scores[columns] = values
        return MetricScores(metric, Level.SYSTEM, scores)
    base = _base(cells)
    rows = [cell.segment - base for cell in ours if cell.segment is not None]
    scores = np.full((max(rows) + 1, len(systems)), np.nan)
    scores[rows, columns] = values
    return MetricScores(metric, Level.SENTENCE, scores)


def _unknown(name: str, cells: list[Cell], systems: Sequence[str]) -> Iterable[Problem]:
    """Systems that do not take part, each at its first line."""
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
    """Systems with more than one score for the same thing, once a line or once a column."""
    first: dict[Key, int] = {}
    told: set[tuple[int | None, str]] = set()
    for cell in cells:
        key = (cell.metric, cell.system, cell.segment)
        earlier = first.get(key)
        first.setdefault(key, cell.line)
        place = (None if earlier == cell.line else cell.line, cell.system)
        if earlier is None or place in told:
            continue
        told.add(place)
        if earlier == cell.line:
            yield Problem(name, 1, f"{cell.system} has two columns; keep one of them")
        else:
            yield Problem(name, cell.line, f"{cell.system} has a score on line {earlier} already; keep one of them")


def _no_numbers(name: str, layout: Layout, check: Check) -> Iterable[Problem]:
    for cell in layout.cells:
        if cell.text or not layout.blanks:
            fault = check(cell.text)
            if fault:
                yield Problem(name, cell.line, f"{cell.metric} of {cell.system}: {fault}")


def _number_fault(text: str) -> str | None:
    if not text:
        return "has no score; write the number, or leave the metric out"
    if re.fullmatch(r"[+-]?[0-9]+,[0-9]+", text):
        return f"{text[:LONGEST_QUOTE]} has a decimal comma; write a point"
    if not NUMBER.fullmatch(text) or not isfinite(float(text)):
        return f"'{text[:LONGEST_QUOTE]}' is no finite number; compute the score again, or leave the metric out"
    return None


def _share_fault(text: str) -> str | None:
    if (fault := _number_fault(text)) is None and not 0 <= float(text) <= 1:
        return f"{text[:LONGEST_QUOTE]} is not between 0 and 1; divide percentages by 100"
    return fault


def _missing(name: str, cells: list[Cell], systems: Sequence[str]) -> Iterable[Problem]:
    """Systems without any score by a metric."""
    for metric in _in_order(cell.metric for cell in cells):
        there = {cell.system for cell in cells if cell.metric == metric}
        for system in systems:
            if system not in there:
                yield Problem(name, None, f"has no score of {system} by {metric}; add it, or leave the metric out")


def _sentences_missing(
    name: str, cells: list[Cell], systems: Sequence[str], sentences: int | None
) -> Iterable[Problem]:
    """Scores of sentences must cover every sentence without gaps."""
    there: dict[tuple[str, str], set[int]] = {}
    for cell in cells:
        if cell.segment is not None:
            there.setdefault((cell.metric, cell.system), set()).add(cell.segment)
    if not there:
        return
    base = _base(cells)
    found = max(max(segments) for segments in there.values()) - base + 1
    if sentences is not None and found != sentences:
        yield Problem(
            name,
            None,
            f"scores another number of sentences ({found}) than there are ({sentences}); score each of them once",
        )
        return
    for (metric, system), segments in there.items():
        if system in systems and len(segments) < found:
            lacking = next(number for number in range(base, base + found) if number not in segments)
            what = f"scores {len(segments)} of {found} sentences of {system} by {metric}; sentence {lacking} is missing"
            yield Problem(name, None, f"{what}, so add the rest")


def _base(cells: list[Cell]) -> int:
    """Whether segments are numbered from 0 or from 1."""
    return 0 if any(cell.segment == 0 for cell in cells) else 1


def _in_order(names: Iterable[str]) -> list[str]:
    """Each name once, in order of first appearance."""
    return list(dict.fromkeys(names))
