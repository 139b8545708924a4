"""What an edit is worth: how right and wrong edits move the odds that one version is preferred to another.

A judge who prefers version i to version j of a sentence does so with the log-odds

    sum over verdicts v of b(v) (n(i, v) - n(j, v))  +  s(i) - s(j)

where n(i, v) is how many edits of version i got verdict v, b(v) what one such edit is worth, and s(i) the mean strength
of the systems behind it: Bradley and Terry (1952) with covariates (Springall 1973). Without edits it is the usual
model, without systems it says what edits alone explain. Ties are left out. All parameters have a normal prior with
standard deviation 2.5, which hardly moves them unless a verdict decided every pair; it keeps them finite then.

The covariance is H^-1 M H^-1 with the curvature H and the scores clustered by sentence and judge (M, `clusters`), but
no variance is less than that of H^-1, the model's own, because few pairs can agree by chance.

Prediction: sentences are split into folds, and each fold is predicted from the others. A pair is predicted rightly if
the preferred version has the higher odds; equal odds count half, like a coin.

Toy: one version has one right edit more in every pair, and is preferred in 3 of 4: without the prior b = log 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import exp

import numpy as np
import scipy as sp

from ranking.numbers.intervals import Interval
from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.ballots import pairs_within
from ranking.stats.edits.clusters import FEWEST_SENTENCES, Clusters, share_of
from ranking.stats.edits.study import EditStudy
from ranking.stats.resampling import generator

OWN, OTHERS = "the same judge", "other judges"
EDITS, SYSTEMS, BOTH = "edits", "systems", "edits and systems"
WORTH = ("marked_by", "model", "verdict", "accepts", "log_odds", "log_odds_low", "log_odds_high", "odds", "odds_low",
         "odds_high", "pairs", "sentences", "ties")  # fmt: skip
PREDICTED = ("marked_by", "predicted_by", "pairs", "sentences", "right", "right_low", "right_high", "log_loss")
NO_OTHERS = (
    "Too few versions were judged by two people to say what edits are worth that others marked. Have more sentences "
    "judged twice."
)
PRIOR = 2.5
MOST_STEPS, LONGEST_STEP, CLOSE = 100, 2.0, 1e-8
# With fewer, an interval would rest on what a handful of sentences happened to be.
FEWEST_PAIRS = 30
FOLDS = 10
# Odds that are equal but for rounding.
NEAR = 1e-9


def edit_worth(given: EditStudy) -> Iterator[Table | Gap]:
    """Log-odds of one more edit, and how many preferences edits alone, systems alone and both predict elsewhere.

    Edits are counted by verdicts of the judge who ranked, and then by those of others, where these judged both
    versions, which is fairer.
    """
    study, rows, predicted = given.first, list[tuple](), list[tuple]()
    every = duels(study)
    if not len(every):
        raise StatisticsError("Judges ranked no versions, so what an edit is worth is not known.")
    if not every.is_enough:
        raise StatisticsError(
            f"What an edit is worth needs {FEWEST_PAIRS} pairs of versions of which a judge preferred one, on "
            f"{FEWEST_SENTENCES} sentences; there are {len(every)} on {every.sentences}. Have judges rank more "
            "versions."
        )
    # The systems behind each version; a text of several systems has their mean strength.
    behind = study.members.multiply(1 / np.maximum(study.members.sum(axis=1), 1)[:, None]).tocsr()
    counts = others_counts(study)
    some = every.choose(np.isfinite(counts[every.better, 0]) & np.isfinite(counts[every.worse, 0]))
    for by, of, edits in (
        (OWN, every, differences(every, own_counts(study))), (OTHERS, some, differences(some, counts))
    ):  # fmt: skip
        if not of.is_enough:
            yield Gap("edits marked by others", NO_OTHERS)
            continue
        systems = differences(of, behind)
        # The verdicts by which the versions of some pair differ.
        differing = np.flatnonzero(np.diff(edits.tocsc().indptr))
        for model, beside in ((EDITS, None), (BOTH, systems)):
            found = worth(of, sp.sparse.csr_array(edits[:, differing]), beside)
            for number, value, interval in zip(differing.tolist(), found[0].tolist(), found[1], strict=True):
                rows.append((by, model, *study.names.verdicts[number], value, *interval,
                             *map(exp, (value, *interval)), len(of), of.sentences, of.ties))  # fmt: skip
        both = sp.sparse.csr_array(sp.sparse.hstack([edits, systems]))
        for model, moved in ((EDITS, edits), (SYSTEMS, systems), (BOTH, both)):
            share, interval, loss = predict(of, moved, study.parameters.seed)
            predicted.append((by, model, len(of), of.sentences, share, *(interval or (None, None)), loss))
    yield Table.of("edit_worth", WORTH, rows)
    yield Table.of("edit_prediction", PREDICTED, predicted)


@dataclass(frozen=True)
class Duels:
    """Pairs of rows of which the judge preferred the first, their clusters, and how many pairs tied."""

    better: np.ndarray
    worse: np.ndarray
    clusters: Clusters
    ties: int

    def __len__(self) -> int:
        return len(self.better)

    @property
    def sentences(self) -> int:
        return len(np.unique(self.clusters.sentence))

    def choose(self, wanted: np.ndarray) -> Duels:
        return Duels(self.better[wanted], self.worse[wanted], self.clusters.choose(wanted), self.ties)

    @property
    def is_enough(self) -> bool:
        return len(self) >= FEWEST_PAIRS and self.sentences >= FEWEST_SENTENCES


def duels(study: EditStudy) -> Duels:
    ballots = study.ballots
    merit, candidate = ballots.merit, ballots.candidate
    one, other = pairs_within(ballots.ballot_of)
    ranked = np.isfinite(merit[one]) & np.isfinite(merit[other]) & (candidate[one] != candidate[other])
    one, other = one[ranked], other[ranked]
    first, second = merit[one] > merit[other], merit[one] < merit[other]
    better, worse = np.append(one[first], other[second]), np.append(other[first], one[second])
    ties = int((merit[one] == merit[other]).sum())
    return Duels(better, worse, study.clusters.choose(ballots.ballot_of[better]), ties)


def own_counts(study: EditStudy) -> np.ndarray:
    """For each row, how many edits got each verdict from the judge who ranked the row."""
    verdicts = len(study.names.verdicts)
    key = study.marks.row * np.int64(verdicts) + study.marks.verdict
    return np.bincount(key, minlength=len(study.ballots.candidate) * verdicts).reshape(-1, verdicts).astype(float)


def others_counts(study: EditStudy) -> np.ndarray:
    """For each row, the mean numbers of its edits by verdict that other judges of the version gave; NaN without any."""
    own, candidate = own_counts(study), study.ballots.candidate
    judge = study.ballots.judge[study.ballots.ballot_of]
    all_of, number = _grouped(own, candidate.astype(np.int64))
    key = candidate * np.int64(max(study.ballots.judges, 1)) + judge
    same, same_number = _grouped(own, key)
    others = number - same_number
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(others[:, None] > 0, (all_of - same) / others[:, None], np.nan)


def _grouped(values: np.ndarray, key: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each row, the sums over all rows of its group, and how many rows that are."""
    _, group = np.unique(key, return_inverse=True)
    sums = np.stack([np.bincount(group, weights=column) for column in values.T], axis=1)
    return sums[group], np.bincount(group)[group]


def differences(of: Duels, counts: np.ndarray | sp.sparse.csr_array) -> sp.sparse.csr_array:
    """How much more of each column belongs to the preferred version."""
    return sp.sparse.csr_array(counts[of.better] - counts[of.worse])


def fit(moved: sp.sparse.csr_array) -> tuple[np.ndarray, np.ndarray]:
    """The parameters under which the preferred versions were most likely to be preferred, and the curvature."""
    found, prior = np.zeros(moved.shape[1]), 1 / PRIOR**2
    for _ in range(MOST_STEPS):
        won = sp.special.expit(moved @ found)
        slope = moved.T @ (1 - won) - prior * found
        curve = (moved.T @ moved.multiply((won * (1 - won))[:, None]).tocsr()).toarray()
        curve[np.diag_indices_from(curve)] += prior
        step = np.linalg.solve(curve, slope)
        longest = float(np.abs(step).max(initial=0))
        found += step * min(1.0, LONGEST_STEP / longest) if longest else step
        if longest < CLOSE:
            return found, curve
    raise StatisticsError("The fit did not converge; collect more rankings.")


def worth(of: Duels, edits: sp.sparse.csr_array, systems: sp.sparse.csr_array | None = None) -> tuple[np.ndarray, list]:
    """The log-odds of one more edit of each kind (column), with intervals, beside the strengths of systems if given."""
    moved = edits if systems is None else sp.sparse.csr_array(sp.sparse.hstack([edits, systems]))
    found, curve = fit(moved)
    inverse = np.linalg.inv(curve)
    scores = sp.sparse.csr_array(moved.multiply((1 - sp.special.expit(moved @ found))[:, None]))
    # Every parameter rests on the same sentences, those of all pairs.
    everywhere = sp.sparse.csr_array(np.ones((len(of), moved.shape[1])))
    spread = inverse @ of.clusters.covariance(scores, everywhere) @ inverse
    deviation = np.sqrt(np.maximum(np.diag(spread), np.diag(inverse)))[: edits.shape[1]]
    value, reach = found[: edits.shape[1]], sp.special.ndtri((1 + of.clusters.level) / 2) * deviation
    return value, [Interval(*ends) for ends in zip(value - reach, value + reach, strict=True)]


def predict(of: Duels, moved: sp.sparse.csr_array, seed: int) -> tuple[float, Interval | None, float]:
    """The share of pairs predicted rightly, its interval, and the mean of -log of the odds' probability."""
    sentences, part = np.unique(of.clusters.sentence, return_inverse=True)
    fold_of = np.empty(len(sentences), dtype=np.int64)
    fold_of[generator(seed, 0).permutation(len(sentences))] = np.arange(len(sentences)) % FOLDS
    fold, odds = fold_of[part], np.empty(len(of))
    for number in range(FOLDS):
        found, _ = fit(sp.sparse.csr_array(moved[fold != number]))
        odds[fold == number] = moved[fold == number] @ found
    right = np.where(np.abs(odds) < NEAR, 0.5, odds > 0)
    return *share_of(right, of.clusters), float(-sp.special.log_expit(odds).mean())
