"""Predicting what the screens of a plan would resolve, by simulated judges."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from judgments.assignment import planning
from judgments.assignment.rules.assigning import PlannedBatch
from judgments.assignment.rules.planning import SECONDS_AN_HOUR
from judgments.models import Campaign
from judgments.rules.errors import Refused
from ranking.numbers.tables import StatisticsError, Table
from ranking.power.verdicts import predict_verdicts
from ranking.power.wanted import SHARES, Made, Wanted, check, judges_usages
from ranking.reports.ballots import Collected, collect
from ranking.stats.ballots import Ballots, starts_of
from ranking.stats.choices import FEWEST_REPLICATES
from ranking.stats.comparisons.study import PRESETS, Parameters
from ranking.stats.power.curves import curves, outcomes
from ranking.stats.power.worlds import Assumptions, World, assumed, suggested


def predict(campaign: Campaign, wanted: Wanted, made: Made = lambda table, done: None) -> Table:
    """Simulate the plan that these settings give, analysed by a preset of reports."""
    check(campaign, wanted)
    return (predict_verdicts if judges_usages(campaign) else _predict)(campaign, wanted, made)


def _predict(campaign: Campaign, wanted: Wanted, made: Made) -> Table:
    batches = planning.draw(campaign, dict(wanted.settings), wanted.screens).batches
    found = collect(campaign)
    pilot = None if wanted.assumptions else pilot_of(collect(campaign, with_pilot=True))
    before = None if pilot is None else pilot_of(found)
    blank = blank_ballots(batches, found, wanted.judges if pilot is None else len(found.names.judges)).ballots
    seconds = planning.pace(campaign).seconds * sum(len(batch.assignments) for batch in batches)
    already = 0 if before is None else len(before)
    points = sorted({already + max(1, round(share * len(blank))) for share in SHARES} | ({already} - {0}))
    parameters = parameters_of(campaign, wanted)
    hours = seconds / SECONDS_AN_HOUR / len(blank)
    simulated = []
    worlds = worlds_of(wanted, blank.systems, pilot, campaign.seed)
    for one in islice(outcomes(worlds, blank, points, parameters, campaign.seed, before), wanted.campaigns):
        simulated.append(one)
        made(curves(simulated, hours, already), len(simulated))
    return curves(simulated, hours, already)


def parameters_of(campaign: Campaign, wanted: Wanted) -> Parameters:
    return PRESETS[wanted.preset].changed(replicates=FEWEST_REPLICATES, seed=campaign.seed)


def pilot_of(found: Collected) -> Ballots:
    by_people = found.ballots.judge < len(found.names.judges)
    return found.ballots.choose(by_people & (found.ballots.sizes > 0))


def worlds_of(wanted: Wanted, systems: int, pilot: Ballots | None, seed: int) -> Iterator[World]:
    if isinstance(wanted.assumptions, Assumptions):
        return assumed(wanted.assumptions, systems, seed)
    if pilot is None:
        raise TypeError("These are assumptions on verdicts.")
    try:
        return suggested(pilot, seed)
    except StatisticsError as reason:
        raise Refused(str(reason)) from reason


class Blank(NamedTuple):
    """Ballots without answers, and their weights, if all are known."""

    ballots: Ballots
    weights: np.ndarray


def blank_ballots(batches: Sequence[PlannedBatch], found: Collected, judges: int) -> Blank:
    """Ballots in the order in which judges claim them; repeats and controls are left out.

    Every round of a batch goes to the next judge.
    """
    candidates = {candidate: place for place, candidate in enumerate(found.candidates)}
    segments = {segment: place for place, segment in enumerate(found.segments)}
    judge, segment, shown, weights = [], [], [], []
    sittings = 0
    for batch in batches:
        for assignment in batch.assignments:
            sittings += assignment.position == 0
            screen = batch.screens[assignment.screen]
            known = [candidates[screen.candidates[place]] for place in assignment.order
                     if screen.candidates[place] in candidates]  # fmt: skip
            if assignment.repeats is None and len(known) > 1:
                judge.append((sittings - 1) % judges)
                segment.append(segments[screen.segment])
                shown.append(known)
                weights.append(screen.weight)
    if not shown:
        raise Refused("These screens compare no two systems, so they resolve nothing.")
    ballots = Ballots(
        systems=found.ballots.systems, judges=judges, documents=found.ballots.documents,
        judge=np.array(judge, dtype=np.int32), segment=np.array(segment, dtype=np.int32), seconds=np.zeros(len(shown)),
        starts=starts_of([len(one) for one in shown]),
        candidate=np.array([candidate for one in shown for candidate in one], dtype=np.int32),
        merit=np.zeros(sum(map(len, shown))), candidates=found.ballots.candidates,
        document_of=found.ballots.document_of,
    )  # fmt: skip
    return Blank(ballots, np.array([] if None in weights else weights, dtype=float))
