"""Human scores of outputs: a table with a column per system and a row per sentence, or a folder to train on.

Bounds, such as the source, are outputs left out of correlations. Toy: the table has columns `A,B,source`, and the
outputs are A, B, source and gold. A and B are compared with people; the source is a bound by its name, and gold must be
declared one, since nobody judged it.

The folder holds the source (`source` or `INPUT`), references (`ref...`, or one M2 file, or both), an output per system,
and one table as CSV, in which an empty cell is a sentence that nobody scored. The ensemble learns from the outputs that
have a column; columns of the source, of references and of controls are ignored.
"""

import csv
import re
from collections.abc import Collection, Sequence

import numpy as np

from judgments.rules.files.names import is_source_name
from judgments.rules.files.problems import Problem, Problems
from ranking.metrics.ensemble.domains import Scored
from ranking.scores.files import GivenFile, read_lines, read_material
from ranking.scores.metric_files import labelled, read_metric_scores
from ranking.stats.metaevaluation.correlations import FEWEST_SYSTEMS
from ranking.stats.metaevaluation.scores import MetricScores, ScoreLevel

REFERENCE_NAMES = {"ref", "reference"}


def is_bound(name: str) -> bool:
    """Whether an output is, by its name, the source or a reference, which would inflate every correlation."""
    return is_source_name(name) or name.casefold() in REFERENCE_NAMES


def compared_names(
    outputs: Sequence[str], bounds: Collection[str] = (), systems: Collection[str] = ()
) -> tuple[str, ...]:
    """The outputs that are compared with people: all except the bounds, and except those called so unless named."""
    names = tuple(name for name in outputs if name not in bounds and (name in systems or not is_bound(name)))
    if len(names) < FEWEST_SYSTEMS:
        what = f"are fewer than {FEWEST_SYSTEMS}, so there is no correlation; give more outputs that are not bounds"
        raise Problems([Problem("", None, f"the outputs to compare with people ({', '.join(names) or 'none'}) {what}")])
    return names


def read_human_systems(file: GivenFile, names: Sequence[str]) -> list[MetricScores]:
    """Read people's scores of systems, by every way of scoring; other systems in the file are ignored."""
    found = labelled(file.name, read_metric_scores(file.name, file.content, names, others_fit=True))
    if found[0].level is not ScoreLevel.SYSTEM:
        raise Problems([Problem(file.name, None, "holds scores of sentences; give them with --human")])
    return found


def read_human(
    file: GivenFile,
    outputs: Sequence[str],
    sentences: int,
    bounds: Collection[str] = (),
    systems: Collection[str] = (),
) -> tuple[tuple[str, ...], np.ndarray]:
    """Read the names of the outputs that are compared, and people's scores of them; other columns are ignored."""
    names = compared_names(outputs, bounds, systems)
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
    return names, scores


def scores_of(file: GivenFile, names: Sequence[str], sentences: int) -> np.ndarray:
    """Read the named columns, a row per sentence; NaN marks a missing score."""
    columns = columns_of(file)
    (found,) = read_metric_scores(file.name, file.content, columns, sentences=sentences)
    if found.level is not ScoreLevel.SENTENCE:
        raise Problems([Problem(file.name, None, "holds no row for each sentence below the names of systems")])
    return found.scores[:, [columns.index(name) for name in names]]


def columns_of(file: GivenFile) -> list[str]:
    opening = next(iter(read_lines(file)), "")
    separator = next((sign for sign in "\t," if sign in opening), None)
    cells = next(csv.reader([opening], delimiter=separator), []) if separator else opening.split()
    return [cell.strip() for cell in cells]


BOUND = re.compile(r"(ref(erence)?[-_.]?\w*|source.+)", re.IGNORECASE)


def read_folder(name: str, files: Sequence[GivenFile]) -> Scored:
    scores = [file for file in files if file.name.endswith("segment-scores.csv")] or [
        file for file in files if file.name.endswith(".csv")
    ]
    if len(scores) != 1:
        what = f"has {len(scores)} tables of people's scores; it needs one, as segment-scores.csv"
        raise Problems([Problem(name, None, what)])
    texts = {file.system: file for file in files if not file.name.endswith((".csv", ".m2"))}
    source = next((file for system, file in texts.items() if is_source_name(system)), None)
    references = [file for system, file in texts.items() if re.match(r"ref", system, re.IGNORECASE)]
    annotated = next((file for file in files if file.name.endswith(".m2")), None)
    material = read_material(read_lines(source) if source else None, references, annotated)
    systems = [name for name in columns_of(scores[0]) if not is_source_name(name) and not BOUND.fullmatch(name)]
    if missing := [system for system in systems if system not in texts]:
        what = f"has a column {missing[0]!r}, but no output of that name; add the output, or remove the column"
        raise Problems([Problem(scores[0].name, 1, what)])
    if len(systems) < 2:
        what = "has fewer than two columns of systems; name the columns like the files of outputs"
        raise Problems([Problem(scores[0].name, 1, what)])
    human = scores_of(scores[0], systems, material.sentences)
    return Scored(name, material, [read_lines(texts[system]) for system in systems], human, tuple(systems))
