"""Predicting what the screens of a plan would resolve, by simulated judges."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from judgments.assignment import planning
from judgments.assignment.rules.assigning import PlannedBatch
from judgments.assignment.rules.planning import SECONDS_AN_HOUR
from judgments.models import Campaign
from judgments.protocols import protocol_of
from judgments.rules.errors import Refused
from ranking.numbers.tables import Table
from ranking.stats.ballots import Ballots, Candidates, starts_of
from ranking.stats.choices import FEWEST_REPLICATES
from ranking.stats.comparisons.parameters import PRESETS
from ranking.stats.power.assumptions import AssumptionError, Assumptions
from ranking.stats.power.curves import curves, outcomes
from ranking.stats.power.worlds import assumed

SHARES = (0.125, 0.25, 0.5, 0.75, 1.0)
CAMPAIGNS, JUDGES = 20, 8
Told = Callable[[int, int], None]


@dataclass(frozen=True)
class Prediction:
    """Curves over the judgments of the plan, and the hours of judging that it takes in all."""

    table: Table
    judgments: int
    hours: float


def predict(
    campaign: Campaign, settings: Mapping[str, Any], screens: int | None, assumptions: Assumptions,
    judges: int = JUDGES, campaigns: int = CAMPAIGNS, tell: Told = lambda done, total: None,
) -> Prediction:  # fmt: skip
    """Simulate the plan that these settings give, analysed by the preset that a new report has."""
    if protocol_of(campaign).name != "ranking":
        raise Refused("Predictions are made for campaigns that rank outputs; this one has another protocol.")
    batches = planning.draw(campaign, dict(settings), screens).batches
    seconds = planning.pace(campaign).seconds * sum(len(batch.assignments) for batch in batches)
    blank = blank_ballots(batches, planning.behind(campaign), judges)
    parameters = PRESETS["recommended"].changed(replicates=FEWEST_REPLICATES, seed=campaign.seed)
    points = sorted({max(1, round(share * len(blank))) for share in SHARES})
    try:
        worlds = assumed(assumptions, blank.systems, campaign.seed)
        simulated = []
        for one in outcomes(worlds, blank, points, parameters, campaign.seed):
            simulated.append(one)
            tell(len(simulated), campaigns)
            if len(simulated) == campaigns:
                break
    except AssumptionError as reason:
        raise Refused(str(reason)) from reason
    return Prediction(curves(simulated), len(blank), seconds / SECONDS_AN_HOUR)


def blank_ballots(batches: list[PlannedBatch], behind: Mapping[int, list[str]], judges: int) -> Ballots:
    """Ballots without answers, in the order in which judges claim them; repeats and controls are left out.

    Every round of a batch goes to the next judge. `behind` has the names of the systems behind each candidate.
    """
    names = sorted({name for systems in behind.values() for name in systems})
    number = {name: place for place, name in enumerate(names)}
    candidates = {candidate: place for place, candidate in enumerate(behind)}
    segments: dict[int, int] = {}
    judge, segment, shown = [], [], []
    sittings = 0
    for batch in batches:
        for assignment in batch.assignments:
            sittings += assignment.position == 0
            screen = batch.screens[assignment.screen]
            known = [candidates[screen.candidates[place]] for place in assignment.order
                     if screen.candidates[place] in candidates]  # fmt: skip
            if assignment.repeats is None and len(known) > 1:
                judge.append((sittings - 1) % judges)
                segment.append(segments.setdefault(screen.segment, len(segments)))
                shown.append(known)
    members = [number[name] for systems in behind.values() for name in systems]
    return Ballots(
        systems=len(names), judges=judges, documents=len(segments), judge=np.array(judge, dtype=np.int32),
        segment=np.array(segment, dtype=np.int32), seconds=np.zeros(len(shown)),
        starts=starts_of([len(one) for one in shown]),
        candidate=np.array([candidate for one in shown for candidate in one], dtype=np.int32),
        merit=np.zeros(sum(map(len, shown))),
        candidates=Candidates(
            starts_of([len(systems) for systems in behind.values()]), np.array(members, dtype=np.int32)
        ),
        document_of=np.arange(len(segments), dtype=np.int32),
    )  # fmt: skip
