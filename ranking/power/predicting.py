"""Predicting what the screens of a plan would resolve, by simulated judges."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, NamedTuple, Self

import numpy as np

from judgments.assignment import planning
from judgments.assignment.rules.assigning import PlannedBatch
from judgments.assignment.rules.planning import SECONDS_AN_HOUR
from judgments.models import Campaign
from judgments.protocols import protocol_of
from judgments.rules.errors import Refused
from ranking.numbers.tables import StatisticsError, Table
from ranking.reports.kinds.comparisons.extraction import Collected, collect
from ranking.reports.rows import counted_now
from ranking.stats.ballots import Ballots, starts_of
from ranking.stats.choices import FEWEST_REPLICATES, PEOPLE
from ranking.stats.comparisons.parameters import PRESETS, Parameters
from ranking.stats.power.assumptions import AssumptionError, Assumptions
from ranking.stats.power.curves import curves, outcomes
from ranking.stats.power.worlds import World, assumed, suggested
from ranking.stats.rankings.methods import METHODS

SHARES = (0.125, 0.25, 0.5, 0.75, 1.0)
CAMPAIGNS, MOST_CAMPAIGNS = 20, 200
JUDGES, MOST_JUDGES = 8, 1000
FEWEST_IN_PILOT = 60
ASSUMED = Assumptions()
# Gets the curves so far, and the number of campaigns simulated.
Made = Callable[[Table, int], None]


@dataclass(frozen=True)
class Wanted:
    """A plan of screens, and what is assumed; without assumptions, the judgments so far suggest them, and count."""

    settings: Mapping[str, Any]
    screens: int | None = None
    assumptions: Assumptions | None = ASSUMED
    judges: int = JUDGES
    campaigns: int = CAMPAIGNS
    preset: str = "recommended"
    compare: bool = False

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of_json(cls, stored: dict[str, Any]) -> Self:
        assumptions = stored["assumptions"]
        return cls(**stored | {"assumptions": assumptions and Assumptions(**assumptions)})


def assumptions_of(**given: float) -> Assumptions:
    """Check that the assumptions are possible together."""
    try:
        assumptions = Assumptions(**given)
        assumptions.deviations()
    except AssumptionError as reason:
        raise Refused(str(reason)) from reason
    return assumptions


def predict(campaign: Campaign, wanted: Wanted, made: Made = lambda table, done: None) -> Table:
    """Simulate the plan that these settings give, analysed by a preset of reports."""
    check(campaign, wanted)
    batches = planning.draw(campaign, dict(wanted.settings), wanted.screens).batches
    found = collect(campaign)
    pilot = None if wanted.assumptions else pilot_of(found)
    blank = blank_ballots(batches, found, wanted.judges if pilot is None else len(found.names.judges)).ballots
    seconds = planning.pace(campaign).seconds * sum(len(batch.assignments) for batch in batches)
    already = 0 if pilot is None else len(pilot)
    points = sorted({already + max(1, round(share * len(blank))) for share in SHARES} | ({already} - {0}))
    parameters = parameters_of(campaign, wanted)
    hours = seconds / SECONDS_AN_HOUR / len(blank)
    simulated = []
    worlds = worlds_of(wanted, blank.systems, pilot, campaign.seed)
    for one in islice(outcomes(worlds, blank, points, parameters, campaign.seed, pilot), wanted.campaigns):
        simulated.append(one)
        made(curves(simulated, hours, already), len(simulated))
    return curves(simulated, hours, already)


def parameters_of(campaign: Campaign, wanted: Wanted) -> Parameters:
    return PRESETS[wanted.preset].changed(replicates=FEWEST_REPLICATES, seed=campaign.seed)


def check(campaign: Campaign, wanted: Wanted) -> None:
    if not can_predict(campaign):
        raise Refused("Predictions are made for campaigns that rank or rate outputs; this one has another protocol.")
    if METHODS[PRESETS[wanted.preset].methods[0]].for_ratings and not protocol_of(campaign).has_scores:
        raise Refused("This preset analyses ratings, and the judges of this campaign rank. Choose another preset.")
    design = wanted.settings.get("design", campaign.design)
    if wanted.compare and design != Campaign.Design.SAMPLED:
        raise Refused(
            "Ways of choosing sentences are compared for the sampled design only. Choose it, or do not compare."
        )
    if wanted.assumptions is None and (judgments := judgments_made(campaign)) < FEWEST_IN_PILOT:
        raise Refused(
            f"A pilot needs {FEWEST_IN_PILOT} judgments, and there are {judgments}. State assumptions instead."
        )


def can_predict(campaign: Campaign) -> bool:
    return protocol_of(campaign).scale is not None


def judgments_made(campaign: Campaign) -> int:
    """Those that a report would count, skipped ones included."""
    return counted_now(campaign, PEOPLE)


def pilot_of(found: Collected) -> Ballots:
    by_people = found.ballots.judge < len(found.names.judges)
    return found.ballots.choose(by_people & (found.ballots.sizes > 0))


def worlds_of(wanted: Wanted, systems: int, pilot: Ballots | None, seed: int) -> Iterator[World]:
    if pilot is None:
        return assumed(wanted.assumptions or ASSUMED, systems, seed)
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
