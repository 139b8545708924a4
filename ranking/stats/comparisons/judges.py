"""Judges of comparisons: their agreement with each other and themselves, and the characteristics of each judge.

Time: the median of the known seconds, and the share of ballots below a floor, too fast to have read the screen. Ties
are shares of the unexpanded comparisons. The ends are the lowest and the highest merit of the scale, as shares of all
judgments of candidates.

Toy: ballots of 4, 20 and 60 seconds have the median 20, and a third of them is below a floor of 5.

Self-consistency: the kappa of a judge with their own repeats is that of Table 2 (`kappa`).

Severity, of ratings: how much more or less merit a judge gives than others give the same candidates, on average; merits
of rankings are ranks and show only how judges use the ranks.

Toy: a judge gives two candidates 50 and 70, the only other judge 40 and 90; severity 60 - 65 = -5.

Position bias: whether the place of a candidate on the screen changes its merit. Merits are standardised within their
ballot (mean 0, variance 1; ballots that give all candidates the same merit are ignored) and averaged for each place;
place 0 is shown first. If the place does not matter, all orders of the merits of a ballot are equally likely. Then the
sum S of standardised merits at each place has mean 0 and

    V[p, p] = ballots that have place p,    V[p, q] = - sum of 1 / (size - 1) over ballots that have places p and q,

and S' V^- S has a chi-squared distribution with as many degrees of freedom as V has rank (the mean score statistic of
Cochran, Mantel and Haenszel). For ballots of one size without ties that is Friedman's test of their ranks.

The test assumes that the order shown was random. Otherwise good systems may simply have been shown first: in the
published judgments of Grundkiewicz et al. (2015) one system is first on 64 % of its screens.

Toy: a judge prefers the first of two candidates on 9 of 10 ballots: S = 8, -8, V = 10, -10; -10, 10, and the statistic
is 8^2 / 10 = 6.4 with one degree of freedom, p = .011.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import scipy as sp

from ranking.numbers.intervals import NOT_KNOWN
from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.agreement.alpha import alpha_estimate, answers_on_candidates, answers_on_pairs
from ranking.stats.agreement.judge_correlations import (
    average_with_rest,
    judge_correlation_intervals,
    judge_correlations,
)
from ranking.stats.agreement.kappa import Weighting, agreements, intervals_of, overall
from ranking.stats.agreement.meetings import meetings, meetings_with_rest
from ranking.stats.agreement.reliability import icc_estimates, spearman_brown, split_halves
from ranking.stats.answers import Scale
from ranking.stats.ballots import Ballots
from ranking.stats.comparisons.study import ComparisonStudy
from ranking.stats.resampling import Unit, units_of

AGREEMENT = ("kind", "judge", "other", "weighting", "kappa", "low", "high", "compared", "enough")
EVERYBODY, THE_REST = "everybody", "the rest"
REST = "rest"  # the kind of a row on one judge and all others
# Kinds of the rows over all judges, and what they agree with.
OVERALL = {"overall inter": "between judges", "overall intra": "of judges with themselves"}
CORRELATIONS = ("judge", "other", "spearman", "spearman_low", "spearman_high", "pearson", "pearson_low",
                "pearson_high")  # fmt: skip
NO_MEETING = "No two judgments compare the same pair of outputs, so there is no agreement to measure."
JUDGES = ("judge", "judgments", "skipped", "median_seconds", "hasty", "ties", "lowest", "highest", "severity",
          "self_kappa", "repeats", "position_p_value")  # fmt: skip
MOST_JUDGES = 40
# Whoever takes fewer seconds cannot have read the screen.
FLOOR = 5.0
ALL_JUDGES = -1
FEWEST_BALLOTS = 10
RATING_SCALE = (0.0, 100.0)


def _if_defined(compute: Callable[[], Any]) -> Any:
    """Compute values, or none on a StatisticsError, so that one undefined column does not remove the others."""
    try:
        return compute()
    except StatisticsError:
        return {}


def agreement(study: ComparisonStudy) -> Iterator[Table]:
    """Kappa between judges, of each with their own repeats and with all others, and overall.

    It comes as published, without weights, and then with weights of larger disagreements.
    """
    chosen = study.parameters
    drawn = chosen.agreement_replicates, chosen.seed, chosen.level
    units_of(study.ballots, Unit.SENTENCE)  # one sentence alone cannot be drawn
    weightings = tuple(Weighting)
    between, with_rest = (
        intervals_of(met, weightings, *drawn) for met in (meetings(study.entries), meetings_with_rest(study.entries))
    )
    rows: list[tuple] = []
    for weighting, (cells, together), (of_rest, _) in zip(weightings, between, with_rest, strict=True):
        of_kind = [("intra" if one.judge == one.other else "inter", one) for one in cells]
        of_kind += [(REST, one) for one in of_rest]
        of_kind += [(f"overall {kind}", one) for kind, one in together.items()]
        for kind, one in of_kind:
            other = THE_REST if kind == REST else study.judge(one.other, EVERYBODY)
            rows.append((kind, study.judge(one.judge, EVERYBODY), other, weighting.value, one.kappa,
                         *(one.interval or NOT_KNOWN), one.compared, one.is_enough))  # fmt: skip
    if not any(weighting == Weighting.NOMINAL for _, _, _, weighting, *_ in rows):
        raise StatisticsError(NO_MEETING)
    yield Table.of("agreement", AGREEMENT, rows)


def agreement_at_a_glance(study: ComparisonStudy) -> Iterator[Table]:
    """Overall kappa between judges as published, without an interval, which would take long."""
    cells = [cell for cell in agreements(meetings(study.entries)) if cell.judge != cell.other]
    if not cells:
        raise StatisticsError(NO_MEETING)
    found = overall(cells)
    line = ("overall inter", EVERYBODY, EVERYBODY, Weighting.NOMINAL.value, found.kappa, *NOT_KNOWN, found.compared,
            found.is_enough)  # fmt: skip
    yield Table.of("agreement", AGREEMENT, [line])


def correlations_of_judges(study: ComparisonStudy) -> Iterator[Table | Gap]:
    """Correlations of two judges' rankings, and of each judge's with that of all others (Table 6)."""
    chosen, found = study.parameters, judge_correlations(study.ballots)
    average = average_with_rest(study.ballots, found)
    bounded: list[tuple] = [(one, NOT_KNOWN, NOT_KNOWN) for one in found]
    if len(study.names.judges) <= MOST_JUDGES:
        drawn = chosen.agreement_replicates, chosen.seed, chosen.level
        bounded = list(judge_correlation_intervals(study.ballots, found, *drawn))
    else:
        reason = f"There are more than {MOST_JUDGES} judges, so they were left out."
        yield Gap("intervals of judges' correlations", reason)
    rows: list[tuple] = [
        (study.judge(one.judge, THE_REST), study.judge(one.other, THE_REST), one.spearman, *of_rho, one.pearson, *of_r)
        for one, of_rho, of_r in bounded
    ]
    rows.append((EVERYBODY, THE_REST, average.spearman, *NOT_KNOWN, average.pearson, *NOT_KNOWN))
    yield Table.of("judge_correlations", CORRELATIONS, rows)


def reliability(study: ComparisonStudy) -> Iterator[Table]:
    """Krippendorff's alpha; for ratings split halves and intraclass correlations as well."""
    chosen = study.parameters
    replicates = chosen.agreement_replicates
    if study.are_ratings:
        answers, scale = answers_on_candidates(study.ballots), Scale.INTERVAL
    else:
        answers, scale = answers_on_pairs(study.entries), Scale.ORDINAL
    alpha = alpha_estimate(answers, scale, replicates, chosen.seed, chosen.level)
    rows: list[tuple] = [("alpha", scale.value, alpha.value, *alpha.interval, None)]
    if study.are_ratings:
        for level, (r, rho, compared) in _if_defined(lambda: split_halves(study.ballots, chosen.seed)).items():
            numbers = (
                ("split halves, Pearson", r), ("split halves, Spearman", rho),
                ("all judgments, Pearson", spearman_brown(r)), ("all judgments, Spearman", spearman_brown(rho)),
            )  # fmt: skip
            rows += [(name, level, value, None, None, compared) for name, value in numbers]
        iccs = _if_defined(lambda: icc_estimates(study.ballots, replicates, chosen.seed, chosen.level))
        for name, icc in zip(("one judgment", "mean of all judgments"), iccs, strict=False):
            rows.append(("ICC", name, icc.value, *icc.interval, None))
    yield Table.of("reliability", ("number", "level", "value", "low", "high", "compared"), rows)


def judges(study: ComparisonStudy) -> Iterator[Table]:
    """A row per judge: number of judgments, time, ties, severity, consistency, and position bias."""
    ballots, everybody = study.ballots, range(len(study.names.judges))
    consistency = {cell.judge: cell.kappa for cell in agreements(meetings(study.entries, with_others=False))}
    repeats, bias = repeats_of_judges(ballots), _if_defined(lambda: position_bias(ballots))
    severity = _if_defined(lambda: severities(ballots)) if study.are_ratings else {}
    row_judge, rows = ballots.judge[ballots.ballot_of], []
    for judge, counts in zip(everybody, study.counts, strict=False):
        if not counts.ballots:
            continue
        seconds, merit = ballots.seconds[ballots.judge == judge], ballots.merit[row_judge == judge]
        seconds = seconds[~np.isnan(seconds)]
        ends = (merit <= RATING_SCALE[0], merit >= RATING_SCALE[1]) if study.are_ratings and len(merit) else ()
        repeated = judge in consistency or repeats[judge]
        rows.append((
            study.names.judges[judge], counts.ballots, counts.skipped, *((np.median(seconds),
            (seconds < FLOOR).mean()) if len(seconds) else NOT_KNOWN),
            counts.unexpanded_ties / counts.unexpanded if counts.unexpanded else None,
            *((end.mean() for end in ends) if ends else NOT_KNOWN), severity.get(judge), consistency.get(judge),
            int(repeats[judge]) if repeated else None, bias.get(judge),
        ))  # fmt: skip
    if ALL_JUDGES in bias:
        rows.append((EVERYBODY, *[None] * 10, bias[ALL_JUDGES]))
    yield Table.of("judges", JUDGES, rows)


def repeats_of_judges(ballots: Ballots) -> np.ndarray:
    """By judge, the number of pairs of merits that the judge gave one candidate."""
    judge = ballots.judge[ballots.ballot_of].astype(np.int64)
    both, times = np.unique(ballots.candidate * np.int64(ballots.judges) + judge, return_counts=True)
    return np.bincount(both % ballots.judges, times * (times - 1) // 2, ballots.judges).astype(int)


def severities(ballots: Ballots) -> dict[int, float]:
    """How much more merit each judge gives than others give the same candidates, on average."""
    judge, candidate = ballots.judge[ballots.ballot_of], ballots.candidate
    merit = ballots.merit - ballots.merit.mean() if len(ballots.merit) else ballots.merit
    _, own = np.unique(candidate * np.int64(ballots.judges) + judge, return_inverse=True)
    # Merits by all other judges for the candidate of each judgment: number and sum.
    number, total = (
        np.bincount(candidate, weights=values)[candidate] - np.bincount(own, weights=values)[own]
        for values in (np.ones(len(merit)), merit)
    )
    shared = number > 0
    if not shared.any():
        raise StatisticsError("No output was judged by two judges; have some sentences judged twice.")
    times, mine, others = (
        np.bincount(judge[shared], weights=column[shared], minlength=ballots.judges)
        for column in (np.ones(len(merit)), merit, total / np.where(shared, number, 1))
    )
    return {one: float(mine[one] / times[one] - others[one] / times[one]) for one in np.flatnonzero(times).tolist()}


def position_bias(ballots: Ballots) -> dict[int, float]:
    """P-values of all judges together, then of each one with enough ballots, not corrected for the number of judges."""
    ballot, sizes = ballots.ballot_of, np.maximum(ballots.sizes, 1)
    apart = ballots.merit - (np.bincount(ballot, weights=ballots.merit, minlength=len(ballots)) / sizes)[ballot]
    spread = np.sqrt(np.bincount(ballot, weights=apart**2, minlength=len(ballots)) / sizes)
    highest, lowest = (np.full(len(ballots), sign * np.inf) for sign in (-1, 1))
    np.maximum.at(highest, ballot, ballots.merit)
    np.minimum.at(lowest, ballot, ballots.merit)
    decided = highest > lowest
    if decided.sum() < FEWEST_BALLOTS:
        raise StatisticsError(
            f"Fewer than {FEWEST_BALLOTS} ballots prefer one candidate to another; bias cannot be told from chance."
        )
    standard = np.divide(apart, spread[ballot], out=np.zeros(apart.shape), where=decided[ballot])
    place = np.arange(len(standard)) - np.repeat(ballots.starts[:-1], ballots.sizes)
    most, found = int(ballots.sizes.max()), {}
    for judge in [ALL_JUDGES, *np.unique(ballots.judge[decided]).tolist()]:
        own = decided & ((ballots.judge == judge) | (judge == ALL_JUDGES))
        if own.sum() < FEWEST_BALLOTS:
            continue
        rows = own[ballot]
        sums = np.bincount(place[rows], weights=standard[rows], minlength=most)
        covariance = np.zeros((most, most))
        for size, times in enumerate(np.bincount(ballots.sizes[own])[2:].tolist(), 2):
            block = np.full((size, size), -1 / (size - 1))
            np.fill_diagonal(block, 1)
            covariance[:size, :size] += times * block
        statistic = max(0.0, sums @ np.linalg.pinv(covariance, hermitian=True) @ sums)  # rounding can end below 0
        degrees = int(np.linalg.matrix_rank(covariance, hermitian=True))
        found[judge] = float(sp.special.chdtrc(degrees, statistic))
    return found
