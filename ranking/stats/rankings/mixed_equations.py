"""The equations of a mixed model of ratings, with the effects of sentences eliminated.

Every rating is one line for each system behind the candidate. W has a column for each system and each judge, y holds
the ratings; sentence i has n_i lines, whose rows of W add up to c_i and whose ratings to t_i. Then

    G = W'W - sum_i v_i c_i c_i',   g = W'y - sum_i v_i c_i t_i,   v_i = r / (1 + r n_i)

are the equations of Henderson et al. (1959) without the sentences; r is the variance of sentences over that of errors.
No line belongs to two sentences, so each is eliminated separately, and only systems and judges remain.

A unit drawn twice counts as two units. Both copies of a sentence have the same lines, hence the same effect; so a
sentence drawn m times has each of its lines m times and v_i = r / (m + r n_i). A judge drawn m times is penalised m
times.

Toy: one judge gives A 1 and B 0 on one sentence, r = 1: n = 2 and v = 1/3. The row of A in G is 1 0 1 less 1/3 of
1 1 2, which makes 2/3, -1/3 and 1/3.
"""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from ranking.stats.ballots import Ballots


class Lines(NamedTuple):
    """Ratings in parallel columns, one line for each system behind a candidate, less the mean of the system."""

    ballot: np.ndarray
    system: np.ndarray
    judge: np.ndarray
    sentence: np.ndarray
    rating: np.ndarray


class Cells(NamedTuple):
    """The non-zero cells of sentences by systems and judges: for each line the cell of its system and of its judge."""

    of_system: np.ndarray
    of_judge: np.ndarray
    starts: np.ndarray
    columns: np.ndarray


class Design(NamedTuple):
    """Who rated what on which sentence; judges and sentences with a ballot are numbered from 0."""

    systems: int
    judges: int
    sentences: int
    lines: Lines
    means: np.ndarray
    cells: Cells


class Weights(NamedTuple):
    """How often each line counts, and how often each judge and each sentence occurs."""

    lines: np.ndarray
    judges: np.ndarray
    sentences: np.ndarray


class Equations(NamedTuple):
    """The sums over lines before the effects of sentences are eliminated."""

    products: np.ndarray
    totals: np.ndarray
    squares: float
    met: csr_array
    sizes: np.ndarray
    of_sentences: np.ndarray
    weights: Weights


class Reduced(NamedTuple):
    """The equations without sentences: G, g, the remaining squares, and the logarithm of the divisors."""

    products: np.ndarray
    totals: np.ndarray
    squares: float
    log_divisors: float


def design_of(ballots: Ballots) -> Design:
    """The lines of all ratings; a system that was never rated has mean 0."""
    behind = ballots.candidates.sizes[ballots.candidate]
    row = np.repeat(np.arange(len(ballots.candidate)), behind)
    first = ballots.candidates.starts[ballots.candidate] - (np.cumsum(behind) - behind)
    system = ballots.candidates.members[np.arange(len(row)) + first[row]].astype(np.int64)
    ballot = ballots.ballot_of[row]
    judges, judge = np.unique(ballots.judge, return_inverse=True)
    sentences, sentence = np.unique(ballots.segment, return_inverse=True)
    times = np.bincount(system, minlength=ballots.systems)
    means = np.bincount(system, ballots.merit[row], ballots.systems) / np.maximum(times, 1)
    lines = Lines(ballot, system, judge[ballot], sentence[ballot], ballots.merit[row] - means[system])
    columns = ballots.systems + len(judges)
    cells = _cells(lines, ballots.systems, columns, len(sentences))
    return Design(ballots.systems, len(judges), len(sentences), lines, means, cells)


def _cells(lines: Lines, systems: int, columns: int, sentences: int) -> Cells:
    keys = np.concatenate([lines.sentence * columns + lines.system, lines.sentence * columns + systems + lines.judge])
    cells, of_line = np.unique(keys, return_inverse=True)
    of_system, of_judge = np.split(of_line, 2)
    starts = np.searchsorted(cells, np.arange(sentences + 1) * columns)
    return Cells(of_system, of_judge, starts, cells % columns)


def once(design: Design) -> Weights:
    """Weights of the judgments as collected."""
    return Weights(np.ones(len(design.lines.system)), np.ones(design.judges), np.ones(design.sentences))


def equations(design: Design, weights: Weights) -> Equations:
    """Sum up the weighted lines."""
    lines, counted = design.lines, weights.lines
    rated = counted * lines.rating
    return Equations(
        _products(design, counted),
        np.concatenate(
            [np.bincount(lines.system, rated, design.systems), np.bincount(lines.judge, rated, design.judges)]
        ),
        float(rated @ lines.rating),
        _met(design, counted),
        np.bincount(lines.sentence, counted, design.sentences),
        np.bincount(lines.sentence, rated, design.sentences),
        weights,
    )


def _products(design: Design, counted: np.ndarray) -> np.ndarray:
    """W'W: how often each system was rated, how often each judge rated, and how often the two met."""
    lines, systems, judges = design.lines, design.systems, design.judges
    met = np.bincount(lines.system * judges + lines.judge, counted, systems * judges).reshape(systems, judges)
    return np.block([[np.diag(met.sum(axis=1)), met], [met.T, np.diag(met.sum(axis=0))]])


def _met(design: Design, counted: np.ndarray) -> csr_array:
    """c_i, one row a sentence."""
    cells = design.cells
    times = np.bincount(cells.of_system, counted, len(cells.columns))
    times += np.bincount(cells.of_judge, counted, len(cells.columns))
    shape = (design.sentences, design.systems + design.judges)
    return csr_array((times, cells.columns, cells.starts), shape=shape)


def without_sentences(full: Equations, ratio: float) -> Reduced:
    """The equations of systems and judges, given the variance of sentences over that of the error."""
    divisors = full.weights.sentences + ratio * full.sizes
    share = ratio / divisors
    weighted = csr_array(
        (full.met.data * np.repeat(share, np.diff(full.met.indptr)), full.met.indices, full.met.indptr),
        shape=full.met.shape,
    )
    return Reduced(
        full.products - (weighted.T @ full.met).toarray(),
        full.totals - weighted.T @ full.of_sentences,
        full.squares - float(share @ full.of_sentences**2),
        float(np.log(divisors).sum()),
    )


def effects_of_systems(full: Equations, judge_ratio: float, sentence_ratio: float) -> np.ndarray:
    """The best linear unbiased effects of systems for given ratios; judges with a ratio of 0 have no effect."""
    reduced = without_sentences(full, sentence_ratio)
    systems = len(reduced.totals) - len(full.weights.judges)
    root = np.concatenate([np.ones(systems), np.full(len(full.weights.judges), np.sqrt(judge_ratio))])
    penalty = np.diag(np.concatenate([np.zeros(systems), full.weights.judges]))
    left = root[:, None] * reduced.products * root + penalty
    return np.linalg.solve(left, root * reduced.totals)[:systems]
