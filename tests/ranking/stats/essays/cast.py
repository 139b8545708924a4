"""Small studies of ratings by hand: what each judge said of each text and its versions by two systems, or more."""

import numpy as np

from ranking.stats.analysis import Day
from ranking.stats.ballots import BallotCandidates, Ballots
from ranking.stats.essays.study import EssayParameters, EssayStudy, ScaleName, SeverityName
from studies.essays import EssayWorld

NAN = np.nan
QUICK = EssayParameters(replicates=200, seed=3)
SEVERITIES = (SeverityName("minor", 1.0), SeverityName("major", 5.0))


def study_of(
    numbers: list, errors: list | None = None, repeats: list[int] = (), systems: int = 2,
    parameters: EssayParameters = QUICK,
) -> EssayStudy:  # fmt: skip
    """By judge (outermost) the versions, text by text, with a number on each scale; NaN: the judge cannot say.

    `repeats` has the numbers of further ballots of the first judges, on all texts.
    """
    given = np.array(numbers, dtype=float)
    judges, rows, scales = given.shape
    texts, flat = rows // systems, given.reshape(-1, scales)
    ballots = Ballots(
        systems=systems, judges=judges, documents=texts, judge=np.repeat(np.arange(judges), texts),
        segment=np.tile(np.arange(texts), judges), seconds=np.full(judges * texts, NAN),
        starts=np.arange(judges * texts + 1) * systems, candidate=np.tile(np.arange(rows), judges),
        merit=np.nan_to_num(flat).mean(axis=1),
        candidates=BallotCandidates(np.arange(rows + 1), np.tile(np.arange(systems), texts)),
        document_of=np.arange(texts),
    )  # fmt: skip
    is_repeat = np.isin(ballots.judge, repeats)
    if len(repeats):  # they are of the first judge
        ballots.judge[is_repeat] = 0
    return EssayStudy(
        ballots, tuple(ScaleName(name, 1, 4) for name in ("form", "flow")[:scales]), flat, np.isnan(flat),
        () if errors is None else SEVERITIES, np.array(errors if errors is not None else [[]] * len(flat), dtype=float),
        is_repeat, tuple("ABCDEFGH"[:systems]), tuple(f"judge {number}" for number in range(judges)), parameters,
        (Day("2025-03-02", 3, 1),),
    )  # fmt: skip


def whole_study(parameters: EssayParameters = QUICK) -> EssayStudy:
    """Twenty texts, five judges, five systems, two scales, and errors of two severities."""
    rng = np.random.default_rng(7)
    world = EssayWorld(quality=(3.4, 3.0, 2.6, 2.2, 1.8), errors=(2.0, 3.0, 4.0, 5.0, 6.0), texts=20)
    return world.campaign(rng, parameters, world.draw_judges(rng, 5))
