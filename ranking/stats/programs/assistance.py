"""What showing judges a program's answers did: time saved, and how far people were drawn towards it.

By chance, some screens showed what the program said and the others did not, so a difference between the two is what
showing it caused. Time is the geometric mean, the ratio of which is below 1 where time was saved; agreement with the
program is the share of pairs of versions in the same order, or of the same verdicts. Both come in sentences.

Toy: 60 and 40 s with the program in view and 80 and 50 s without it are 49 and 63.2 s, a ratio of .77. If people agree
with it on 9 of 10 answers in view and on 7 of 10 otherwise, they were drawn towards it by .2, whether it was right or
not.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ranking.numbers.intervals import Interval
from ranking.numbers.tables import Table
from ranking.stats.programs.shares import SHARE, Share, share

COLUMNS = ("measure", "shown", "hidden", "effect", "effect_low", "effect_high", "judgments_shown", "judgments_hidden")
ANY = Interval(-np.inf, np.inf)


class Experiment(NamedTuple):
    """A row for each judgment of a person: the sentence or usage, numbered from 0, whether the program was in view,
    seconds (NaN if unknown), how many answers the program gave too, and how many of them are the same.
    """

    sentence: np.ndarray
    is_shown: np.ndarray
    seconds: np.ndarray
    answers: np.ndarray
    same: np.ndarray


NO_EXPERIMENT = Experiment(*(np.empty(0, dtype=kind) for kind in (np.int64, bool, float, np.int64, float)))


def effects(given: Experiment, level: float) -> Iterator[Table]:
    if not len(given.sentence):
        return
    logs, timed = np.log(np.where(given.seconds > 0, given.seconds, 1)), (given.seconds > 0).astype(float)
    rows = []
    shown, hidden = _arms(given, logs, timed, ANY)
    if shown.answers and hidden.answers:
        effect = [None if cell is None else float(np.exp(cell)) for cell in _less(shown, hidden).cells(level)]
        rows.append(("seconds", float(np.exp(shown.value)), float(np.exp(hidden.value)), *effect))
    shown, hidden = _arms(given, given.same, given.answers.astype(float), SHARE)
    if shown.answers and hidden.answers:
        rows.append(("agreement", shown.value, hidden.value, *(shown - hidden).cells(level)))
    counts = int(given.is_shown.sum()), int((~given.is_shown).sum())
    if rows:
        yield Table.of("program_assistance", COLUMNS, [(*row, *counts) for row in rows])


def _arms(given: Experiment, part: np.ndarray, whole: np.ndarray, ends: Interval) -> list[Share]:
    """The same share with the program in view, and without it."""
    sentences = int(given.sentence.max()) + 1

    def summed(of: np.ndarray, arm: np.ndarray) -> np.ndarray:
        return np.bincount(given.sentence[arm], of[arm], sentences)

    return [share(summed(part, arm), summed(whole, arm), ends) for arm in (given.is_shown, ~given.is_shown)]


def _less(one: Share, other: Share) -> Share:
    apart = one - other
    return Share(apart.value, apart.influences, apart.counts, apart.answers, ANY)
