"""The reliability of judges: against gold, against the majority of the others, against themselves.

Gold answers exist for controls and some other usages; unknown is not right. Agreement with the others covers a
judge's verdicts other than unknown, on usages where the rest of the crowd has a majority; kappa is Cohen's. A repeat
agrees with the first verdict if both are the same of the three answers.

Toy: a judge answers error, OK where gold is error, error, and the majority of the others error, OK: right 1 of 2,
agreeing 2 of 2, kappa 1.

How many judgments are enough: `agreement_by_number` is the agreement of the majority of n judges with an authority. For
each n, n verdicts of each usage are drawn many times, and their majority is compared with the authority: the
majority of experts, each expert (averaged over experts, as in Madnani et al. 2011, section 3), or gold. Agreement and
kappa are means over the draws, with the ranges of the draws. If a majority of an even n splits, half of the usage
agrees. n stops where fewer than half of the usages have n verdicts, so that a few usages never represent all.

Toy: two verdicts error, OK on a usage that experts call an error: a majority of 1 agrees half of the time, and so
does one of 2.

The authority is the experts, judges marked as such, whose verdicts are not part of the crowd. If there are none, or
none decided on a usage that the crowd judged, gold of ordinary usages replaces them; controls do not count.

Toy: experts answer error, error, OK: their majority is error; a crowd that finds an error agrees with 2/3 of them.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ranking.numbers.intervals import LEVEL, Interval, interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.agreement.kappa import beyond_chance, kappa
from ranking.stats.resampling import generator, ratio
from ranking.stats.verdicts.crowd import ERROR, OK, UNKNOWN, Crowd, Verdicts, crowd_of


class Reliability(NamedTuple):
    """A judge's verdicts: all, unknown ones, those on gold and how many are right, those the others agree with."""

    judge: int
    verdicts: int
    unknown: int
    gold: int
    right: int
    with_others: int
    agreeing: int
    kappa: float | None


def reliability(verdicts: Verdicts, gold: np.ndarray, crowd: Crowd, is_in_crowd: np.ndarray) -> list[Reliability]:
    """One line for each judge; the others are the crowd without the verdict itself, if it is part of the crowd."""
    decided, found, usage = verdicts.finding != UNKNOWN, verdicts.finding, verdicts.usage
    is_gold = np.isfinite(gold[usage])
    is_right = is_gold & (found == gold[usage])
    errors = crowd.errors[usage] - (is_in_crowd & (found == ERROR))
    fine = crowd.fine[usage] - (is_in_crowd & (found == OK))
    has_others = decided & (errors != fine)
    others = errors > fine
    agrees = has_others & (found == others)
    columns = [np.ones(len(verdicts)), ~decided, is_gold, is_right, has_others, agrees]
    sums = [np.bincount(verdicts.judge, weights=column, minlength=verdicts.judges).astype(int) for column in columns]
    kappas = _kappas(verdicts.choose(has_others), others[has_others])
    return [
        Reliability._make((judge, *counts, kappas.get(judge)))
        for judge, counts in enumerate(zip(*(column.tolist() for column in sums), strict=True))
    ]


def by_judge(judge: np.ndarray, values: np.ndarray) -> dict[int, np.ndarray]:
    """Return the values (rows) of each judge who has any."""
    order = np.argsort(judge, kind="stable")
    judges, starts = np.unique(judge[order], return_index=True)
    return dict(zip(judges.tolist(), np.split(values[order], starts[1:])[: len(judges)], strict=True))


def _kappas(compared: Verdicts, others: np.ndarray) -> dict[int, float | None]:
    pairs = np.stack([compared.finding, others], axis=1).astype(float)
    return {judge: kappa(*both.T) for judge, both in by_judge(compared.judge, pairs).items()}


def repeats_of(verdicts: Verdicts, is_repeat: np.ndarray) -> list[tuple[int, int]]:
    """How often each judge saw the same screen again, and how often with the same verdict."""
    first = verdicts.choose(~is_repeat)
    key = verdicts.judge * verdicts.usages + verdicts.usage
    before, at = np.unique(key[~is_repeat], return_index=True)
    place = np.searchsorted(before, key[is_repeat])
    known = (place < len(before)) & (before[np.minimum(place, len(before) - 1)] == key[is_repeat])
    again = verdicts.choose(is_repeat).choose(known)
    same = again.finding == first.finding[at[place[known]]]
    repeats = np.bincount(again.judge, minlength=verdicts.judges)
    agreeing = np.bincount(again.judge, weights=same, minlength=verdicts.judges)
    return list(zip(repeats.tolist(), agreeing.astype(int).tolist(), strict=True))


DRAWS = 100


class Enough(NamedTuple):
    """Majority of a number of judges: its agreement and kappa with the authority, and the number of usages."""

    judges: int
    agreement: float
    agreement_range: Interval
    kappa: float | None
    kappa_range: Interval | None
    usages: int


def agreement_by_number(
    crowd: Verdicts, rights: np.ndarray, most: int, seed: int, draws: int = DRAWS, level: float = LEVEL
) -> Iterator[Enough]:
    """For n from 1 to `most`, over the usages with n verdicts of the crowd and known to the authority (`rights`)."""
    decided = crowd.choose(crowd.finding != UNKNOWN)
    many = np.bincount(decided.usage, minlength=decided.usages)
    usable = np.flatnonzero((many > 0) & np.isfinite(rights).any(axis=0))
    if not len(usable):
        raise StatisticsError("No usage that the crowd judged has a verdict of an expert or gold.")
    highest = min(most, int(np.sort(many[usable])[len(usable) // 2]))
    enough = many[usable, None] >= np.arange(1, highest + 1)
    known = np.isfinite(rights[:, usable])
    right = np.where(known, rights[:, usable], 0.0)
    drawn = _drawn(decided, usable, highest, seed, draws)
    found = np.array([_compared(errors, enough, known, right) for errors in drawn])
    for place in range(highest):
        agreement, kappa = found[:, 0, place], found[:, 1, place]
        is_known = bool(np.isfinite(kappa).any())
        yield Enough(
            place + 1,
            float(agreement.mean()),
            interval_of(agreement, level),
            float(np.nanmean(kappa)) if is_known else None,
            interval_of(kappa, level) if is_known else None,
            int(enough[:, place].sum()),
        )


def _drawn(decided: Verdicts, usable: np.ndarray, highest: int, seed: int, draws: int) -> Iterator[np.ndarray]:
    """For each draw the number of errors among the first n verdicts of each usage in a random order."""
    place = np.full(decided.usages, -1)
    place[usable] = np.arange(len(usable))
    row = place[decided.usage]
    together = np.argsort(row, kind="stable")[(row < 0).sum() :]
    row, is_error = row[together], decided.finding[together] == ERROR
    # The random order below keeps the rows of a usage together.
    number = np.arange(len(row)) - np.searchsorted(row, row)
    first = number < highest
    for draw in range(draws):
        order = np.argsort(row + generator(seed, draw).random(len(row)))
        errors = np.zeros((len(usable), highest))
        errors[row[first], number[first]] = is_error[order][first]
        yield errors.cumsum(axis=1)


def _compared(errors: np.ndarray, enough: np.ndarray, known: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Agreement and kappa by n, averaged over authorities."""
    numbers = np.arange(1, errors.shape[1] + 1)
    share = np.where(2 * errors == numbers, 0.5, (2 * errors > numbers).astype(float)) * enough
    several = known.astype(float) @ enough
    agreeing = right @ share + (known - right) @ (enough - share)
    with np.errstate(invalid="ignore", divide="ignore"):
        observed, ours, theirs = agreeing / several, known.astype(float) @ share / several, right @ enough / several
    return np.array([_mean(observed), _mean(beyond_chance(observed, ours, theirs))])


def _mean(rows: np.ndarray) -> np.ndarray:
    known = np.isfinite(rows)
    return ratio(np.where(known, rows, 0.0).sum(axis=0), known.sum(axis=0))


BY_MAJORITY, BY_EACH, BY_GOLD = "majority of experts", "each expert", "gold"


class Pair(NamedTuple):
    """Two experts on the usages that both decided; `kappa` is None if chance explains everything."""

    one: int
    other: int
    usages: int
    agreement: float
    kappa: float | None


def authority(experts: Verdicts, gold: np.ndarray, crowd: Crowd, each: bool) -> tuple[str, np.ndarray]:
    """Name the experts, or gold for usages that the crowd judged, with a row for each standard of comparison."""
    rows = _rows(experts)[1] if each else crowd_of(experts).majority[None]
    if (np.isfinite(rows) & crowd.known).any():
        return BY_EACH if each else BY_MAJORITY, rows
    if (np.isfinite(gold) & crowd.known).any():
        return BY_GOLD, gold[None]
    raise StatisticsError(
        "No usage that the crowd judged has a verdict of an expert or gold. Mark some judges as experts, or upload "
        "usages with gold, then request the report again."
    )


def pairs_of_experts(experts: Verdicts) -> list[Pair]:
    judges, rows = _rows(experts)
    found = []
    for one, other in combinations(range(len(judges)), 2):
        known = np.isfinite(rows[one]) & np.isfinite(rows[other])
        if known.any():
            left, right = rows[one][known], rows[other][known]
            agreement = float((left == right).mean())
            found.append(Pair(int(judges[one]), int(judges[other]), int(known.sum()), agreement, kappa(left, right)))
    return found


def _rows(verdicts: Verdicts) -> tuple[np.ndarray, np.ndarray]:
    """Judges with a verdict other than unknown, and a row of findings for each; the last one on a usage counts."""
    decided = verdicts.choose(verdicts.finding != UNKNOWN)
    judges, row = np.unique(decided.judge, return_inverse=True)
    rows = np.full((len(judges), decided.usages), np.nan)
    rows[row, decided.usage] = decided.finding
    return judges, rows
