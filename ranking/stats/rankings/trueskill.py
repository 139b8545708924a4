"""TrueSkill (Herbrich et al. 2007): every system has an ability mu, known up to sigma; every comparison updates both.

With c^2 = 2 beta^2 + sigma_w^2 + sigma_l^2, t = (mu_w - mu_l) / c and e = margin / c,

    mu_w += sigma_w^2 / c v(t, e),   mu_l -= sigma_l^2 / c v(t, e),   sigma^2 *= 1 - sigma^2 / c^2 w(t, e),

where v and w are those of a win or of a draw. Results equal those of the `trueskill` package, because its approximation
of the normal distribution (erfc, error 1.2e-7) is copied; the package itself would take hours.

`sampled_abilities` follows the scheme of Sakaguchi et al. (2014) and Grundkiewicz et al. (2015), and not a pass over
the data: one player of each match is the system with the largest sigma (the last of equal ones), the other is drawn
with weight exp(-|difference of mu|), and the outcome is that of one comparison drawn from all of this pair, ties
included. With beta = sigma_0 matches / 40 (mu 0, sigma_0 0.5, draws 25%) it infers nothing: beta is 1364 for 109,099
matches, a win moves mu by 0.000131 and a draw by nothing, so mu is 2.2 times the mean over opponents of (wins - losses)
/ (wins + losses + ties), to within 0.01 on the published judgments. Every pair has nearly equal weight, ranges show
only how much runs vary, and the order differs from that of Expected Wins, where ties do not count.

`passed_abilities` makes a plain pass over all comparisons in random order, with the usual settings: mu 0, sigma 25/3,
beta 25/6, draws 10%. Toy: the first comparison moves the winner from 0 to 4.396, the loser to -4.396, and sigma to
7.171.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ranking.numbers.kernels import in_threads, kernel
from ranking.numbers.tables import StatisticsError
from ranking.stats.rankings.method import Method
from ranking.stats.resampling import Unit
from ranking.stats.tally import Tally, tally

MATCHES_A_BETA = 40
WIN, TIE = 0, 1
# Nothing here divides by 0, so that no division is checked; products are added in one step where the processor can.
compiled = kernel(error_model="numpy")
arithmetic = kernel(error_model="numpy", fastmath={"contract"})
DENSITY, HALF_ROOT = 1 / np.sqrt(2 * np.pi), np.sqrt(0.5)


class TrueSkillPrior(NamedTuple):
    """Prior of TrueSkill; every ability starts at mu = 0."""

    sigma: float
    beta: float
    draw_probability: float

    @property
    def margin(self) -> float:
        """How close two performances must be to count as a draw."""
        from trueskill import TrueSkill, calc_draw_margin

        return calc_draw_margin(self.draw_probability, 2, TrueSkill(beta=self.beta))


ORDINARY = TrueSkillPrior(sigma=25 / 3, beta=25 / 6, draw_probability=0.1)


def published_settings(matches: int) -> TrueSkillPrior:
    return TrueSkillPrior(sigma=0.5, beta=0.5 * matches / MATCHES_A_BETA, draw_probability=0.25)


def sampled_abilities(counted: Tally, runs: int, seed: int, first: int = 0) -> np.ndarray:
    """Return the abilities after each of many runs of the published scheme, one row per run."""
    ties = counted.ties + counted.shared
    compared = counted.wins + counted.wins.T + ties
    if not compared.any():
        raise StatisticsError("No two systems were compared, so there are no matches to draw.")
    if not compared.any(axis=1).all():
        raise StatisticsError("A system was never compared with any other, so it has no matches to draw.")
    matches = int(np.triu(compared).sum()) + 1
    settings = published_settings(matches)
    # The opponents of each system come first in its row, in order.
    opponents, met = np.argsort(compared == 0, axis=1, kind="stable"), np.count_nonzero(compared, axis=1)
    wins, ties = (np.ascontiguousarray(counts, np.int64) for counts in (counted.wins, ties))
    given = wins, ties, opponents, met

    def run(mu: np.ndarray, variance: np.ndarray, state: np.uint64) -> None:
        _sample(*given, mu, variance, settings.beta, settings.margin, matches, state)

    return _each_run(run, counted.systems, settings, seed, range(first, first + runs))


def passed_abilities(counted: Tally, runs: int, seed: int, first: int = 0) -> np.ndarray:
    """Return the abilities after each of many passes over all comparisons, one row per pass."""
    winners, losers = np.nonzero(counted.wins)
    upper = np.triu(counted.ties)
    ones, others = np.nonzero(upper)
    # Every comparison that a judge made as a row: the better system, the worse one, and whether it is a tie.
    outcomes = np.repeat([WIN, TIE], [len(winners), len(ones)])
    rows = np.stack([np.append(winners, ones), np.append(losers, others), outcomes], axis=1)
    pairs = np.repeat(rows, np.append(counted.wins[winners, losers], upper[ones, others]), axis=0)
    if not len(pairs):
        raise StatisticsError("No two systems were compared, so there are no matches to rate.")

    def run(mu: np.ndarray, variance: np.ndarray, state: np.uint64) -> None:
        _pass(pairs, np.arange(len(pairs)), mu, variance, ORDINARY.beta, ORDINARY.margin, state)

    return _each_run(run, counted.systems, ORDINARY, seed, range(first, first + runs))


def _each_run(
    run: Callable[..., None], systems: int, settings: TrueSkillPrior, seed: int, numbers: range
) -> np.ndarray:
    """Run on all processors in parallel; each run has its own random numbers, so scheduling cannot change it."""

    def abilities(number: int) -> np.ndarray:
        mu, variance = np.zeros(systems), np.full(systems, settings.sigma**2)
        run(mu, variance, np.random.SeedSequence([seed, number]).generate_state(1, np.uint64)[0])
        return mu

    return np.stack(in_threads(abilities, numbers))


@compiled
def _sample(wins, ties, opponents, met, mu, variance, beta, margin, matches, state):
    """Rate so many matches, in place."""
    systems = len(wins)
    for _ in range(matches):
        player = 0
        for system in range(1, systems):
            if variance[system] >= variance[player]:
                player = system
        # Any opponent is drawn, and kept with its weight: as likely as if drawn by weight, and without summing up all.
        while True:
            state, drawn = _uniform(state)
            opponent = opponents[player, int(drawn * met[player])]
            apart = abs(mu[player] - mu[opponent])
            state, drawn = _uniform(state)
            if drawn < 1 - apart or drawn < np.exp(-apart):
                break
        won, lost = wins[player, opponent], wins[opponent, player]
        state, drawn = _uniform(state)
        place = drawn * (won + lost + ties[player, opponent])
        if place < won:
            rate(mu, variance, player, opponent, WIN, beta, margin)
        elif place < won + lost:
            rate(mu, variance, opponent, player, WIN, beta, margin)
        else:
            rate(mu, variance, player, opponent, TIE, beta, margin)


@compiled
def _pass(pairs, order, mu, variance, beta, margin, state):
    """Rate all comparisons in a random order, in place."""
    for left in range(len(pairs), 0, -1):
        state, drawn = _uniform(state)
        picked = int(drawn * left)
        order[picked], order[left - 1] = order[left - 1], order[picked]
        place = order[left - 1]
        rate(mu, variance, pairs[place, 0], pairs[place, 1], pairs[place, 2], beta, margin)


@arithmetic
def rate(mu, variance, winner, loser, outcome, beta, margin):
    """Update two systems by one comparison, in place."""
    scale = 1 / np.sqrt(2 * beta * beta + variance[winner] + variance[loser])
    shift, shrink = _moves((mu[winner] - mu[loser]) * scale, margin * scale, outcome)
    shift, shrink = shift * scale, shrink * scale * scale
    mu[winner] += variance[winner] * shift
    mu[loser] -= variance[loser] * shift
    variance[winner] *= 1 - variance[winner] * shrink
    variance[loser] *= 1 - variance[loser] * shrink


@arithmetic
def _moves(difference, near, outcome):
    """Return the functions v and w of a win or a draw."""
    if outcome == WIN:
        above = difference - near
        chance = _cdf(above)
        shift = _pdf(above) / chance if chance > 0 else -above
        return shift, shift * (shift + above)
    apart = abs(difference)
    upper, lower = near - apart, -near - apart
    chance = _cdf(upper) - _cdf(lower)
    high, low = _pdf(upper), _pdf(lower)
    if chance <= 0:
        return (-upper if difference < 0 else upper), upper * upper
    each = 1 / chance
    shift = (low - high) * each
    shrink = shift * shift + (upper * high - lower * low) * each
    return (-shift if difference < 0 else shift), shrink


@compiled
def _uniform(state):
    """Return the next state, and a number from 0 to 1 (SplitMix64, Steele et al. 2014)."""
    state = np.uint64(state) + np.uint64(0x9E3779B97F4A7C15)
    mixed = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return state, (mixed >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@arithmetic
def _pdf(x):
    return np.exp(-x * x / 2) * DENSITY


@arithmetic
def _cdf(x):
    return 0.5 * _erfc(-x * HALF_ROOT)


@arithmetic
def _erfc(x):
    """Return the package's approximation (Numerical Recipes, erfcc)."""
    z = abs(x)
    t = 1 / (1 + z / 2)
    terms = 0.17087277
    for factor in (-0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418, 0.37409196, 1.00002368):
        terms = factor + t * terms
    small = t * np.exp(-z * z - 1.26551223 + t * terms)
    return 2 - small if x < 0 else small


AS_PUBLISHED = Method(
    "trueskill-published", "TrueSkill (as published)",
    "scheme:sampled|mu:0|sigma:0.5|beta:sigma*matches/40|draws:0.25|ties:with-shared",
    "herbrich2007; @grundkiewicz2015", 0.5, run=sampled_abilities,
    # Runs differ without drawing judgments.
    of_replicates=lambda ballots, unit, number, seed, first: sampled_abilities(tally(ballots), number, seed, first),
    allowed=(Unit.PAIR,),
)  # fmt: skip
TRUESKILL = Method(
    "trueskill", "TrueSkill", "scheme:pass|mu:0|sigma:25/3|beta:25/6|draws:0.1|ties:judged|runs:100",
    "herbrich2007", 25 / 3, run=passed_abilities,
)  # fmt: skip
