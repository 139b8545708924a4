"""A metric aggregated as people are: its own comparisons of outputs, ranked by the method that ranks systems by people.

People compare outputs sentence by sentence, and a method makes a ranking of these comparisons; a metric is mostly asked
for one score of each system instead, or for the mean of its sentences. So the two differ by how they are aggregated as
well as by what they say (Goto et al. 2025). Here each ballot that people gave is filled in by the metric: the same
candidates of the same sentences, as often as they were judged, with the metric's scores as their merits. Equal scores
tie. A candidate without a score is taken from the ballot.

Toy: a judge said A > B = C, and the metric scores them .5, .5 and .1: its ballot says A = B > C.
"""

from dataclasses import replace

import numpy as np

from ranking.stats.ballots import Ballots, StatisticsError


def as_told_by(ballots: Ballots, metric: np.ndarray) -> Ballots:
    """These ballots by a metric with a row a segment and a column a system; candidates have one text, so one score."""
    first = ballots.candidates.members[ballots.candidates.starts[:-1]]
    score = np.asarray(metric, dtype=float)[ballots.segment[ballots.ballot_of], first[ballots.candidate]]
    known = np.isfinite(score)
    if not known.any():
        raise StatisticsError("The metric scored nothing that people judged; score the sentences of this campaign.")
    sizes = np.bincount(ballots.ballot_of[known], minlength=len(ballots))
    return replace(
        ballots,
        starts=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        candidate=ballots.candidate[known],
        merit=score[known],
    )
