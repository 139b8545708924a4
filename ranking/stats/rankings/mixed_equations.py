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

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy as sp

from ranking.stats.ballots import Ballots


class Design(NamedTuple):
    """Ratings in columns, one line for each system behind a candidate, less the mean of the system.

    Judges and sentences with a ballot are numbered from 0. Cells are the non-zero ones of sentences by systems and
    judges; each line is in the cell of its system and in that of its judge.
    """

    systems: int
    judges: int
    sentences: int
    means: np.ndarray
    ballot: np.ndarray
    system: np.ndarray
    judge: np.ndarray
    sentence: np.ndarray
    rating: np.ndarray
    cell_of_system: np.ndarray
    cell_of_judge: np.ndarray
    cell_starts: np.ndarray
    cell_columns: np.ndarray


class Weights(NamedTuple):
    """How often each line counts, and how often each judge and each sentence occurs."""

    lines: np.ndarray
    judges: np.ndarray
    sentences: np.ndarray


class Equations(NamedTuple):
    """Sums over lines before the effects of sentences are eliminated: W'W, W'y, y'y, c_i, n_i, t_i."""

    products: np.ndarray
    totals: np.ndarray
    squares: float
    met: sp.sparse.csr_array
    sizes: np.ndarray
    of_sentences: np.ndarray
    weights: Weights


class Reduced(NamedTuple):
    """Equations without sentences: G, g, the remaining squares, and the logarithm of the divisors."""

    products: np.ndarray
    totals: np.ndarray
    squares: float
    log_divisors: float


def design_of(ballots: Ballots) -> Design:
    """Return the lines of all ratings; a system that was never rated has mean 0."""
    behind = ballots.candidates.sizes[ballots.candidate]
    row = np.repeat(np.arange(len(ballots.candidate)), behind)
    first = ballots.candidates.starts[ballots.candidate] - (np.cumsum(behind) - behind)
    system = ballots.candidates.members[np.arange(len(row)) + first[row]].astype(np.int64)
    ballot = ballots.ballot_of[row]
    judges, judge_of = np.unique(ballots.judge, return_inverse=True)
    sentences, sentence_of = np.unique(ballots.segment, return_inverse=True)
    judge, sentence = judge_of[ballot], sentence_of[ballot]
    times = np.bincount(system, minlength=ballots.systems)
    means = np.bincount(system, ballots.merit[row], ballots.systems) / np.maximum(times, 1)
    columns = ballots.systems + len(judges)
    cells, of_line = np.unique(
        np.concatenate([sentence * columns + system, sentence * columns + ballots.systems + judge]), return_inverse=True
    )
    of_system, of_judge = np.split(of_line, 2)
    return Design(
        ballots.systems, len(judges), len(sentences), means,
        ballot, system, judge, sentence, ballots.merit[row] - means[system],
        of_system, of_judge, np.searchsorted(cells, np.arange(len(sentences) + 1) * columns), cells % columns,
    )  # fmt: skip


def once(design: Design) -> Weights:
    """Weights of the judgments as collected."""
    return Weights(np.ones(len(design.system)), np.ones(design.judges), np.ones(design.sentences))


def equations(design: Design, weights: Weights) -> Equations:
    counted, systems, judges = weights.lines, design.systems, design.judges
    rated = counted * design.rating
    times = np.bincount(design.system * judges + design.judge, counted, systems * judges).reshape(systems, judges)
    cells = len(design.cell_columns)
    met = np.bincount(design.cell_of_system, counted, cells) + np.bincount(design.cell_of_judge, counted, cells)
    return Equations(
        np.block([[np.diag(times.sum(axis=1)), times], [times.T, np.diag(times.sum(axis=0))]]),
        np.concatenate([np.bincount(design.system, rated, systems), np.bincount(design.judge, rated, judges)]),
        float(rated @ design.rating),
        sp.sparse.csr_array((met, design.cell_columns, design.cell_starts), shape=(design.sentences, systems + judges)),
        np.bincount(design.sentence, counted, design.sentences),
        np.bincount(design.sentence, rated, design.sentences),
        weights,
    )


def without_sentences(full: Equations, ratio: float) -> Reduced:
    """Return the equations of systems and judges, given the variance of sentences over that of the error."""
    divisors = full.weights.sentences + ratio * full.sizes
    share = ratio / divisors
    weights = full.met.data * np.repeat(share, np.diff(full.met.indptr))
    weighted = sp.sparse.csr_array((weights, full.met.indices, full.met.indptr), shape=full.met.shape)
    return Reduced(
        full.products - (weighted.T @ full.met).toarray(),
        full.totals - weighted.T @ full.of_sentences,
        full.squares - float(share @ full.of_sentences**2),
        float(np.log(divisors).sum()),
    )


def effects_of_systems(full: Equations, judge_ratio: float, sentence_ratio: float) -> np.ndarray:
    """Return the best linear unbiased effects of systems for given ratios; judges with a ratio of 0 have no effect."""
    reduced = without_sentences(full, sentence_ratio)
    judges = full.weights.judges
    systems = len(reduced.totals) - len(judges)
    root = np.append(np.ones(systems), np.full(len(judges), np.sqrt(judge_ratio)))
    left = root[:, None] * reduced.products * root + np.diag(np.append(np.zeros(systems), judges))
    return np.linalg.solve(left, root * reduced.totals)[:systems]
