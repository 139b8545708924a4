"""What people thought of each output and of each pair of outputs, and outputs placed between the worst and the best."""

from typing import NamedTuple

import numpy as np
import scipy as sp

from ranking.stats.comparisons.study import ComparisonStudy
from ranking.stats.tally import tallies_of_parts


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
    scores = np.full((ballots.segments, ballots.systems), np.nan, dtype=np.float32)
    pairs = [np.empty((0, 6), dtype=np.int32)]
    for first, block in tallies_of_parts(judged, judged.segment, ballots.segments):
        if study.are_ratings:
            got, most = block.merits, block.shown
        else:
            got, most = (block.wins + block.ties / 2).sum(axis=2), (block.decisive + block.ties).sum(axis=2)
        rows = scores[first : first + len(got)]
        np.divide(got, most, out=rows, where=most > 0, casting="same_kind")
        part, one, other = np.nonzero(np.triu(block.decisive + block.ties, 1))
        wins, losses, ties = block.wins[part, one, other], block.wins[part, other, one], block.ties[part, one, other]
        pairs.append(np.stack([one, other, part + first, wins, losses, ties], axis=1).astype(np.int32))
    rows = np.concatenate(pairs)
    return OutputSums(scores, rows[np.lexsort((rows[:, 2], rows[:, 1], rows[:, 0]))])


def places(scores: np.ndarray) -> np.ndarray:
    """Place each score between the lowest, 0, and the highest, 1, by rank; equal scores share the mean of their places.

    Toy: 3, 5, 5, 9 are placed at 0, 1/2, 1/2, 1.
    """
    return (sp.stats.rankdata(scores) - 1) / max(len(scores) - 1, 1)
