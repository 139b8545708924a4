"""Sections on judges: their agreement with each other and themselves, and characteristics of each judge.

Characteristics of single judges: time, ties, the ends of the scale, self-consistency, severity, position bias.

Time: the median of the known seconds, and the share of ballots below a floor, too fast to have read the screen. Ties
are shares of the unexpanded comparisons. The ends are the lowest and the highest merit of the scale, as shares of all
judgments of candidates.

Toy: ballots of 4, 20 and 60 seconds have the median 20, and a third of them is below a floor of 5.

Self-consistency: the kappa of a judge with their own repeats is that of Table 2 (`kappa`). For ratings, the repeat
difference is the mean absolute difference of two merits that the judge gave one candidate, over all pairs of repeats.

Toy: a judge rates a candidate 50, 60 and 80: differences 10, 20 and 30, mean 20.

Severity: whether a judge gives more or less merit than others for the same candidates, and over what range. The
expectation of a judgment is the mean merit that other judges gave the same candidate. The difference is the judge's
mean merit less the mean expectation, negative for a severe judge. The spread is the standard deviation of the judge's
merits over that of the others' merits of these candidates, where the others' merits for one judgment weigh 1 together;
below 1 the judge uses a narrower part of the scale. Both are for ratings: merits of rankings are ranks and show only
how judges use the ranks (who often gives the last one, who ties at the first).

Toy: a judge gives two candidates 50 and 70, the only other judge 40 and 80; difference 0, spread 10/20 = 1/2.

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

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from typing import NamedTuple, TypeVar

import numpy as np
import scipy as sp

from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.agreement.alpha import alpha_estimate, answers_on_candidates, answers_on_pairs
from ranking.stats.agreement.judge_correlations import (
    average_with_rest,
    judge_correlation_intervals,
    judge_correlations,
)
from ranking.stats.agreement.kappa import (
    Weighting,
    intervals_of,
    kappas,
    kappas_with_themselves,
    overall,
)
from ranking.stats.agreement.meetings import entries_of, meetings, meetings_with_rest
from ranking.stats.agreement.reliability import icc_estimates, split_halves
from ranking.stats.answers import Scale
from ranking.stats.ballots import Ballots
from ranking.stats.comparisons.study import ComparisonStudy
from ranking.stats.rankings.leave_out import Kind, leave_out
from ranking.stats.rankings.methods import METHODS
from ranking.stats.resampling import Unit, units_of
from ranking.stats.tally import count_by_judge

AGREEMENT = ("kind", "judge", "other", "kappa", "compared", "enough")
AGREEMENT_INTERVALS = ("kind", "judge", "other", "kappa", "low", "high")
RELIABILITY = ("number", "level", "value", "low", "high", "compared")
EVERYBODY, THE_REST = "everybody", "the rest"
REST = "rest"  # the kind of a row on one judge and all others
# Kinds of the rows over all judges, and what they agree with.
OVERALL = {"overall inter": "between judges", "overall intra": "of judges with themselves"}
WEIGHTED = ("kind", "judge", "other", "weighting", "kappa", "low", "high")
CORRELATION_INTERVALS = ("judge", "other", "spearman", "spearman_low", "spearman_high", "pearson", "pearson_low",
                         "pearson_high")  # fmt: skip
NOT_KNOWN = (None, None)
NO_MEETING = "No two judgments compare the same pair of outputs, so there is no agreement to measure."
MOST_JUDGES = 40
RATING_SCALE = (0.0, 100.0)

Found = TypeVar("Found")


def known(compute: Callable[[], Sequence[Found]]) -> Sequence[Found]:
    """Compute values, or none on a StatisticsError, so that one undefined column does not remove the others."""
    try:
        return compute()
    except StatisticsError:
        return []


def agreement(study: ComparisonStudy) -> Iterator[Table]:
    """Kappa as published: between judges, of each with their own repeats and with all others, and overall."""
    chosen = study.parameters
    drawn = chosen.agreement_replicates, chosen.seed, chosen.level
    entries = entries_of(study.ballots, *units_of(study.ballots, Unit.SENTENCE))
    met, with_rest = meetings(entries), meetings_with_rest(entries)
    weightings = tuple(Weighting)
    between, rest = (intervals_of(of, weightings, *drawn) for of in (met, with_rest))
    by_weighting: dict[Weighting, list[tuple]] = {}
    for weighting, (cells, together), (of_rest, _) in zip(weightings, between, rest, strict=True):
        rows = [("intra" if one.judge == one.other else "inter", one) for one in cells]
        rows += [(REST, one) for one in of_rest]
        rows += [(f"overall {kind}", one) for kind, one in together.items()]
        by_weighting[weighting] = [
            (kind, study.judge(one.judge, EVERYBODY), THE_REST if kind == REST else study.judge(one.other, EVERYBODY),
             one)
            for kind, one in rows
        ]  # fmt: skip
    nominal = by_weighting[Weighting.NOMINAL]
    if not nominal:
        raise StatisticsError(NO_MEETING)
    yield Table.of(
        "agreement", AGREEMENT, [(*names, one.kappa, one.compared, one.is_enough) for *names, one in nominal]
    )
    yield Table.of(
        "agreement_intervals", AGREEMENT_INTERVALS,
        [(*names, one.kappa, *(one.interval or NOT_KNOWN)) for *names, one in nominal],
    )  # fmt: skip
    weighted = [
        (*names, weighting.value, one.kappa, *(one.interval or NOT_KNOWN))
        for weighting in (Weighting.LINEAR, Weighting.QUADRATIC)
        for *names, one in by_weighting[weighting]
    ]
    yield Table.of("weighted_agreement", WEIGHTED, weighted)


def agreement_at_a_glance(study: ComparisonStudy) -> Iterator[Table]:
    """Overall kappa between judges as published, without an interval, which would take long."""
    cells = [cell for cell in kappas(study.ballots) if cell.judge != cell.other]
    if not cells:
        raise StatisticsError(NO_MEETING)
    found = overall(cells)
    line = ("overall inter", EVERYBODY, EVERYBODY, found.kappa, found.compared, found.is_enough)
    yield Table.of("agreement", AGREEMENT, [line])


def correlations_of_judges(study: ComparisonStudy) -> Iterator[Table | Gap]:
    """Correlations of two judges' rankings, and of each judge's with that of all others (Table 6)."""
    found = judge_correlations(study.ballots)
    average = average_with_rest(study.ballots, found)
    rows = [(study.judge(one.judge, EVERYBODY), study.judge(one.other, THE_REST), one.spearman, one.pearson)
            for one in (*found, average)]  # fmt: skip
    yield Table.of("judge_correlations", ("judge", "other", "spearman", "pearson"), rows)
    if len(study.names.judges) > MOST_JUDGES:
        reason = f"There are more than {MOST_JUDGES} judges, so they were left out."
        yield Gap("intervals of judges' correlations", reason)
        return
    chosen = study.parameters
    bounded = judge_correlation_intervals(study.ballots, chosen.agreement_replicates, chosen.seed, chosen.level)
    rows = [
        (study.judge(one.judge, EVERYBODY), study.judge(one.other, THE_REST),
         one.spearman, *(one.spearman_interval or NOT_KNOWN), one.pearson, *(one.pearson_interval or NOT_KNOWN))
        for one in bounded
    ]  # fmt: skip
    yield Table.of("judge_correlation_intervals", CORRELATION_INTERVALS, rows)


def reliability(study: ComparisonStudy) -> Iterator[Table]:
    """Krippendorff's alpha; for ratings split halves and intraclass correlations as well."""
    chosen = study.parameters
    replicates = chosen.agreement_replicates
    answers_of, scale = (
        (answers_on_candidates, Scale.INTERVAL) if study.are_ratings else (answers_on_pairs, Scale.ORDINAL)
    )
    alpha = alpha_estimate(answers_of(study.ballots), scale, replicates, chosen.seed, chosen.level)
    rows: list[tuple] = [("alpha", scale.value, alpha.value, *alpha.interval, None)]
    if study.are_ratings:
        for half in known(lambda: split_halves(study.ballots, chosen.seed)):
            numbers = (
                ("split halves, Pearson", half.pearson), ("split halves, Spearman", half.spearman),
                ("all judgments, Pearson", half.whole_pearson), ("all judgments, Spearman", half.whole_spearman),
            )  # fmt: skip
            rows += [(name, half.level.value, value, None, None, half.compared) for name, value in numbers]
        iccs = known(lambda: icc_estimates(study.ballots, replicates, chosen.seed, chosen.level))
        for name, icc in zip(("one judgment", "mean of all judgments"), iccs, strict=False):
            rows.append(("ICC", name, icc.value, *icc.interval, None))
    yield Table.of("reliability", RELIABILITY, rows)


def judges(study: ComparisonStudy) -> Iterator[Table]:
    """A row per judge: number of judgments, time, ties, severity, consistency, and position bias."""
    own = {one.judge: one for one in known(lambda: consistencies(study.ballots))}
    bias = {one.judge: one.p_value for one in known(lambda: position_bias(study.ballots))}
    severe = {one.judge: one for one in known(lambda: severities(study.ballots))} if study.are_ratings else {}
    scale = RATING_SCALE if study.are_ratings else None
    rows: list[tuple] = []
    for habit in habits(study.ballots, scale):
        if habit.judge >= len(study.names.judges):
            continue
        repeats, severity = own.get(habit.judge), severe.get(habit.judge)
        rows.append(
            (study.judge(habit.judge, EVERYBODY), habit.ballots, habit.skipped, habit.median_seconds, habit.hasty,
             habit.ties, habit.lowest, habit.highest, severity and severity.difference,
             repeats and repeats.kappa, repeats and repeats.repeats, bias.get(habit.judge))
        )  # fmt: skip
    if ALL_JUDGES in bias:
        rows.append((EVERYBODY, *[None] * 10, bias[ALL_JUDGES]))
    columns = ("judge", "judgments", "skipped", "median_seconds", "hasty", "ties", "lowest", "highest", "severity",
               "self_kappa", "repeats", "position_p_value")  # fmt: skip
    yield Table.of("judges", columns, rows)


def left_out(study: ComparisonStudy) -> Iterator[Table]:
    """Whether the ranking moves without one judge, system or document, by the first method."""
    method = METHODS[study.parameters.methods[0]]
    if method.of_tally is None:
        raise StatisticsError(f"{method.label} needs more than counts, so nothing is left out of it.")
    prepared = method.prepare(study.ballots)
    everything = study.counted if prepared is study.ballots else None
    systems = study.names.systems
    name_of = {
        Kind.JUDGE: lambda number: study.judge(number, EVERYBODY),
        Kind.SYSTEM: systems.__getitem__,
        Kind.DOCUMENT: lambda number: number + 1,
    }
    rows = [
        (kind.value, name_of[kind](one.left_out), one.spearman, one.kendall, one.largest, systems[one.system])
        for kind in Kind
        for one in leave_out(prepared, method.of_tally, kind, everything)
    ]
    if not rows:
        raise StatisticsError("No judge, system or document can be left out.")
    yield Table.of("leave_out", ("left_out", "name", "spearman", "kendall", "largest_move", "system"), rows)


FLOOR = 5.0
ALL_JUDGES = -1
FEWEST_BALLOTS = 10
# A variance smaller than this share of the mean square is rounding noise.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Habits:
    """Habits of a judge; a share of nothing is None."""

    judge: int
    ballots: int
    skipped: int
    median_seconds: float | None
    hasty: float | None
    ties: float | None
    lowest: float | None
    highest: float | None


def habits(ballots: Ballots, scale: tuple[float, float] | None = None, floor: float = FLOOR) -> list[Habits]:
    """Return the habits of every judge with a ballot; `scale` is the lowest and the highest merit, if it has ends."""
    row_judge = ballots.judge[ballots.ballot_of]
    found = []
    for judge, counts in enumerate(count_by_judge(ballots)):
        if not counts.ballots:
            continue
        seconds = ballots.seconds[ballots.judge == judge]
        seconds = seconds[~np.isnan(seconds)]
        merit = ballots.merit[row_judge == judge]
        median = float(np.median(seconds)) if len(seconds) else None
        ties = counts.unexpanded_ties / counts.unexpanded if counts.unexpanded else None
        ends = (_share(merit <= scale[0]), _share(merit >= scale[1])) if scale else (None, None)
        hasty = _share(seconds < floor)
        found.append(Habits(judge, counts.ballots, counts.skipped, median, hasty, ties, *ends))
    return found


def _share(mask: np.ndarray) -> float | None:
    return float(mask.mean()) if len(mask) else None


@dataclass(frozen=True)
class Consistency:
    """Self-consistency of a judge; None where there are no repeats."""

    judge: int
    kappa: float | None
    compared: int
    repeat_difference: float | None
    repeats: int


def consistencies(ballots: Ballots) -> list[Consistency]:
    """For every judge who judged anything twice."""
    by_judge = {cell.judge: cell for cell in kappas_with_themselves(ballots)}
    differences, pairs = _repeats(ballots)
    found = []
    for judge in sorted({*by_judge, *np.flatnonzero(pairs).tolist()}):
        cell, number = by_judge.get(judge), int(pairs[judge])
        kappa = None if cell is None or np.isnan(cell.kappa) else float(cell.kappa)
        difference = float(differences[judge] / number) if number else None
        found.append(Consistency(judge, kappa, cell.compared if cell else 0, difference, number))
    return found


def _repeats(ballots: Ballots) -> tuple[np.ndarray, np.ndarray]:
    """By judge: the sum of the differences between all pairs of merits of one candidate, and the number of pairs."""
    judge = ballots.judge[ballots.ballot_of].astype(np.int64)
    order = np.lexsort((ballots.merit, judge, ballots.candidate))
    both = (ballots.candidate * np.int64(ballots.judges) + judge)[order]
    _, first, where, times = np.unique(both, return_index=True, return_inverse=True, return_counts=True)
    below = np.arange(len(both)) - first[where]
    above = times[where] - 1 - below
    sums = np.bincount(judge[order], weights=ballots.merit[order] * (below - above), minlength=ballots.judges)
    return sums, np.bincount(judge[order], weights=below, minlength=ballots.judges)


@dataclass(frozen=True)
class Severity:
    """How a judge differs from the others; no spread if the others do not vary."""

    judge: int
    difference: float
    spread: float | None
    compared: int


def severities(ballots: Ballots) -> list[Severity]:
    """For every judge who shares a candidate with another one."""
    judge, candidate = ballots.judge[ballots.ballot_of], ballots.candidate
    merit = ballots.merit - ballots.merit.mean() if len(ballots.merit) else ballots.merit
    _, own = np.unique(candidate * np.int64(ballots.judges) + judge, return_inverse=True)
    # Merits by all other judges for the candidate of each judgment: number, sum and sum of squares.
    number, total, squares = (
        np.bincount(candidate, weights=values)[candidate] - np.bincount(own, weights=values)[own]
        for values in (merit**power for power in range(3))
    )
    shared = number > 0
    if not shared.any():
        raise StatisticsError("No output was judged by two judges; have some sentences judged twice.")
    number = np.where(shared, number, 1)
    columns = (np.ones(len(merit)), merit, merit**2, total / number, squares / number)
    sums = [np.bincount(judge[shared], weights=column[shared], minlength=ballots.judges) for column in columns]
    judges = np.flatnonzero(sums[0])
    compared, *means = (column[judges] for column in sums)
    own_mean, own_square, mean, square = (column / compared for column in means)
    variance, expected = np.maximum(own_square - own_mean**2, 0), square - mean**2
    spread = np.full(len(judges), np.nan)
    np.sqrt(np.divide(variance, expected, out=spread, where=expected > ROUNDING * square), out=spread)
    return [
        Severity(judge, difference, None if isnan(ratio) else ratio, int(times))
        for judge, difference, ratio, times in zip(
            judges.tolist(), (own_mean - mean).tolist(), spread.tolist(), compared, strict=True
        )
    ]


class Place(NamedTuple):
    """Mean standardised merit of the candidates shown at a place, and their number."""

    mean: float
    shown: int


@dataclass(frozen=True)
class PositionBias:
    """Effect of the place on the merits of a judge, or of ALL_JUDGES, and its p-value."""

    judge: int
    places: list[Place]
    statistic: float
    degrees: int
    p_value: float


def position_bias(ballots: Ballots) -> list[PositionBias]:
    """For all judges, then for each one with enough ballots; p-values are not corrected for the number of judges."""
    standard = _standardised(ballots)
    decided = np.bincount(ballots.ballot_of[~np.isnan(standard)], minlength=len(ballots)) > 0
    if decided.sum() < FEWEST_BALLOTS:
        raise StatisticsError(
            f"Fewer than {FEWEST_BALLOTS} ballots prefer one candidate to another; bias cannot be told from chance."
        )
    place = np.arange(len(standard)) - np.repeat(ballots.starts[:-1], ballots.sizes)
    most = int(ballots.sizes.max())
    found = []
    for judge in [ALL_JUDGES, *np.unique(ballots.judge[decided]).tolist()]:
        own = decided if judge == ALL_JUDGES else decided & (ballots.judge == judge)
        if own.sum() >= FEWEST_BALLOTS:
            rows = own[ballots.ballot_of]
            sums = np.bincount(place[rows], weights=standard[rows], minlength=most)
            found.append(_tested(judge, sums, np.bincount(ballots.sizes[own], minlength=most + 1)))
    return found


def _standardised(ballots: Ballots) -> np.ndarray:
    """Each merit standardised within its ballot; NaN where a ballot gives all candidates the same merit."""
    ballot, sizes = ballots.ballot_of, np.maximum(ballots.sizes, 1)
    apart = ballots.merit - (np.bincount(ballot, weights=ballots.merit, minlength=len(ballots)) / sizes)[ballot]
    spread = np.sqrt(np.bincount(ballot, weights=apart**2, minlength=len(ballots)) / sizes)[ballot]
    highest, lowest = (np.full(len(ballots), sign * np.inf) for sign in (-1, 1))
    np.maximum.at(highest, ballot, ballots.merit)
    np.minimum.at(lowest, ballot, ballots.merit)
    return np.divide(apart, spread, out=np.full(apart.shape, np.nan), where=(highest > lowest)[ballot])


def _tested(judge: int, sums: np.ndarray, of_size: np.ndarray) -> PositionBias:
    """Test the sums at each place, given the number of ballots of each size."""
    most = len(sums)
    shown = np.array([of_size[place + 1 :].sum() for place in range(most)])
    covariance = np.zeros((most, most))
    for size in range(2, most + 1):
        block = np.full((size, size), -1 / (size - 1))
        np.fill_diagonal(block, 1)
        covariance[:size, :size] += of_size[size] * block
    statistic = float(sums @ np.linalg.pinv(covariance, hermitian=True) @ sums)
    degrees = int(np.linalg.matrix_rank(covariance, hermitian=True))
    places = [Place(float(total / times), int(times)) for total, times in zip(sums, shown, strict=True) if times]
    return PositionBias(judge, places, statistic, degrees, float(sp.special.chdtrc(degrees, statistic)))
