"""Expected Wins of judgments not made yet, from one draw of all unknowns."""

from math import erfc

import numpy as np

from ranking.numbers.kernels import kernel
from ranking.stats.rankings.hierarchical.chain import step
from ranking.stats.rankings.hierarchical.state import NOISE, TASTE, mean_over

# What the model expects of other texts counts as so many sentences.
SENTENCES = 10


@kernel
def run(random, design, state, warm_up, other_judges, scores):
    """Fill each row of `scores` after one more step."""
    for _ in range(warm_up):
        step(random, design, state)
    for draw in range(len(scores)):
        step(random, design, state)
        score(random, design, state, other_judges, scores[draw])


@kernel
def score(random, design, state, other_judges, scores):
    """Expected Wins of new judgments, by other judges or by these, on sentences like these."""
    weights = np.empty(design.segment.max() + 1)
    for segment in range(len(weights)):
        weights[segment] = random.standard_exponential()
    quality, variance = _qualities(design, state, other_judges)
    on_others = _wins(design, weights, quality, variance)
    _add_effects(random, design, state, quality, variance)
    on_these = _wins(design, weights, quality, variance)
    variance_of_two = 2 * (state.variances[NOISE] + state.variances[TASTE])
    scores[:] = 0.0
    for system in range(len(scores)):
        for other in range(len(scores)):
            met = design.met[system, other]
            if met > 0:
                here = _share(on_these[system, other], on_these[other, system])
                elsewhere = _share(on_others[system, other], on_others[other, system])
                scores[system] += (met * here + SENTENCES * elsewhere) / (met + SENTENCES)
            elif design.shared[system, other]:
                scores[system] += 0.5
            elif other != system:
                difference = state.abilities[system] - state.abilities[other]
                scores[system] += _share(*_chances(difference, variance_of_two, design.margin))
    for system in range(len(scores)):
        scores[system] /= len(scores) - 1


@kernel
def _qualities(design, state, other_judges):
    """Return the expected utility of each row, and the variance of new judgments around it."""
    quality, variance = np.empty(len(design.candidate)), np.full(len(design.candidate), state.variances[NOISE])
    for row in range(len(quality)):
        candidate = design.candidate[row]
        quality[row] = mean_over(design, candidate, state.abilities)
        if other_judges:
            behind = design.member_starts[candidate + 1] - design.member_starts[candidate]
            variance[row] += state.variances[TASTE] / behind
        else:
            quality[row] += mean_over(design, candidate, state.tastes[design.judge[row]])
    return quality, variance


@kernel
def _add_effects(random, design, state, quality, variance):
    """Turn what is expected of any candidate of these systems into what is expected of this one."""
    noise, share = state.variances[NOISE], state.share[0]
    for row in range(len(quality)):
        candidate = design.candidate[row]
        effect = state.effects[candidate]
        if design.seen[candidate] == 1:
            effect = share * (state.utilities[row] - state.expected[row])
            effect += np.sqrt(noise * share * (1 - share)) * random.standard_normal()
        quality[row] += effect
        variance[row] -= noise * share


@kernel
def _wins(design, weights, quality, variance):
    """How often the system of the row is expected to beat that of the column."""
    systems = len(design.met)
    wins = np.zeros((systems, systems))
    for ballot in range(len(design.segment)):
        weight, end = weights[design.segment[ballot]], design.starts[ballot + 1]
        for row in range(design.starts[ballot], end):
            for other in range(row + 1, end):
                difference = quality[row] - quality[other]
                won, lost = _chances(difference, variance[row] + variance[other], design.margin)
                _count(design, design.candidate[row], design.candidate[other], weight * won, weight * lost, wins)
    return wins


@kernel
def _share(won, lost):
    return won / (won + lost) if won + lost > 0 else 0.5


@kernel
def _chances(difference, variance, margin):
    """Return the chances of a win and of a loss."""
    root = np.sqrt(2 * variance)
    return erfc((margin - difference) / root) / 2, erfc((margin + difference) / root) / 2


@kernel
def _count(design, one, other, won, lost, wins):
    for place in range(design.member_starts[one], design.member_starts[one + 1]):
        for against in range(design.member_starts[other], design.member_starts[other + 1]):
            wins[design.members[place], design.members[against]] += won
            wins[design.members[against], design.members[place]] += lost
