"""Leaving out: whether the ranking changes without one judge, one system or one document.

A scoring function computes scores from a tally: first of all ballots, then without each thing in turn. Spearman's rho
and Kendall's tau-b compare the order of the remaining systems with their order in the full ranking. The largest move is
the most ranks that a system gains or loses; equal scores share the better rank. A system that is left out is removed
from the full ranking too; others can still move, because they lose their comparisons with it.

Toy: scores 3 2 1 become 3 1 2 without a judge: rho = 1/2, tau = 1/3, and the second system loses a rank: 1.

How fragile the first place is: how few judges, sentences or judgments decide it. For each other system that can be
placed, units are removed in the order in which their removal alone brings it nearest to the leader (Broderick, Giordano
and Meager 2020; Huang et al. 2026), and scores are computed again without the first k of them. The smallest k by which
another system scores higher is reported: so few are enough, and fewer may be.

Toy: A beats B on three sentences and loses on two. Without one of the three they are even, without two B is first.
"""

from collections.abc import Callable, Iterator

import numpy as np

from ranking.numbers.correlation import kendall, spearman
from ranking.numbers.tables import StatisticsError, Table
from ranking.stats.ballots import Ballots
from ranking.stats.comparisons.study import ComparisonStudy
from ranking.stats.rankings.uncertainty import shared_ranks
from ranking.stats.resampling import Unit, units_of
from ranking.stats.tally import Tally, tallies_of_parts, tally

KINDS = JUDGE, SYSTEM, DOCUMENT = "judge", "system", "document"
LEAVE_OUT = ("left_out", "name", "spearman", "kendall", "largest_move", "system", "leader")
FRAGILITY = ("unit", "removed", "of", "winner")
UNITS = Unit.JUDGE, Unit.SENTENCE, Unit.RANKING
# Others are tried in the order of how few removals a first look predicts for them. Scores without one of more units
# than this would take longer than the rest of a report.
MOST_RIVALS, MOST_UNITS = 3, 20_000


def rankings_without(study: ComparisonStudy) -> Iterator[Table]:
    """Whether the ranking moves without one judge, system or document, by the first method."""
    method, systems = study.methods[0], study.names.systems
    if method.of_tally is None:
        raise StatisticsError(f"{method.label} needs more than counts, so nothing is left out of it.")
    prepared = method.prepare(study.ballots)
    everything = study.counted if prepared is study.ballots else tally(prepared)
    name_of: dict[str, Callable[[int], object]] = {
        JUDGE: lambda number: study.judge(number, ""), SYSTEM: systems.__getitem__, DOCUMENT: lambda number: number + 1,
    }  # fmt: skip
    rows = [
        (kind, name_of[kind](one), *cells, systems[system], systems[leader])
        for kind in KINDS
        for one, *cells, system, leader in leave_out(prepared, method.of_tally, kind, everything)
    ]
    if not rows:
        raise StatisticsError(
            "No judge, system or document can be left out: there is only one of each, or nothing to order is left."
        )
    yield Table.of("leave_out", LEAVE_OUT, rows)


def leave_out(
    ballots: Ballots, scoring: Callable[[Tally], np.ndarray], kind: str, everything: Tally
) -> Iterator[tuple[int, float, float, int, int, int]]:
    """Rank without each judge, document or system, where the rest can be ranked; `everything` tallies all ballots.

    What is left out, rho, tau, the most ranks that a system loses, or gains if below 0, this system, and the first one.
    """
    full, every = scoring(everything), np.arange(ballots.systems)
    if kind == SYSTEM:  # comparisons of two systems do not depend on a third
        pairs, sums = (everything.wins, everything.ties, everything.shared), (everything.merits, everything.shown)
        rest = (
            (system, Tally(*(np.delete(np.delete(each, system, 0), system, 1) for each in pairs),
                           *(np.delete(each, system) for each in sums)))
            for system in range(ballots.systems)
        )  # fmt: skip
    else:
        owner = ballots.judge if kind == JUDGE else ballots.document_of[ballots.segment]
        present, part = np.unique(owner, return_inverse=True)
        rest = (
            (int(present[first + number]), everything - counted[number])
            for first, counted in (tallies_of_parts(ballots, part, len(present)) if len(present) > 1 else ())
            for number in range(len(counted.wins))
        )
    for number, counted in rest:
        others = np.delete(every, number) if kind == SYSTEM else every
        try:
            after = scoring(counted)
        except StatisticsError:
            continue
        known = ~np.isnan(full[others]) & ~np.isnan(after)
        before, after, others = full[others][known], after[known], others[known]
        if len(others) > 1 and np.ptp(before) and np.ptp(after):
            moved = np.subtract(shared_ranks(after), shared_ranks(before))
            most = int(np.abs(moved).argmax())
            rho, tau = float(spearman(before, after)), float(kendall(before, after))
            # Of several with the highest score, the one that is first in the full ranking.
            leader = int(others[np.lexsort((-before, -after))[0]])
            yield number, rho, tau, int(moved[most]), int(others[most]), leader


def fragility(study: ComparisonStudy) -> Iterator[Table]:
    """How many units are enough to change the winner by the first method."""
    method, systems = study.methods[0], study.names.systems
    study.check(method)
    if method.of_tally is None:
        raise StatisticsError(f"{method.label} needs more than counts, so nothing is left out of it.")
    scoring, ballots = method.of_tally, method.prepare(study.ballots)
    everything = tally(ballots)
    scores = scoring(everything)
    order = np.argsort(-scores, kind="stable").tolist()
    leader, *others = (system for system in order if study.placed[system]) if study.placed[order[0]] else [order[0]]
    if not others or scores[leader] == scores[others[0]]:
        return  # nobody has the first place alone, or none who can be placed
    rows = []
    for unit in UNITS:
        try:
            part, parts = units_of(ballots, unit)
        except StatisticsError:  # there is only one
            continue
        if parts > MOST_UNITS:
            continue
        without = np.concatenate([scoring(everything - block) for _, block in tallies_of_parts(ballots, part, parts)])
        nearer = (without - without[:, [leader]]) - (scores - scores[leader])
        orders = {other: np.argsort(-np.nan_to_num(nearer[:, other], nan=-np.inf), kind="stable") for other in others}
        predicted = {
            other: int(np.searchsorted(np.cumsum(nearer[order, other]), scores[leader] - scores[other]))
            for other, order in orders.items()
        }
        fewest, winner = parts, None
        for other in sorted(others, key=predicted.__getitem__)[:MOST_RIVALS]:
            place = np.empty(parts, dtype=np.int64)
            place[orders[other]] = np.arange(parts)
            # As far as each removal still brings it nearer, more of them do not make it worse.
            low, high = 0, min(fewest, int((nearer[:, other] > 0).sum()) + 1, parts - 1)
            while high - low > 1:
                middle = (low + high) // 2
                gone = tally(ballots.choose(place[part] < middle))
                overtaken = _is_better(other, leader, scoring, everything - gone)
                low, high = (low, middle) if overtaken else (middle, high)
            gone = tally(ballots.choose(place[part] < high))
            if high < fewest and _is_better(other, leader, scoring, everything - gone):
                fewest, winner = high, other
        rows.append((unit.value, fewest if winner is not None else None, parts,
                     systems[winner] if winner is not None else None))  # fmt: skip
    if rows:
        yield Table.of("fragility", FRAGILITY, rows)


def _is_better(one: int, other: int, scoring: Callable[[Tally], np.ndarray], left: Tally) -> bool:
    try:
        scores = scoring(left)
    except StatisticsError:  # too little is left to rank anything
        return False
    return bool(scores[one] > scores[other])
