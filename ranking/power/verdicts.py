"""Predicting what a plan of verdicts would resolve, by simulated judges."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import cast

import numpy as np

from judgments.assignment import planning
from judgments.assignment.rules.assigning import PlannedBatch
from judgments.assignment.rules.planning import SECONDS_AN_HOUR
from judgments.models import Campaign
from judgments.rules.errors import Refused
from ranking.numbers.tables import Table
from ranking.power.wanted import SHARES, Made, Wanted, systems_compared
from ranking.reports.kinds.verdicts import extract
from ranking.stats.choices import FEWEST_REPLICATES
from ranking.stats.power.verdicts import (
    VerdictAssumptions,
    VerdictWorld,
    assumed_verdicts,
    resampled,
    verdict_curves,
    verdict_outcomes,
)
from ranking.stats.verdicts.study import VerdictParameters, VerdictStudy


def predict_verdicts(campaign: Campaign, wanted: Wanted, made: Made) -> Table:
    """Verdicts of a pilot suggest what usages and judges are like; they do not count."""
    batches = planning.draw(campaign, dict(wanted.settings), wanted.screens).batches
    usage, judge = blank_verdicts(batches, wanted.judges)
    seconds = planning.pace(campaign).seconds * sum(len(batch.assignments) for batch in batches)
    points = sorted({max(1, round(share * len(usage))) for share in SHARES})
    parameters = VerdictParameters(replicates=FEWEST_REPLICATES, seed=campaign.seed)
    worlds = _worlds(campaign, wanted, int(usage.max()) + 1, parameters)
    hours = seconds / SECONDS_AN_HOUR / len(usage)
    simulated = []
    for one in islice(
        verdict_outcomes(worlds, usage, judge, points, parameters, campaign.seed), wanted.campaigns
    ):  # fmt: skip
        simulated.append(one)
        made(verdict_curves(simulated, hours), len(simulated))
    return verdict_curves(simulated, hours)


def _worlds(campaign: Campaign, wanted: Wanted, usages: int, parameters: VerdictParameters) -> Iterator[VerdictWorld]:
    if isinstance(wanted.assumptions, VerdictAssumptions):
        return assumed_verdicts(wanted.assumptions, systems_compared(campaign), usages, campaign.seed)
    study = cast(VerdictStudy, extract(campaign, parameters).study)
    covered = study.crowd.known & np.isfinite(study.classes).all(axis=0)
    if not covered.any():
        raise Refused("No usage has both a verdict and a class by every system. State assumptions instead.")
    pilot = study.crowd_verdicts.choose(covered[study.crowd_verdicts.unit])
    return resampled(pilot, study.classes, usages, campaign.seed)


def blank_verdicts(batches: Sequence[PlannedBatch], judges: int) -> tuple[np.ndarray, np.ndarray]:
    """The usage and the judge of each verdict, in the order in which judges claim them; no repeats, no controls.

    Every round of a batch goes to the next judge; usages are numbered as they come.
    """
    numbers: dict[int | None, int] = {}
    usage, judge = [], []
    sittings = 0
    for batch in batches:
        for assignment in batch.assignments:
            sittings += assignment.position == 0
            screen = batch.screens[assignment.screen]
            if assignment.repeats is None and not screen.has_control:
                usage.append(numbers.setdefault(screen.usage, len(numbers)))
                judge.append((sittings - 1) % judges)
    return np.array(usage), np.array(judge)
