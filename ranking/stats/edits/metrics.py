"""Metrics against verdicts on edits: of systems, of versions of a sentence, and of single edits.

Toy: of three edits a reference makes two, and people accept the first of these and the third: of those in the reference
1/2 are right, of those elsewhere all, and people and reference agree on 1/3.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.agreement.kappa import kappa
from ranking.stats.edits.clusters import Clusters, share_of
from ranking.stats.edits.judges import decisions
from ranking.stats.edits.study import EditStudy
from ranking.stats.metaevaluation.correlations import Coefficient, by_systems
from ranking.stats.metaevaluation.scores import ScoreLevel, mean_scores, pairs_of_ballots
from ranking.stats.metaevaluation.sentences import sentence_rows

PRECISION, BALANCE = "precision by people", "right less wrong edits"
METRICS = ("metric", "level", "people", "coefficient", "value", "low", "high", "systems")
EDITS = (
    "reference", "edits", "right", "in_reference", "right_in_reference", "right_in_reference_low",
    "right_in_reference_high", "right_elsewhere", "right_elsewhere_low", "right_elsewhere_high", "same", "kappa",
)  # fmt: skip


def metrics(given: EditStudy) -> Iterator[Table | Gap]:
    yield from (Gap(f"metric {name}", reason) for name, reason in given.lacking)
    if not given.metrics:
        return
    study = given.first
    right, wrong = (study.per_row(chosen) for chosen in (study.is_accepted, ~study.is_accepted))
    balance = (right - wrong).astype(float)
    every = np.ones(len(study.marks), dtype=bool)
    people = {PRECISION: study.shares(study.is_accepted, every).value, BALANCE: study.rates(balance).value}
    judged = study.ballots.judged
    drawn = study.parameters.replicates, study.parameters.seed, study.parameters.level
    rows: list[tuple] = []
    for metric in given.metrics:
        scores, level = metric.scores, "system"
        if metric.level is ScoreLevel.SENTENCE:
            scores, level = mean_scores(metric.scores, judged[:, None])[0], "mean of sentences"
        try:
            for name, values in people.items():
                known = np.isfinite(values) & np.isfinite(scores)
                for coefficient in Coefficient:
                    found = by_systems(values[known], scores[known], coefficient, *drawn)
                    rows.append((metric.metric, level, name, coefficient.value, found.value, *found.interval,
                                 int(known.sum())))  # fmt: skip
            if metric.level is ScoreLevel.SENTENCE:
                # On a version judges agree or differ by its right less its wrong edits.
                pairs = pairs_of_ballots(replace(study.ballots, merit=balance), metric.scores)
                rows += [
                    (metric.metric, "sentence", BALANCE, *row, study.ballots.systems)
                    for row in sentence_rows(pairs, *drawn)
                ]
        except StatisticsError as reason:
            yield Gap(f"metric {metric.metric}", str(reason))
    if rows:
        yield Table.of("edit_metrics", METRICS, rows)


def references(given: EditStudy) -> Iterator[Table]:
    """Whether people accept the edits that a reference makes, and those that none makes."""
    study, level = given.first, given.parameters.level
    _, accepted = decisions(study)
    edits, first, edit = np.unique(accepted.unit, return_index=True, return_inverse=True)
    sentence = accepted.segment[first]
    accepting = np.bincount(edit, accepted.value) / np.bincount(edit)
    rows = []
    for column, name in enumerate(study.names.references):
        looked_up = study.in_reference[edits, column]
        clear = np.isfinite(looked_up) & (accepting != 0.5)
        if not clear.any():
            continue
        is_right, is_there = accepting[clear] > 0.5, looked_up[clear] > 0
        cells: list[float | None] = []
        for chosen in (is_there, ~is_there):
            value, ends = None, None
            if chosen.any():
                value, ends = share_of(is_right[chosen], Clusters(sentence[clear][chosen], None, level))
            cells += [value, *(ends or (None, None))]
        rows.append((
            name, int(clear.sum()), int(is_right.sum()), int(is_there.sum()), *cells,
            float((is_right == is_there).mean()), kappa(is_right, is_there),
        ))  # fmt: skip
    if rows:
        yield Table.of("edit_references", EDITS, rows)
