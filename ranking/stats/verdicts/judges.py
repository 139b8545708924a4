"""How far single judges can be relied on: against gold, against the majority of the others, against themselves.

Gold is what is known to be right, on controls and elsewhere; who cannot tell is not right. Against the others count a
judge's verdicts that tell, on instances of which the others of the crowd have a majority; kappa is Cohen's, of these
two. A repeat agrees with the first verdict where both say the same of the three.

Toy: a judge says error, OK where gold says error, error, and the majority of the others error, OK: right 1 of 2,
agreeing 2 of 2, kappa 1.

How many judgments are enough: agreement of the majority of n judges with an authority, as n grows.

For each n so many verdicts are drawn of each instance, again and again, and their majority is held against what the
authority found: the majority of experts, each expert in turn (then the mean over experts is told, as in Madnani et al.
2011, section 3), or gold. Agreement and kappa are means over the draws, and their ranges are those of the draws.
Majorities of an even n can split; then half of the instance agrees, as a coin would. n ends where fewer than half of
the instances have so many verdicts: what few instances say would be taken for what many judges say.

Toy: two verdicts error, OK on an instance that experts call an error: a majority of 1 agrees half of the time, and one
of 2 too.

What the majority of the crowd is held against: experts, or gold where there are none.

Experts are judges who are marked so; their verdicts are apart from the crowd's. Where nobody is, or where no expert has
told of anything that the crowd judged, gold that is known of ordinary instances stands for them; controls are no
ordinary instances.

Toy: experts say error, error, OK of an instance: their majority is an error, and held against each of them a crowd that
says error agrees in 2/3.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ranking.numbers.intervals import LEVEL, Interval, interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.agreement.kappa import beyond_chance, kappa
from ranking.stats.resampling import generator
from ranking.stats.verdicts.crowd import ERROR, OK, UNKNOWN, Crowd, Verdicts, crowd_of


class Reliability(NamedTuple):
    """A judge's verdicts: how many, how many unknown, right ones of those on gold, agreeing ones of others'."""

    judge: int
    verdicts: int
    unknown: int
    gold: int
    right: int
    with_others: int
    agreeing: int
    kappa: float | None

    @property
    def share_right(self) -> float | None:
        """Of the verdicts on gold."""
        return self.right / self.gold if self.gold else None

    @property
    def share_agreeing(self) -> float | None:
        """Of the verdicts on instances of which the others have a majority."""
        return self.agreeing / self.with_others if self.with_others else None


class Repeats(NamedTuple):
    """How often a judge saw the same screen again, and said the same."""

    repeats: int
    same: int


def reliability(verdicts: Verdicts, gold: np.ndarray, crowd: Crowd, is_in_crowd: np.ndarray) -> list[Reliability]:
    """A line a judge; gold holds 1, 0, or NaN where nothing is known.

    The others are the crowd; a verdict that is part of it (`is_in_crowd`) is taken out of it first.
    """
    told, found, instance = verdicts.finding != UNKNOWN, verdicts.finding, verdicts.instance
    is_gold = np.isfinite(gold[instance])
    is_right = is_gold & (found == gold[instance])
    errors = crowd.errors[instance] - (is_in_crowd & (found == ERROR))
    fine = crowd.fine[instance] - (is_in_crowd & (found == OK))
    has_others = told & (errors != fine)
    others = errors > fine
    agrees = has_others & (found == others)
    columns = [np.ones(len(verdicts)), ~told, is_gold, is_right, has_others, agrees]
    sums = [np.bincount(verdicts.judge, weights=column, minlength=verdicts.judges).astype(int) for column in columns]
    kappas = _kappas(verdicts.choose(has_others), others[has_others])
    return [
        Reliability._make((judge, *counts, kappas.get(judge)))
        for judge, counts in enumerate(zip(*(column.tolist() for column in sums), strict=True))
    ]


def by_judge(judge: np.ndarray, values: np.ndarray) -> dict[int, np.ndarray]:
    """The values (rows) of each judge who has any."""
    order = np.argsort(judge, kind="stable")
    judges, starts = np.unique(judge[order], return_index=True)
    return dict(zip(judges.tolist(), np.split(values[order], starts[1:])[: len(judges)], strict=True))


def _kappas(compared: Verdicts, others: np.ndarray) -> dict[int, float | None]:
    pairs = np.stack([compared.finding, others], axis=1).astype(float)
    return {judge: kappa(*both.T) for judge, both in by_judge(compared.judge, pairs).items()}


def repeats_of(said: Verdicts, is_repeat: np.ndarray) -> list[Repeats]:
    """A line a judge."""
    first = said.choose(~is_repeat)
    key = said.judge * said.instances + said.instance
    before, at = np.unique(key[~is_repeat], return_index=True)
    place = np.searchsorted(before, key[is_repeat])
    known = (place < len(before)) & (before[np.minimum(place, len(before) - 1)] == key[is_repeat])
    again = said.choose(is_repeat).choose(known)
    same = again.finding == first.finding[at[place[known]]]
    repeats = np.bincount(again.judge, minlength=said.judges)
    agreeing = np.bincount(again.judge, weights=same, minlength=said.judges)
    return [Repeats(int(all_), int(same)) for all_, same in zip(repeats, agreeing, strict=True)]


DRAWS = 100


class Enough(NamedTuple):
    """A majority of so many judges: its agreement and kappa with the authority, on so many instances."""

    judges: int
    agreement: float
    agreement_range: Interval
    kappa: float | None
    kappa_range: Interval | None
    instances: int


def agreement_by_number(
    crowd: Verdicts, rights: np.ndarray, most: int, seed: int, draws: int = DRAWS, level: float = LEVEL
) -> Iterator[Enough]:
    """For n from 1 to the most, over the instances that have n verdicts of the crowd and are known to the authority.

    `rights` has a row for whoever is an authority: 1, 0, or NaN where nothing is known.
    """
    told = crowd.choose(crowd.finding != UNKNOWN)
    many = np.bincount(told.instance, minlength=told.instances)
    usable = np.flatnonzero((many > 0) & np.isfinite(rights).any(axis=0))
    if not len(usable):
        raise StatisticsError("Nothing that the crowd judged is known to experts or by gold.")
    highest = min(most, int(np.sort(many[usable])[len(usable) // 2]))
    enough = many[usable, None] >= np.arange(1, highest + 1)
    known = np.isfinite(rights[:, usable])
    right = np.where(known, rights[:, usable], 0.0)
    found = np.array([
        _held(errors, enough, known, right) for errors in _drawn(told, usable, highest, seed, draws)
    ])  # fmt: skip
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


def _drawn(told: Verdicts, usable: np.ndarray, highest: int, seed: int, draws: int) -> Iterator[np.ndarray]:
    """For each draw the number of errors among the first n verdicts of each instance in an order by chance."""
    place = np.full(told.instances, -1)
    place[usable] = np.arange(len(usable))
    row, is_error = place[told.instance], told.finding == ERROR
    row, is_error = row[row >= 0], is_error[row >= 0]
    together = np.argsort(row, kind="stable")
    row, is_error = row[together], is_error[together]
    # Rows of an instance stay where they are as a whole, whatever their order.
    number = np.arange(len(row)) - np.searchsorted(row, row)
    first = number < highest
    for draw in range(draws):
        order = np.argsort(row + generator(seed, draw).random(len(row)))
        errors = np.zeros((len(usable), highest))
        errors[row[first], number[first]] = is_error[order][first]
        yield errors.cumsum(axis=1)


def _held(errors: np.ndarray, enough: np.ndarray, known: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Agreement and kappa by n, the means over authorities."""
    numbers = np.arange(1, errors.shape[1] + 1)
    share = np.where(2 * errors == numbers, 0.5, (2 * errors > numbers).astype(float)) * enough
    several = known.astype(float) @ enough
    agreeing = right @ share + (known - right) @ (enough - share)
    with np.errstate(invalid="ignore", divide="ignore"):
        observed, ours, theirs = agreeing / several, known.astype(float) @ share / several, right @ enough / several
    return np.array([_mean(observed), _mean(beyond_chance(observed, ours, theirs))])


def _mean(rows: np.ndarray) -> np.ndarray:
    """The mean of what is known in each column."""
    known = np.isfinite(rows)
    sums = np.where(known, rows, 0.0).sum(axis=0)
    return np.divide(sums, known.sum(axis=0), out=np.full(sums.shape, np.nan), where=known.any(axis=0))


BY_MAJORITY, BY_EACH, BY_GOLD = "majority of experts", "each expert", "gold"


class Authority(NamedTuple):
    """What it is called, and a row for each that is held against: 1, 0, or NaN where nothing is known."""

    name: str
    rights: np.ndarray


class Pair(NamedTuple):
    """Two experts on what both told of; `kappa` is None where chance explains all."""

    one: int
    other: int
    instances: int
    agreement: float
    kappa: float | None


def authority(experts: Verdicts, gold: np.ndarray, crowd: Crowd, each: bool) -> Authority:
    """Experts, or gold of what the crowd judged."""
    rows = _rows(experts)[1] if each else crowd_of(experts).majority[None]
    if (np.isfinite(rows) & crowd.known).any():
        return Authority(BY_EACH if each else BY_MAJORITY, rows)
    if (np.isfinite(gold) & crowd.known).any():
        return Authority(BY_GOLD, gold[None])
    raise StatisticsError(
        "Neither experts nor gold say anything of what the crowd judged. Mark some judges as experts, or upload "
        "instances with gold, then make the report again."
    )


def pairs_of_experts(experts: Verdicts) -> list[Pair]:
    """Every two experts who told of the same."""
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
    """Judges who told of anything, and a row of what each told; the last of several on one instance counts."""
    told = verdicts.choose(verdicts.finding != UNKNOWN)
    judges, row = np.unique(told.judge, return_inverse=True)
    rows = np.full((len(judges), told.instances), np.nan)
    rows[row.reshape(-1), told.instance] = told.finding
    return judges, rows
