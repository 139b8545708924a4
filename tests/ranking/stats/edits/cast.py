"""Small studies of edits: a judgment is a sentence, a judge, the verdicts on each system's edits, and ranks.

A sign a verdict: + right, - wrong. The n-th edits of two versions of a sentence are the same if both are in `shared`.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ranking.stats.analysis import Day
from ranking.stats.ballots import BallotCandidates, Ballots, starts_of
from ranking.stats.edits.study import EditNames, EditParameters, EditStudy, Marks, VerdictName
from ranking.stats.metaevaluation.scores import MetricScores, ScoreLevel
from studies.edits import EditWorld

QUICK = EditParameters(replicates=200, seed=3)
RIGHT, WRONG = VerdictName("right", True), VerdictName("wrong", False)


class Judged(NamedTuple):
    sentence: int
    judge: int
    versions: Sequence[str]
    ranks: Sequence[float] = ()
    repeat: bool = False


def study_of(*judgments: Judged, parameters: EditParameters = QUICK, shared: bool = False, **more) -> EditStudy:
    """Systems are A, B and so on, each with its own text."""
    systems = max(len(one.versions) for one in judgments)
    sentences, judges = (1 + max(column) for column in list(zip(*judgments, strict=True))[:2])
    numbers: dict[tuple[int, ...], int] = {}
    rows, marks = [], []
    for one in judgments:
        for system, signs in enumerate(one.versions):
            for place, sign in enumerate(signs):
                key = (one.sentence, place) if shared else (one.sentence, system, place)
                marks.append((len(rows), numbers.setdefault(key, len(numbers)), "+-".index(sign)))
            rows.append((one.sentence * systems + system, -one.ranks[system] if one.ranks else np.nan))
    candidate, merit = np.array(rows).T
    ballots = Ballots(
        systems=systems, judges=judges, documents=1, judge=np.array([one.judge for one in judgments]),
        segment=np.array([one.sentence for one in judgments]), seconds=np.full(len(judgments), 9.0),
        starts=starts_of([len(one.versions) for one in judgments]), candidate=candidate.astype(np.int64),
        merit=merit.astype(float),
        candidates=BallotCandidates(np.arange(sentences * systems + 1), np.tile(np.arange(systems), sentences)),
        document_of=np.zeros(sentences, dtype=np.int64),
    )  # fmt: skip
    defaults = {
        "missed": np.zeros(len(rows), dtype=np.int64),
        "is_repeat": np.array([one.repeat for one in judgments]),
        "category": np.zeros(len(numbers), dtype=np.int64),
        "in_reference": np.empty((len(numbers), 0)),
        "names": EditNames(
            tuple("ABCDEFGH"[:systems]), tuple(f"judge {number}" for number in range(judges)), (RIGHT, WRONG), ("NOUN",)
        ),
        "days": (Day("2024-05-17", 3, 1),),
    }
    return EditStudy(
        ballots, Marks(*np.array(marks, dtype=np.int64).reshape(-1, 3).T), parameters=parameters, **defaults | more
    )


def whole_study(parameters: EditParameters = QUICK) -> EditStudy:
    """Forty sentences, five judges, four systems, a metric that knows the right edits, and references."""
    rng = np.random.default_rng(7)
    study = EditWorld(sentences=40).campaign(rng, parameters)
    scores = study.by_ballot(study.per_row(np.flatnonzero(study.marks.verdict == 0))).toarray()[::2]
    accepted = np.bincount(study.marks.edit, study.marks.verdict == 0, len(study.category)) / 2
    m2 = MetricScores("M2", ScoreLevel.SENTENCE, scores)
    return replace(
        study, metrics=(m2, MetricScores("GLEU", ScoreLevel.SYSTEM, scores.sum(0))),
        in_reference=np.round(accepted)[:, None], lacking=(("ERRANT", "It has no score of s3."),),
        names=study.names._replace(references=("references",)),
    )  # fmt: skip
