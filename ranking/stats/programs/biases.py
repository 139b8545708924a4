"""Habits of a program that should not matter, beside those of people on the same sentences.

Position: of the comparisons with a winner, the share that the version wins which was shown earlier; 1/2 if orders are
random and do not matter. Length: the share that the longer version wins, versions of one length left out; people
prefer a length too, so look at the difference.

Repeats and probes ask the program again. Further samples and the opposite order should bring the same order of two
versions (`consistency`), and one version shown twice should tie.

Toy: a program prefers what is shown first on 9 of 10 ballots of two versions: .9.
"""

import numpy as np

from ranking.stats.ballots import Ballots
from ranking.stats.programs.given import Given, shown_pairs
from ranking.stats.programs.shares import Share, share


def earlier_wins(ballots: Ballots) -> Share:
    earlier, later = shown_pairs(ballots)
    apart = ballots.merit[earlier] - ballots.merit[later]
    return _share(ballots, earlier, apart > 0, apart != 0)


def longer_wins(ballots: Ballots, lengths: np.ndarray) -> Share:
    """`lengths` has the length of each candidate."""
    earlier, later = shown_pairs(ballots)
    apart = ballots.merit[earlier] - ballots.merit[later]
    longer = np.sign(lengths[ballots.candidate[earlier]] - lengths[ballots.candidate[later]])
    return _share(ballots, earlier, apart * longer > 0, apart * longer != 0)


def tied(ballots: Ballots) -> Share:
    """On ballots that show one text twice, the share of ties."""
    earlier, later = shown_pairs(ballots)
    return _share(ballots, earlier, ballots.merit[earlier] == ballots.merit[later], np.ones(len(earlier), dtype=bool))


def _share(ballots: Ballots, row: np.ndarray, counts: np.ndarray, known: np.ndarray) -> Share:
    segment = ballots.segment[ballots.ballot_of[row]]
    part, whole = (np.bincount(segment, one, ballots.segments) for one in (counts & known, known))
    return share(part, whole)


def consistency(first: Given, again: Given, sentences: int) -> np.ndarray:
    """By sentence, how many answers are the same again by the same judge, and how many were asked for again."""
    most = 1 + max(first.key.max(initial=0), again.key.max(initial=0))
    (keys, place), wanted = np.unique(first.judge * most + first.key, return_index=True), again.judge * most + again.key
    at = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
    known = keys[at] == wanted if len(keys) else np.zeros(len(wanted), dtype=bool)
    same = known.copy()
    same[known] = first.value[place[at[known]]] == again.value[known]
    return np.stack([np.bincount(again.segment, one, sentences) for one in (same, known)])
