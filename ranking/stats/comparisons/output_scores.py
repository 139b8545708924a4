"""What people thought of each output and of each pair of outputs, and outputs placed between the worst and the best."""

from typing import NamedTuple

import numpy as np
import scipy as sp

from ranking.stats.comparisons.study import ComparisonStudy
from ranking.stats.resampling import ratio
from ranking.stats.tally import pairs_of_parts


class OutputSums(NamedTuple):
    """Scores with a row per segment and a column per system, NaN where nobody compared; and the sums of pairs.

    A row of `pairs` is a system, one with a larger number, a segment on which judges compared them, the wins of each,
    and ties; the rows of a pair follow each other.
    """

    scores: np.ndarray
    pairs: np.ndarray


def output_sums(study: ComparisonStudy) -> OutputSums:
    """Score each output by people, and count who won.

    A rating is the mean of all ratings. In rankings it is the share of comparisons with other outputs of the segment
    that it won, where a tie counts as half.

    Toy: ranked before B and level with C, A has (1 + 1/2) / 2 = 3/4.
    """
    ballots = study.ballots
    judged = ballots.choose(ballots.judge < len(study.names.judges))  # automatic ties have no score
    pairs = np.concatenate([np.empty((6, 0), dtype=np.int32), *pairs_of_parts(judged, judged.segment)], axis=1)
    one, other, segment, wins, losses, ties = pairs
    if study.are_ratings:
        row, system = judged.systems_behind()
        place = judged.segment[judged.ballot_of[row]] * judged.systems + system
        numbers: tuple[np.ndarray, np.ndarray | None] = judged.merit[row], None
    else:
        place = np.append(segment * judged.systems + one, segment * judged.systems + other)
        numbers = np.append(wins + ties / 2, losses + ties / 2), np.tile(wins + losses + ties, 2)
    got, most = (np.bincount(place, each, ballots.segments * ballots.systems) for each in numbers)
    scores = ratio(got, most).astype(np.float32).reshape(ballots.segments, ballots.systems)
    return OutputSums(scores, pairs.T[np.lexsort((segment, other, one))])


def places(scores: np.ndarray) -> np.ndarray:
    """Place each score between the lowest, 0, and the highest, 1, by rank; equal scores share the mean of their places.

    Toy: 3, 5, 5, 9 are placed at 0, 1/2, 1/2, 1.
    """
    return (sp.stats.rankdata(scores) - 1) / max(len(scores) - 1, 1)
