"""What people thought of each output, in one number, and outputs placed between the worst and the best one."""

import numpy as np
from scipy.stats import rankdata

from ranking.stats.comparisons.study import Study
from ranking.stats.tally import tallies_of_parts


def output_scores(study: Study) -> np.ndarray:
    """Score each output by people, in a row per segment and a column per system; NaN where nobody compared it.

    A rating is the mean of all ratings. In rankings it is the share of comparisons with other outputs of the segment
    that it won, where a tie counts as half.

    Toy: ranked before B and level with C, A has (1 + 1/2) / 2 = 3/4.
    """
    ballots = study.ballots
    judged = ballots.choose(ballots.judge < len(study.names.judges))  # automatic ties have no score
    scores = np.full((ballots.segments, ballots.systems), np.nan, dtype=np.float32)
    for first, block in tallies_of_parts(judged, judged.segment, ballots.segments):
        if study.are_ratings:
            got, most = block.merits, block.shown
        else:
            got, most = (block.wins + block.ties / 2).sum(axis=2), (block.decisive + block.ties).sum(axis=2)
        rows = scores[first : first + len(got)]
        np.divide(got, most, out=rows, where=most > 0, casting="same_kind")
    return scores


def places(scores: np.ndarray) -> np.ndarray:
    """Place each score between the lowest, 0, and the highest, 1, by rank; equal scores share the mean of their places.

    Toy: 3, 5, 5, 9 are placed at 0, 1/2, 1/2, 1.
    """
    return (rankdata(scores) - 1) / max(len(scores) - 1, 1)
