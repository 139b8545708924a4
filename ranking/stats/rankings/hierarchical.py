"""A hierarchical model of rankings: systems, judges and texts have random effects, and replicates are posterior draws.

A judge orders candidates by utility (Thurstone 1927). Candidate c has for judge j the utility

    mean over the systems s behind c of [ability(s) + taste(j, s)]  +  effect(c)  +  noise,

where each part is drawn from a normal distribution around 0 with an unknown variance. So judgments of the same text, or
by the same judge, are not independent evidence. Neighbours in the order tie if they differ by less than a margin (Glenn
and David 1960), which is the unit of utility; if nothing ties, it is 0 and the deviation of the noise is the unit.

The deviations of abilities and tastes have half-Cauchy priors (Gelman 2006), whose medians are 1 and 1/2 times the
deviation of effect and noise together. The square of that one has the prior of 1 / an exponential number, and the share
of effects in it is uniform. A Gibbs sampler draws all unknowns (hierarchical_chain.py).

The score is the Expected Wins of judgments not made yet, by these judges or by others. On every sentence where judges
compared two systems, their unknowns give the chance that one wins if nothing ties; sentences have random weights (the
Bayesian bootstrap, Rubin 1981), which stand for other sentences. This needs no assumption on how quality depends on the
sentence, but from few sentences a pair would look surer than it is. So what the model expects of these systems with
other texts counts as 10 sentences more. A pair that never met gets the chance that its abilities give, or 1/2 if its
outputs were the same.

Toy: abilities 1 and 0, the same tastes and effects, noise of variance 1 and margin 0: the first system wins with the
chance Phi(1 / sqrt(2)), so the scores are .76 and .24.

Draws come from chains of 250, each with its own start and seed, so that a part of them needs only its own chains.
"""

from math import erfc
from statistics import NormalDist

import numpy as np

from ranking.numbers.kernels import in_threads, kernel
from ranking.numbers.tables import StatisticsError
from ranking.stats.ballots import Ballots, positions, starts_of
from ranking.stats.rankings.bradley_terry import bradley_terry
from ranking.stats.rankings.hierarchical_chain import NOISE, TASTE, ChainDesign, ChainState, mean_over, step
from ranking.stats.rankings.method import SHARE, Method
from ranking.stats.resampling import Unit, generator, units_of
from ranking.stats.tally import Tally, pairs_of_parts, tally

DRAWS, WARM_UP = 250, 150
# A score is the mean over this many chains.
CHAINS = 2
# Further digits are rounding noise, which would separate systems whose outputs are always the same.
DECIMALS = 9


def hierarchical_scores(ballots: Ballots) -> np.ndarray:
    return _draw(ballots, range(CHAINS), seed=0, other_judges=False).mean(axis=0)


def hierarchical_replicates(ballots: Ballots, unit: Unit, number: int, seed: int, first: int) -> np.ndarray:
    """Draws first .. first + number - 1 of the scores, for these judges or for others."""
    other_judges = unit is Unit.SENTENCE_AND_JUDGE
    for kind in (Unit.SENTENCE, Unit.JUDGE) if other_judges else (Unit.SENTENCE,):
        units_of(ballots, kind)
    chains = range(first // DRAWS, -(-(first + number) // DRAWS))
    drawn = _draw(ballots, chains, seed, other_judges=other_judges)
    return drawn[first - chains.start * DRAWS :][:number]


def _draw(ballots: Ballots, chains: range, seed: int, other_judges: bool) -> np.ndarray:
    counted = tally(ballots)
    strengths = bradley_terry(counted)
    if not counted.wins.any():
        raise StatisticsError("No judge preferred any output to another, so there is nothing to rank systems by.")
    design = design_of(ballots, counted)

    def draw(chain: int) -> np.ndarray:
        scores = np.empty((DRAWS, ballots.systems))
        run(generator(seed, chain), design, start_of(design, counted, strengths), WARM_UP, other_judges, scores)
        return scores

    return np.round(np.concatenate(in_threads(draw, chains)), DECIMALS)


def design_of(ballots: Ballots, counted: Tally) -> ChainDesign:
    met = np.zeros((ballots.systems, ballots.systems), dtype=np.int64)
    for one, other, *_ in pairs_of_parts(ballots, ballots.segment):
        np.add.at(met, (one, other), 1)
    compared = ballots.choose(ballots.sizes > 1)
    best_first = np.lexsort((-compared.merit, compared.ballot_of))
    ballot, merit = compared.ballot_of, compared.merit[best_first]
    is_worse = np.append(False, (ballot[1:] == ballot[:-1]) & (merit[1:] != merit[:-1]))
    levels = np.cumsum(is_worse)
    used, candidate = np.unique(compared.candidate[best_first], return_inverse=True)
    sizes = ballots.candidates.sizes[used]
    return ChainDesign(
        starts=compared.starts,
        segment=np.unique(compared.segment, return_inverse=True)[1],
        judge=np.unique(compared.judge, return_inverse=True)[1][ballot],
        level=levels - levels[compared.starts[:-1]][ballot],
        candidate=candidate,
        member_starts=starts_of(sizes),
        members=ballots.candidates.members[positions(ballots.candidates.starts[used], sizes)].astype(np.int64),
        seen=np.bincount(candidate),
        met=met + met.T,
        shared=counted.shared > 0,
        margin=1.0 if counted.ties.any() else 0.0,
    )


def start_of(design: ChainDesign, counted: Tally, strengths: np.ndarray) -> ChainState:
    """Start with the noise that makes as many ties of equals as there are, and with levels a margin apart or more."""
    noise = 1.0
    if design.margin:
        ties = counted.ties.sum() / (counted.decisive + counted.ties).sum()
        noise = 0.5 / NormalDist().inv_cdf((1 + ties) / 2) ** 2
    deviation = noise**0.5
    return ChainState(
        utilities=-design.level * (design.margin + deviation / 2),
        expected=np.zeros(len(design.candidate)),
        effects=np.zeros(len(design.seen)),
        abilities=strengths * deviation,
        tastes=np.zeros((design.judge.max() + 1, len(strengths))),
        variances=np.array([1.0, 0.1, 1.0]) * noise,
        scales=np.array([1.0, 0.1]) * noise,
        share=np.array([0.5]),
    )


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
                one, against = design.candidate[row], design.candidate[other]
                for place in range(design.member_starts[one], design.member_starts[one + 1]):
                    for opponent in range(design.member_starts[against], design.member_starts[against + 1]):
                        wins[design.members[place], design.members[opponent]] += weight * won
                        wins[design.members[opponent], design.members[place]] += weight * lost
    return wins


@kernel
def _share(won, lost):
    return won / (won + lost) if won + lost > 0 else 0.5


@kernel
def _chances(difference, variance, margin):
    """Return the chances of a win and of a loss."""
    root = np.sqrt(2 * variance)
    return erfc((margin - difference) / root) / 2, erfc((margin + difference) / root) / 2


HIERARCHICAL = Method(
    "hierarchical", "Hierarchical model",
    "utilities:normal|ties:margin|systems:random|judges:random|texts:random|further-sentences:10|chains:150+250",
    "thurstone1927", 0.5, of_ballots=hierarchical_scores, of_replicates=hierarchical_replicates, bounds=SHARE,
    is_posterior=True, allowed=(Unit.SENTENCE, Unit.SENTENCE_AND_JUDGE),
)  # fmt: skip
