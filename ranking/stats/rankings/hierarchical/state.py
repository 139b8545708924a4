"""What the hierarchical model is given, and what it does not know."""

from typing import NamedTuple

import numpy as np

from ranking.numbers.kernels import kernel

# Places in `State.variances` and `State.scales`.
ABILITY, TASTE, NOISE = range(3)


class Design(NamedTuple):
    """Ballots of two candidates or more, best first; judges, candidates and segments are numbered from 0 without gaps.

    Ballot n has the rows starts[n]:starts[n + 1]; `level` numbers the ranks within it, 0 for the best. `seen` counts
    the rows of each candidate, `met` the sentences on which judges compared each pair, and `shared` marks pairs that
    once had the same candidate.
    """

    starts: np.ndarray
    segment: np.ndarray
    judge: np.ndarray
    level: np.ndarray
    candidate: np.ndarray
    member_starts: np.ndarray
    members: np.ndarray
    seen: np.ndarray
    met: np.ndarray
    shared: np.ndarray
    margin: float


class State(NamedTuple):
    """Unknowns: utilities of rows, effects of candidates, abilities, tastes by judge (row) and system, and variances.

    `expected` has utilities without effect and noise. The variance of noise includes that of effects, which is the
    given share of it. `scales` are auxiliary: a half-Cauchy deviation is a normal number divided by the root of a gamma
    number, and a scale is the square of the normal number.
    """

    utilities: np.ndarray
    expected: np.ndarray
    effects: np.ndarray
    abilities: np.ndarray
    tastes: np.ndarray
    variances: np.ndarray
    scales: np.ndarray
    share: np.ndarray


@kernel
def mean_over(design, candidate, values):
    """Mean over the systems behind a candidate."""
    first, end = design.member_starts[candidate], design.member_starts[candidate + 1]
    total = 0.0
    for place in range(first, end):
        total += values[design.members[place]]
    return total / (end - first)


@kernel
def expect(design, state):
    for row in range(len(state.expected)):
        candidate = design.candidate[row]
        ability = mean_over(design, candidate, state.abilities)
        state.expected[row] = ability + mean_over(design, candidate, state.tastes[design.judge[row]])


@kernel
def variance_of(design, state, candidate):
    """Variance of a utility around its expectation and the effect of its candidate; an effect seen once is noise."""
    return state.variances[NOISE] * (1 - state.share[0] if design.seen[candidate] > 1 else 1.0)
