"""A measure of each system on one scale: the score, replicates of it, and the pairs of systems that differ.

Means, z-scores and mixed models are those of ratings (`ranking.stats.rankings.methods`), in the numbers of the scale;
texts are drawn, and what other judges would change is added (`two_way`). Replicates are moderated (`evidence`), so that
three texts with equal ratings make no narrow interval; the most that one text can deviate is half the scale.

Unlike rankings, ratings need no comparison: a system can be rated alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ranking.numbers.intervals import Interval, interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.ballots import Ballots
from ranking.stats.essays.parameters import EssayParameters
from ranking.stats.essays.ratings import of_rated, system_of_rows, texts_of
from ranking.stats.rankings.methods import METHODS
from ranking.stats.rankings.pair_tests import ROUNDING, pair_tests
from ranking.stats.rankings.uncertainty import complete, fewest_sentences, moderated, with_other_judges
from ranking.stats.resampling import Unit

MEAN, STANDARDISED, MIXED = "mean-score", "z-score", "mixed-model"
MEASURES = (MEAN, STANDARDISED, MIXED)
NOTHING_SHOWN = None, None, None, False


@dataclass(frozen=True)
class Measured:
    """The systems that were rated, by number: their scores, replicates in rows, and what they rest on.

    `share_judges` tells which two of them some judge rated both.
    """

    systems: np.ndarray
    scores: np.ndarray
    replicates: np.ndarray
    texts: np.ndarray
    ratings: np.ndarray
    share_judges: np.ndarray
    unit: Unit
    ends: Interval

    def interval(self, place: int, level: float) -> Interval:
        low, high = np.clip(interval_of(self.replicates[:, place], level), *self.ends)
        return Interval(float(low), float(high))

    def pairs(self, level: float, families: int) -> Iterator[tuple]:
        """Two systems, the higher first: difference, its interval, p-value, and whether it is resolved.

        All pairs of all families (scales) hold together. Nothing is shown of systems with too few texts, or without a
        common judge: the one may only have had milder judges.
        """
        placed = self.texts >= fewest_sentences(level)
        tests = pair_tests(self.scores, self.replicates, 1 - (1 - level) / families, placed=placed)
        for one, other in combinations(np.argsort(-self.scores, kind="stable").tolist(), 2):
            shown: tuple = NOTHING_SHOWN
            if placed[one] and placed[other] and self.share_judges[one, other]:
                p = min(families * float(tests.p_value[one, other]), 1.0)
                resolved = p <= 1 - level + ROUNDING and bool(self.scores[one] > self.scores[other])
                shown = float(tests.low[one, other]), float(tests.high[one, other]), p, resolved
            yield int(self.systems[one]), int(self.systems[other]), float(tests.difference[one, other]), *shown


def measured(ballots: Ballots, measure: str, chosen: EssayParameters, spread: float, ends: Interval) -> Measured:
    """`spread` is the most that one text can deviate, and scores lie between the `ends`."""
    systems, given = of_rated(ballots)
    if not len(systems):
        raise StatisticsError("No version has such an answer yet.")
    if len(np.unique(given.segment)) < 2:
        raise StatisticsError("Only one text was rated, which says nothing about others. Have more texts rated.")
    method, judges = METHODS[measure], len(np.unique(given.judge))
    unit = Unit(chosen.fitted(judges).unit)
    if unit is Unit.SENTENCE_AND_JUDGE and judges < 2:
        raise StatisticsError("Only one judge answered, which says nothing about others. Draw texts alone (sentence).")
    scores, texts = method.scores(given), texts_of(given)
    by_text, *others = (
        method.replicates(given, one, chosen.replicates_by(one), chosen.seed, 0) for one in method.units(unit)
    )
    if others:
        by_text = with_other_judges(by_text, others[0], others[1], judges, chosen.seed)
    replicates = moderated(scores, by_text, texts, spread, fewest_sentences(chosen.level), chosen.seed)
    rows, system = system_of_rows(given)
    rated = np.zeros((given.judges, given.systems), dtype=np.int64)
    np.add.at(rated, (given.judge[given.ballot_of[rows]], system), 1)
    return Measured(
        systems, scores, complete(replicates), texts, rated.sum(axis=0), rated.T @ rated > 0, unit, ends
    )  # fmt: skip
