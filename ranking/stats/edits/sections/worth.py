"""Sections on what an edit is worth: log-odds of winning, and how many preferences edits predict."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp
from typing import NamedTuple

import numpy as np
import scipy as sp

from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.edits.study import EditStudy
from ranking.stats.edits.worth import Duels, differences, duels, others_counts, own_counts, predict, strengths, worth

OWN, OTHERS = "the same judge", "other judges"
EDITS, SYSTEMS, BOTH = "edits", "systems", "edits and systems"
WORTH = ("marked_by", "model", "verdict", "accepts", "log_odds", "log_odds_low", "log_odds_high", "odds", "odds_low",
         "odds_high", "pairs", "sentences", "ties")  # fmt: skip
PREDICTED = ("marked_by", "predicted_by", "pairs", "sentences", "right", "right_low", "right_high", "log_loss")
NOBODY_RANKED = "Judges ranked no versions, so what an edit is worth is not known."
NO_OTHERS = (
    "Too few versions were judged by two people to say what edits are worth that others marked. Have more sentences "
    "judged twice."
)


class Marked(NamedTuple):
    """Pairs of versions, and how the numbers of their edits differ by the verdicts of these judges."""

    by: str
    of: Duels
    edits: sp.sparse.csr_array


def marked(study: EditStudy) -> Iterator[Marked]:
    """By the judge who ranked; and where others judged both versions, by them, which is fairer."""
    of = duels(study)
    if not len(of):
        raise StatisticsError(NOBODY_RANKED)
    of.check()
    yield Marked(OWN, of, differences(of, own_counts(study)))
    counts = others_counts(study)
    some = of.choose(np.isfinite(counts[of.better, 0]) & np.isfinite(counts[of.worse, 0]))
    if some.is_enough:
        yield Marked(OTHERS, some, differences(some, counts))


def edit_worth(given: EditStudy) -> Iterator[Table | Gap]:
    """Log-odds of one more edit, and how many preferences edits alone, systems alone and both predict elsewhere."""
    study = given.first
    found = list(marked(study))
    rows = [
        row for by, of, edits in found
        for model, systems in ((EDITS, None), (BOTH, strengths(study, of)))
        for row in _worth(study, of, edits, systems, (by, model))
    ]  # fmt: skip
    yield Table.of("edit_worth", WORTH, rows)
    yield Table.of("edit_prediction", PREDICTED, (row for one in found for row in _predicted(study, one)))
    if len(found) < 2:
        yield Gap("edits marked by others", NO_OTHERS)


def _worth(
    study: EditStudy, of: Duels, edits: sp.sparse.csr_array, systems: sp.sparse.csr_array | None, heads: tuple[str, str]
) -> Iterator[tuple]:
    """A line for each verdict by which the versions of some pair differ."""
    given = np.flatnonzero(np.diff(edits.tocsc().indptr))
    found = worth(of, sp.sparse.csr_array(edits[:, given]), systems)
    for number, value, interval in zip(given.tolist(), found.value.tolist(), found.intervals, strict=True):
        odds = map(exp, (value, *interval))
        yield (*heads, *study.names.verdicts[number], value, *interval, *odds, len(of), of.sentences, of.ties)


def _predicted(study: EditStudy, found: Marked) -> Iterator[tuple]:
    by, of, edits = found
    systems = strengths(study, of)
    models = {EDITS: edits, SYSTEMS: systems, BOTH: sp.sparse.csr_array(sp.sparse.hstack([edits, systems]))}
    for model, moved in models.items():
        one = predict(of, moved, study.parameters.seed)
        yield by, model, len(of), of.sentences, one.share, *(one.interval or (None, None)), one.loss
