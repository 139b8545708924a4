"""What people said of outputs, from a table with a column a system and a row a sentence, and which outputs are bounds.

Toy: the columns `A,B,source` and the outputs A, B, source and gold: A and B are set against people; the source is a
bound by its name, and gold has to be named as one, since nobody judged it.
"""

import csv
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from judgments.rules.files.names import is_source_name
from judgments.rules.files.problems import Problem, Problems
from judgments.rules.files.text_files import read_text
from ranking.metrics.files import GivenFile
from ranking.stats.metaevaluation.correlations import FEWEST_SYSTEMS
from ranking.stats.metaevaluation.files import Level, read_metric_scores

REFERENCE_NAMES = {"ref", "reference"}


@dataclass(frozen=True)
class Human:
    """The outputs that are set against people, and people's scores of them, a row a sentence; NaN stands for none."""

    names: tuple[str, ...]
    scores: np.ndarray


def is_bound(name: str) -> bool:
    """Whether an output is the source or a reference by its name, which would flatter every correlation."""
    return is_source_name(name) or name.casefold() in REFERENCE_NAMES


def read_human(file: GivenFile, outputs: Sequence[str], sentences: int, bounds: Collection[str] = ()) -> Human:
    """People's scores of all outputs but the bounds; columns of others are passed over."""
    names = tuple(name for name in outputs if not is_bound(name) and name not in bounds)
    if len(names) < FEWEST_SYSTEMS:
        what = f"are fewer than {FEWEST_SYSTEMS}, so nothing can correlate; give more outputs that are no bounds"
        raise Problems([Problem("", None, f"the outputs to set against people ({', '.join(names) or 'none'}) {what}")])
    columns = columns_of(file)
    missing = [
        Problem(file.name, 1, f"has no column {name}; add it, or leave the output out of correlations by --bounds")
        for name in names
        if name not in columns
    ]
    if missing:
        raise Problems(missing)
    scores = scores_of(file, names, sentences)
    if unscored := [name for name, column in zip(names, scores.T, strict=True) if np.isnan(column).all()]:
        what = f"has no score of {unscored[0]} at all; leave the output out of correlations by --bounds"
        raise Problems([Problem(file.name, None, what)])
    return Human(names, scores)


def scores_of(file: GivenFile, names: Sequence[str], sentences: int) -> np.ndarray:
    """The columns of these names, a row a sentence; NaN stands for a sentence that nobody scored."""
    columns = columns_of(file)
    (found,) = read_metric_scores(file.name, file.content, columns, sentences=sentences)
    if found.level is not Level.SENTENCE:
        raise Problems([Problem(file.name, None, "holds no row for each sentence below the names of systems")])
    return found.scores[:, [columns.index(name) for name in names]]


def columns_of(file: GivenFile) -> list[str]:
    """The names in the first line."""
    read = read_text(file.name, file.content)
    if read.problems:
        raise Problems(read.problems)
    opening = read.lines[0] if read.lines else ""
    separator = next((sign for sign in "\t," if sign in opening), None)
    cells = next(csv.reader([opening], delimiter=separator), []) if separator else opening.split()
    return [cell.strip() for cell in cells]
