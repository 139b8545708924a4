"""How fragile the first place is: how few judges, sentences or judgments decide it.

For each other system that can be placed, units are removed in the order in which their removal alone brings it nearest
to the leader (Broderick, Giordano and Meager 2020; Huang et al. 2026), and scores are computed again without the first
k of them. The smallest k by which another system scores higher is reported: so few are enough, and fewer may be.

Toy: A beats B on three sentences and loses on two. Without one of the three they are even, without two B is first.
"""

from collections.abc import Callable, Iterator

import numpy as np

from ranking.numbers.tables import StatisticsError, Table
from ranking.stats.comparisons.study import ComparisonStudy
from ranking.stats.resampling import Unit, units_of
from ranking.stats.tally import Tally, tallies_of_parts, tally

COLUMNS = ("unit", "removed", "of", "winner")
UNITS = Unit.JUDGE, Unit.SENTENCE, Unit.RANKING
# Others are tried in the order of how few removals a first look predicts for them. Scores without one of more units
# than this would take longer than the rest of a report.
MOST_RIVALS, MOST_UNITS = 3, 20_000


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
        yield Table.of("fragility", COLUMNS, rows)


def _is_better(one: int, other: int, scoring: Callable[[Tally], np.ndarray], left: Tally) -> bool:
    try:
        scores = scoring(left)
    except StatisticsError:  # too little is left to rank anything
        return False
    return bool(scores[one] > scores[other])
