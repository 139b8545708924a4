"""The Gibbs sampler of the hierarchical model: every step draws some unknowns given all others.

Effects of candidates are integrated out where abilities and the noise are drawn; those of candidates judged once are
part of the noise until a score needs them, because nothing tells the two apart. A constant added to all utilities of a
ballot changes no judgment, so it is drawn anew before the utilities, and the means of abilities and tastes with it.
Two more moves keep the chain from getting stuck: between abilities and what all judges' tastes have in common (Yu and
Meng 2011), and the scale of all tastes (Gelman et al. 2008).
"""

from typing import NamedTuple

import numpy as np

from ranking.numbers.kernels import kernel

# Places in `ChainState.variances` and `ChainState.scales`.
ABILITY, TASTE, NOISE = range(3)


class ChainDesign(NamedTuple):
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


class ChainState(NamedTuple):
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


# In wider ranges few evenly drawn numbers would be accepted.
WIDE = 2.0
# What is less than this share of what it was subtracted from is rounding noise.
ROUNDING = 1e-12


@kernel
def truncated_normal(random, low, high):
    """Draw from the standard normal distribution between two bounds, by rejection (Robert 1995)."""
    if low > 0:
        return _in_tail(random, low, high)
    if high < 0:
        return -_in_tail(random, -high, -low)
    if high - low > WIDE:
        while True:
            drawn = random.standard_normal()
            if low <= drawn <= high:
                return drawn
    while True:
        drawn = low + (high - low) * random.random()
        if random.random() <= np.exp(-drawn * drawn / 2):
            return drawn


@kernel
def _in_tail(random, low, high):
    """Draw between two bounds above 0."""
    rate = (low + np.sqrt(low * low + 4)) / 2
    if (high - low) * rate < WIDE:
        while True:
            drawn = low + (high - low) * random.random()
            if random.random() <= np.exp((low * low - drawn * drawn) / 2):
                return drawn
    while True:
        drawn = low - np.log(1 - random.random()) / rate
        if drawn <= high and random.random() <= np.exp(-((drawn - rate) ** 2) / 2):
            return drawn


@kernel
def normal_vector(random, precision, weighted, drawn):
    """Draw a normal vector whose mean solves precision x mean = weighted; `precision` becomes its Cholesky factor."""
    size = len(weighted)
    for row in range(size):
        for column in range(row + 1):
            rest = precision[row, column]
            for place in range(column):
                rest -= precision[row, place] * precision[column, place]
            if row == column:
                precision[row, row] = np.sqrt(max(rest, ROUNDING * precision[row, row]))
            else:
                precision[row, column] = rest / precision[column, column]
    for row in range(size):
        rest = weighted[row]
        for place in range(row):
            rest -= precision[row, place] * drawn[place]
        drawn[row] = rest / precision[row, row]
    for row in range(size):
        drawn[row] += random.standard_normal()
    for row in range(size - 1, -1, -1):
        rest = drawn[row]
        for place in range(row + 1, size):
            rest -= precision[place, row] * drawn[place]
        drawn[row] = rest / precision[row, row]


@kernel
def pick(random, logs, highest):
    """Draw a place with chances in proportion to exp(logs), of which the highest is known."""
    total = 0.0
    for log in logs:
        total += np.exp(log - highest)
    rest = random.random() * total
    for place in range(len(logs)):
        rest -= np.exp(logs[place] - highest)
        if rest < 0:
            return place
    return len(logs) - 1


# Median deviations of abilities and of tastes before any judgment, in deviations of the noise.
MEDIANS = np.array([1.0, 0.5])
# The share of effects in the noise is one of so many between 0 and 1.
SHARES = 40


@kernel
def step(random, design, state):
    _draw_share_and_noise(random, design, state)
    _draw_abilities(random, design, state)
    _draw_effects(random, design, state)
    _draw_tastes(random, design, state)
    _rescale_tastes(random, design, state)
    _divide(random, state)
    _draw_variances(random, state)
    _centre(random, state)
    _draw_utilities(random, design, state)


@kernel
def _draw_utilities(random, design, state):
    """Move all utilities of a ballot to where their mean might be, then draw each given the others."""
    expect(design, state)
    for ballot in range(len(design.segment)):
        first, end = design.starts[ballot], design.starts[ballot + 1]
        off = weights = 0.0
        for row in range(first, end):
            candidate = design.candidate[row]
            weight = 1 / variance_of(design, state, candidate)
            off += weight * (state.utilities[row] - state.expected[row] - state.effects[candidate])
            weights += weight
        move = random.standard_normal() / np.sqrt(weights) - off / weights
        for row in range(first, end):
            state.utilities[row] += move
        for row in range(first, end):
            candidate = design.candidate[row]
            middle = state.expected[row] + state.effects[candidate]
            deviation = np.sqrt(variance_of(design, state, candidate))
            low, high = bounds(state.utilities, design.level, design.margin, row, first, end)
            drawn = truncated_normal(random, (low - middle) / deviation, (high - middle) / deviation)
            state.utilities[row] = middle + deviation * drawn


@kernel
def bounds(utilities, level, margin, row, first, end):
    """Return the bounds that the other utilities of a ballot, rows first:end, set to that of one row."""
    low, high, least, most = -np.inf, np.inf, np.inf, -np.inf
    for other in range(first, end):
        below = level[other] - level[row]
        if below == 1:
            low = max(low, utilities[other] + margin)
        elif below == -1:
            high = min(high, utilities[other] - margin)
        elif below == 0 and other != row:
            least, most = min(least, utilities[other]), max(most, utilities[other])
    if least > most:
        return low, high
    low, high = max(low, least - margin), min(high, most + margin)
    # Two on the same level that are further apart than the margin are tied only if this one links them.
    for one in range(first, end):
        if one == row or level[one] != level[row] or utilities[one] == most:
            continue
        following = most
        for other in range(first, end):
            if other != row and level[other] == level[row] and utilities[other] > utilities[one]:
                following = min(following, utilities[other])
        if following - utilities[one] >= margin:
            low, high = max(low, following - margin), min(high, utilities[one] + margin)
    return low, high


@kernel
def _draw_share_and_noise(random, design, state):
    """Draw the share of effects in the variance of noise and, if the margin is the unit, this variance."""
    most, sums, squares = design.seen.max(), np.zeros(len(design.seen)), 0.0
    for row in range(len(state.expected)):
        left = state.utilities[row] - state.expected[row]
        sums[design.candidate[row]] += left
        squares += left * left
    between, number = np.zeros(most + 1), np.zeros(most + 1)
    for candidate in range(len(sums)):
        seen = design.seen[candidate]
        between[seen] += sums[candidate] * sums[candidate] / seen
        number[seen] += 1
        squares -= sums[candidate] * sums[candidate] / seen
    free = len(state.expected) - len(sums)
    logs, scaled, highest = np.empty(SHARES), np.empty(SHARES), -np.inf
    for place in range(SHARES):
        share = (place + 0.5) / SHARES
        log, scaled[place] = free * np.log(1 - share), squares / (1 - share) + between[1]
        for seen in range(2, most + 1):
            log += number[seen] * np.log(1 - share + share * seen)
            scaled[place] += between[seen] / (1 - share + share * seen)
        logs[place] = -(log + scaled[place] / state.variances[NOISE]) / 2
        highest = max(highest, logs[place])
    place = pick(random, logs, highest)
    state.share[0] = (place + 0.5) / SHARES
    if design.margin > 0:
        rate = scaled[place]
        for kind in (ABILITY, TASTE):
            rate += state.scales[kind] / MEDIANS[kind] ** 2
        # The prior of the variance has shape 1 and rate 1; each scale adds half to the shape.
        state.variances[NOISE] = (1 + rate / 2) / random.standard_gamma(2 + len(state.expected) / 2)


@kernel
def _draw_abilities(random, design, state):
    systems = len(state.abilities)
    precision, weighted, sums = np.zeros((systems, systems)), np.zeros(systems), np.zeros(len(design.seen))
    for system in range(systems):
        precision[system, system] = 1 / state.variances[ABILITY]
    for row in range(len(design.candidate)):
        candidate = design.candidate[row]
        sums[candidate] += state.utilities[row] - mean_over(design, candidate, state.tastes[design.judge[row]])
    for candidate in range(len(sums)):
        seen = design.seen[candidate]
        variance = state.variances[NOISE] * (1 - state.share[0] + state.share[0] * seen)
        _add(design, candidate, sums[candidate] / variance, seen / variance, precision, weighted)
    normal_vector(random, precision, weighted, state.abilities)


@kernel
def _add(design, candidate, total, weight, precision, weighted):
    """Add what is known about the mean over the systems behind a candidate."""
    first, end = design.member_starts[candidate], design.member_starts[candidate + 1]
    for place in range(first, end):
        system = design.members[place]
        weighted[system] += total / (end - first)
        for other in range(first, end):
            precision[system, design.members[other]] += weight / (end - first) ** 2


@kernel
def _draw_effects(random, design, state):
    share, sums = state.share[0], np.zeros(len(design.seen))
    expect(design, state)
    for row in range(len(state.expected)):
        sums[design.candidate[row]] += state.utilities[row] - state.expected[row]
    for candidate in range(len(sums)):
        if design.seen[candidate] > 1:
            total = 1 - share + share * design.seen[candidate]
            variance = state.variances[NOISE] * share * (1 - share) / total
            state.effects[candidate] = share * sums[candidate] / total + np.sqrt(variance) * random.standard_normal()


@kernel
def _draw_tastes(random, design, state):
    judges, systems = state.tastes.shape
    precision, weighted = np.zeros((judges, systems, systems)), np.zeros((judges, systems))
    for row in range(len(design.candidate)):
        candidate, judge = design.candidate[row], design.judge[row]
        variance = variance_of(design, state, candidate)
        left = state.utilities[row] - state.effects[candidate] - mean_over(design, candidate, state.abilities)
        _add(design, candidate, left / variance, 1 / variance, precision[judge], weighted[judge])
    for judge in range(judges):
        for system in range(systems):
            precision[judge, system, system] += 1 / state.variances[TASTE]
        normal_vector(random, precision[judge], weighted[judge], state.tastes[judge])


@kernel
def _rescale_tastes(random, design, state):
    """Draw anew the factor of all tastes and their deviation, whose square is the scale of their prior."""
    factor = np.sqrt(state.scales[TASTE])
    weight, total = 1 / (MEDIANS[TASTE] ** 2 * state.variances[NOISE]), 0.0
    for row in range(len(design.candidate)):
        candidate = design.candidate[row]
        variance = variance_of(design, state, candidate)
        taste = mean_over(design, candidate, state.tastes[design.judge[row]]) / factor
        left = state.utilities[row] - state.effects[candidate] - mean_over(design, candidate, state.abilities)
        total += left * taste / variance
        weight += taste * taste / variance
    change = (total / weight + random.standard_normal() / np.sqrt(weight)) / factor
    for judge in range(state.tastes.shape[0]):
        for system in range(state.tastes.shape[1]):
            state.tastes[judge, system] *= change
    state.scales[TASTE] *= change * change
    state.variances[TASTE] *= change * change


@kernel
def _divide(random, state):
    """Draw anew what all judges share of what each makes of each system."""
    judges, systems = state.tastes.shape
    precision = judges / state.variances[TASTE] + 1 / state.variances[ABILITY]
    for system in range(systems):
        total = judges * state.abilities[system]
        for judge in range(judges):
            total += state.tastes[judge, system]
        shared = total / state.variances[TASTE] / precision + random.standard_normal() / np.sqrt(precision)
        for judge in range(judges):
            state.tastes[judge, system] += state.abilities[system] - shared
        state.abilities[system] = shared


@kernel
def _centre(random, state):
    """Draw anew the means of abilities and of each judge's tastes, of which judgments say nothing."""
    _move(random, state.abilities, state.variances[ABILITY])
    for judge in range(len(state.tastes)):
        _move(random, state.tastes[judge], state.variances[TASTE])


@kernel
def _move(random, values, variance):
    mean = 0.0
    for value in values:
        mean += value / len(values)
    move = random.standard_normal() * np.sqrt(variance / len(values)) - mean
    for place in range(len(values)):
        values[place] += move


@kernel
def _draw_variances(random, state):
    squares = np.zeros(2)
    for system in range(len(state.abilities)):
        squares[ABILITY] += state.abilities[system] ** 2
        for judge in range(len(state.tastes)):
            squares[TASTE] += state.tastes[judge, system] ** 2
    numbers = (len(state.abilities), state.tastes.size)
    for kind in (ABILITY, TASTE):
        rate = (state.scales[kind] + squares[kind]) / 2
        state.variances[kind] = rate / random.standard_gamma((1 + numbers[kind]) / 2)
        prior = MEDIANS[kind] ** 2 * state.variances[NOISE]
        state.scales[kind] = 2 * random.standard_exponential() / (1 / prior + 1 / state.variances[kind])
