"""Sections on judges: their agreement with each other and themselves, and characteristics of each judge."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.agreement.alpha import alpha_estimate, answers_on_candidates, answers_on_pairs
from ranking.stats.agreement.judge_correlations import (
    average_with_rest,
    judge_correlation_intervals,
    judge_correlations,
)
from ranking.stats.agreement.kappa import Weighting, kappas, overall
from ranking.stats.agreement.kappa_intervals import Bounded, intervals_of, rest_intervals_of
from ranking.stats.agreement.meetings import Meetings, entries_of, meetings, meetings_with_rest
from ranking.stats.agreement.reliability import icc_estimates, split_halves
from ranking.stats.answers import Scale
from ranking.stats.comparisons.study import ComparisonStudy
from ranking.stats.judges import ALL_JUDGES, consistencies, habits, position_bias, severities
from ranking.stats.rankings.leave_out import Kind, leave_out
from ranking.stats.rankings.methods import METHODS
from ranking.stats.resampling import Unit, units_of

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
    entries = entries_of(study.ballots, *units_of(study.ballots, Unit.SENTENCE))
    with_rest = meetings_with_rest(entries)
    by_weighting = _kappas(study, meetings(entries), with_rest)
    nominal = by_weighting[Weighting.NOMINAL]
    if not nominal:
        raise StatisticsError(NO_MEETING)
    rows = [(*_names(study, kind, one), one.agreement.kappa) for kind, one in nominal]
    compared = [(one.agreement.compared, one.agreement.is_enough) for _, one in nominal]
    intervals = [one.interval or NOT_KNOWN for _, one in nominal]
    yield Table.of("agreement", AGREEMENT, [(*row, *more) for row, more in zip(rows, compared, strict=True)])
    yield Table.of("agreement_intervals", AGREEMENT_INTERVALS, [(*r, *i) for r, i in zip(rows, intervals, strict=True)])
    weighted = [
        (*_names(study, kind, one), weighting.value, one.agreement.kappa, *(one.interval or NOT_KNOWN))
        for weighting in (Weighting.LINEAR, Weighting.QUADRATIC)
        for kind, one in by_weighting[weighting]
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


def _names(study: ComparisonStudy, kind: str, one: Bounded) -> tuple[str, str, str]:
    other = THE_REST if kind == REST else study.judge(one.agreement.other, EVERYBODY)
    return kind, study.judge(one.agreement.judge, EVERYBODY), other


def _kappas(study: ComparisonStudy, met: Meetings, with_rest: Meetings) -> dict[Weighting, list[tuple[str, Bounded]]]:
    """List every kappa by kind: of two judges, of each with their own repeats, of each with all others, and overall."""
    chosen = study.parameters
    settings = (chosen.agreement_replicates, chosen.seed, chosen.level, tuple(Weighting))
    rest = known(lambda: rest_intervals_of(with_rest, *settings)) or [[] for _ in Weighting]
    by_weighting = {}
    for weighting, found, of_rest in zip(Weighting, intervals_of(met, *settings), rest, strict=True):
        kinds = ("intra" if one.agreement.judge == one.agreement.other else "inter" for one in found.cells)
        by_weighting[weighting] = [
            *zip(kinds, found.cells, strict=True),
            *((REST, one) for one in of_rest),
            *((f"overall {kind}", one) for kind, one in (("inter", found.inter), ("intra", found.intra)) if one),
        ]
    return by_weighting


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
