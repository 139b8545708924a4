"""The human ceiling: how well one half of people's judgments ranks the systems as the other half does.

A metric can hardly agree better with people than they do with each other. Ballots are split at random into halves, each
half ranks the systems, and the two rankings are correlated; the result is the mean over splits.

JUDGMENTS assigns the ballots of each sentence to the halves alternately, with a random start; JUDGES splits the judges.
Automatic ties, which nobody judged, are in both halves.

Halves have fewer judgments than the whole, so they agree less: the number is below the ceiling for correlations with
all judgments. It is not extrapolated (Spearman and Brown), as halves share sentences and systems.

Napoles et al. (2019, Table 8) call this Human: halves of 4 of 8 ratings, 100 splits.

Toy: two judges with the same ranking of four systems are two halves with a correlation of 1.
"""

from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum

import numpy as np

from ranking.numbers.tables import StatisticsError
from ranking.stats.ballots import Ballots
from ranking.stats.metaevaluation.correlations import RECOMMENDED, Coefficient, CorrelationChoices, correlate
from ranking.stats.resampling import generator

SPLITS = 100
# With more judgments than this a few splits are as good as many, and each takes a second.
MANY_JUDGMENTS, FEW_SPLITS = 100_000, 10


class Halves(StrEnum):
    JUDGMENTS = "judgments"
    JUDGES = "judges"


def splits_of(judgments: int) -> int:
    return SPLITS if judgments <= MANY_JUDGMENTS else FEW_SPLITS


def ceiling(
    ballots: Ballots, people: int, scoring: Callable[[Ballots], np.ndarray], halves: Halves, seed: int,
    splits: int = SPLITS, choices: CorrelationChoices = RECOMMENDED,
) -> list[tuple[Coefficient, float, int]]:  # fmt: skip
    """Each coefficient, its value and how many splits gave it; judges from number `people` on are automatic ties."""
    segment, by_people = ballots.segment, ballots.judge < people
    if len(np.unique(ballots.judge[by_people])) < 2 and halves is Halves.JUDGES:
        raise StatisticsError("There is only one judge, so judges cannot be split; have another one judge.")
    known = []
    for number in range(splits):
        random = generator(seed, number)
        if halves is Halves.JUDGES:
            # If the number of judges is odd, the first half has one fewer.
            judges = random.permutation(np.unique(ballots.judge[by_people]))
            in_first = np.isin(ballots.judge, judges[: len(judges) // 2])
        else:
            # Alternate within each sentence in random order, starting with a random half.
            order = np.lexsort((random.random(len(segment)), segment, ~by_people))
            begins = np.ones(len(order), dtype=bool)
            begins[1:] = (np.diff(segment[order]) != 0) | (by_people[order][1:] != by_people[order][:-1])
            part = np.cumsum(begins) - 1
            place = np.arange(len(order)) - np.flatnonzero(begins)[part]
            in_first = np.empty(len(order), dtype=bool)
            in_first[order] = (place + random.integers(0, 2, int(begins.sum()))[part]) % 2 == 0
        with suppress(StatisticsError):
            known.append([scoring(ballots.choose(half | ~by_people)) for half in (in_first, ~in_first)])
    if not known:
        raise StatisticsError("No half of the judgments is enough to rank all systems; collect more judgments.")
    one, other = np.array(known).swapaxes(0, 1)
    found = []
    for coefficient in Coefficient:
        values = correlate(one, other, coefficient, choices)
        values = values[~np.isnan(values)]
        if len(values):
            found.append((coefficient, float(values.mean()), len(values)))
    return found
