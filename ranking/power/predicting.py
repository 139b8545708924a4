"""Predicting what a plan of screens would resolve, and comparing ways of choosing sentences, by simulated judges.

A job does both; its curves are stored while they grow.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import islice
from operator import itemgetter
from time import monotonic
from typing import Any, Self, cast

import numpy as np
from django.db import transaction

from judgments.assignment import assigning, planning
from judgments.assignment.rules.assigning import PlannedAssignment, PlannedBatch, PlannedScreen
from judgments.assignment.rules.sampling import ADAPTIVE
from judgments.jobs.attempts import Attempt
from judgments.jobs.control import cancel, create_single
from judgments.jobs.tasks import enqueue
from judgments.models import Campaign, Candidate, Classification, Segment, System, SystemOutput
from judgments.models.members import Visitor
from judgments.protocols import protocol_of
from judgments.protocols.base import USAGES
from judgments.rules.authored.pay import SECONDS_AN_HOUR
from judgments.rules.errors import Refused
from judgments.rules.texts.collapsing import normalise
from judgments.rules.texts.diff import Change, compare_once
from judgments.rules.texts.words import tokenise
from ranking.models import Prediction
from ranking.numbers.tables import StatisticsError, Table
from ranking.reports.ballots import Collected, collect
from ranking.reports.kinds.verdicts import extract
from ranking.reports.rows import counted_now, excluded_from_reports
from ranking.stats.ballots import Ballots, starts_of
from ranking.stats.choices import FEWEST_REPLICATES, PEOPLE
from ranking.stats.comparisons.study import PRESETS, Parameters
from ranking.stats.power import curves
from ranking.stats.power.verdicts import (
    VERDICT_CURVES,
    VerdictAssumptions,
    assumed_verdict_worlds,
    verdict_outcomes,
    verdict_worlds_like,
)
from ranking.stats.power.worlds import AssumptionError, Assumptions, World, assumed_worlds, worlds_like
from ranking.stats.rankings.methods import METHODS
from ranking.stats.verdicts.study import VerdictParameters, VerdictStudy

CAMPAIGNS, MOST_CAMPAIGNS = 20, 200
JUDGES, MOST_JUDGES = 8, 1000
FEWEST_IN_PILOT = 60
RECOMMENDED = "recommended"
ASSUMED = Assumptions()
AnyAssumptions = Assumptions | VerdictAssumptions
UNFINISHED = "A prediction for this campaign is being made. Wait until it has finished, or cancel it."
SECONDS_BETWEEN_CURVES = 2
# Measured: 0.9 seconds for 2,000 judgments of 13 systems.
SECONDS_A_JUDGMENT = 5e-4
# Of the judgments of the plan.
SHARES = (0.125, 0.25, 0.5, 0.75, 1.0)
# The ways of choosing sentences that are compared; the others depend on judgments.
WAYS = tuple(way for way in Campaign.Sampling if way not in ADAPTIVE)


@dataclass(frozen=True)
class Wanted:
    """A plan of screens, and what is assumed; without assumptions, the judgments so far suggest it."""

    settings: Mapping[str, Any]
    screens: int | None = None
    assumptions: AnyAssumptions | None = ASSUMED
    judges: int = JUDGES
    campaigns: int = CAMPAIGNS
    preset: str = RECOMMENDED
    compare: bool = False
    # Made by itself for the page of the plan, which asks for another one whenever the plan changes.
    beside_plan: bool = False

    @classmethod
    def beside(cls, campaign: Campaign, settings: Mapping[str, Any], screens: int | None, judges: int | None) -> Self:
        """This plan, by the judgments so far or, where they are too few, by the usual assumptions."""
        has_pilot = judgments_made(campaign) >= FEWEST_IN_PILOT
        assumptions = None if has_pilot else kind_of_assumptions(campaign)()
        return cls(settings, screens, assumptions, judges or JUDGES, beside_plan=True)

    @classmethod
    def of_json(cls, campaign: Campaign, stored: dict[str, Any]) -> Self:
        assumptions = stored["assumptions"]
        return cls(**stored | {"assumptions": assumptions and kind_of_assumptions(campaign)(**assumptions)})


def kind_of_assumptions(campaign: Campaign) -> type[AnyAssumptions]:
    return VerdictAssumptions if judges_usages(campaign) else Assumptions


def assumptions_of(campaign: Campaign, given: Mapping[str, Any]) -> AnyAssumptions:
    """Take what is given of a campaign's assumptions, the defaults for the rest; refuse what is impossible together."""
    kind = kind_of_assumptions(campaign)
    chosen = {field.name: given[field.name] for field in fields(kind) if given.get(field.name) is not None}
    try:
        assumptions = kind(**chosen)
        if isinstance(assumptions, Assumptions):
            assumptions.deviations()
    except AssumptionError as reason:
        raise Refused(str(reason)) from reason
    return assumptions


def check(campaign: Campaign, wanted: Wanted) -> None:
    if not can_predict(campaign):
        raise Refused("Predictions are made for campaigns that rank, rate or give verdicts; this one does not.")
    if systems_compared(campaign) < 2:
        raise Refused("There are fewer than two systems to compare. Upload the material of more, then predict again.")
    if METHODS[PRESETS[wanted.preset].methods[0]].for_ratings and not protocol_of(campaign).has_scores:
        raise Refused("This preset analyses ratings, and the judges of this campaign rank. Choose another preset.")
    design = wanted.settings.get("design", campaign.design)
    if wanted.compare and (judges_usages(campaign) or design != Campaign.Design.SAMPLED):
        raise Refused(
            "Ways of choosing sentences are compared for the sampled design only. Choose it, or do not compare."
        )
    if wanted.assumptions is None and (judgments := judgments_made(campaign)) < FEWEST_IN_PILOT:
        raise Refused(
            f"A pilot needs {FEWEST_IN_PILOT} judgments, and there are {judgments}. State assumptions instead."
        )


def can_predict(campaign: Campaign) -> bool:
    return protocol_of(campaign).can_be_simulated


def judges_usages(campaign: Campaign) -> bool:
    return protocol_of(campaign).material == USAGES


def systems_compared(campaign: Campaign) -> int:
    """The number of systems that a report would compare."""
    if judges_usages(campaign):
        return Classification.objects.filter(system__campaign=campaign).values("system").distinct().count()
    return System.objects.filter(campaign=campaign).judged().count()


def judgments_made(campaign: Campaign) -> int:
    """All of them, those of a pilot and skipped ones included."""
    return counted_now(campaign, PEOPLE) + excluded_from_reports(campaign)


def prediction_for(campaign: Campaign, wanted: Wanted) -> Prediction | None:
    return cast(Prediction | None, Prediction.objects.filter(payload=asdict(wanted)).newest(campaign))


@transaction.atomic
def request_prediction(campaign: Campaign, user: Visitor, wanted: Wanted) -> Prediction:
    """Have a worker simulate the plan, instead of one that was only looked at."""
    check(campaign, wanted)
    for outdated in Prediction.objects.unfinished().filter(campaign=campaign, payload__beside_plan=True):
        cancel(outdated)
    assignments = planning.plan(campaign, dict(wanted.settings), wanted.screens).assignments
    # A comparison analyses six times what a prediction does: four ways, two of them with weights too.
    work = wanted.campaigns * assignments * SECONDS_A_JUDGMENT * (4 if wanted.compare else 1)
    columns = {"campaign": campaign, "requested_by_id": user.pk, "payload": asdict(wanted), "work": work}
    return enqueue(create_single(Prediction, UNFINISHED, **columns))


def simulate(job: Prediction, attempt: Attempt) -> None:
    wanted, stored = Wanted.of_json(job.campaign, job.payload), 0.0
    attempt.step("simulating campaigns", 0.0)
    progress = attempt.progress(0.0, 0.3 if wanted.compare else 1.0)

    def store(table: Table, done: int) -> None:
        nonlocal stored
        progress(done, wanted.campaigns)
        if monotonic() - stored > SECONDS_BETWEEN_CURVES:
            attempt.write(outcome={"curves": _as_json(table)})
            stored = monotonic()

    outcome = {"curves": _as_json(predict(job.campaign, wanted, store))}
    if wanted.compare:
        attempt.write(outcome=outcome)
        attempt.step("comparing ways of choosing sentences", 0.3)
        progress = attempt.progress(0.3, 1.0)
        table = compare(job.campaign, wanted, lambda done: progress(done, wanted.campaigns))
        outcome = outcome | {"comparison": _as_json(table)}
    attempt.finish(outcome=outcome)


def _as_json(table: Table) -> str:
    return json.dumps({"columns": table.columns, "rows": table.rows})


def predict(
    campaign: Campaign, wanted: Wanted, on_campaign: Callable[[Table, int], None] = lambda table, done: None
) -> Table:
    """Simulate the plan that these settings give, analysed by a preset of reports.

    `on_campaign` gets the curves so far, and the number of campaigns simulated.
    """
    check(campaign, wanted)
    batches = planning.draw(campaign, dict(wanted.settings), wanted.screens).batches
    seed, already = campaign.seed, 0
    columns: Sequence[str] = curves.CURVES
    if judges_usages(campaign):
        # Verdicts of a pilot suggest what usages and judges are like; they do not count.
        usage, judge = blank_verdicts(batches, wanted.judges)
        judgments, usages, columns = len(usage), int(usage.max()) + 1, VERDICT_CURVES
        verdict_parameters = VerdictParameters(replicates=FEWEST_REPLICATES, seed=seed)
        if isinstance(wanted.assumptions, VerdictAssumptions):
            verdict_worlds = assumed_verdict_worlds(wanted.assumptions, systems_compared(campaign), usages, seed)
        else:
            study = cast(VerdictStudy, extract(campaign, verdict_parameters).study)
            covered = study.crowd.is_decided & np.isfinite(study.classes).all(axis=0)
            if not covered.any():
                raise Refused("No usage has both a verdict and a class by every system. State assumptions instead.")
            verdicts = study.crowd_verdicts.choose(covered[study.crowd_verdicts.unit])
            verdict_worlds = verdict_worlds_like(verdicts, study.classes, usages, seed)
        points = sorted({max(1, round(share * judgments)) for share in SHARES})
        outcomes = verdict_outcomes(verdict_worlds, usage, judge, points, verdict_parameters, seed)
    else:
        # Judgments so far suggest what systems and judges are like, and those that are not of a pilot count too.
        found = collect(campaign)
        pilot = None if wanted.assumptions else pilot_of(collect(campaign, with_pilot=True))
        before = None if pilot is None else pilot_of(found)
        blank, _ = blank_ballots(batches, found, wanted.judges if pilot is None else len(found.names.judges))
        judgments, already = len(blank), 0 if before is None else len(before)
        points = sorted({already + max(1, round(share * judgments)) for share in SHARES} | ({already} - {0}))
        worlds = _worlds(wanted, blank.systems, pilot, seed)
        outcomes = curves.outcomes(worlds, blank, points, _parameters(campaign, wanted), seed, before)
    seconds = planning.pace(campaign).seconds * sum(len(batch.assignments) for batch in batches)
    hours = seconds / SECONDS_AN_HOUR / judgments
    simulated = []
    for one in islice(outcomes, wanted.campaigns):
        simulated.append(one)
        on_campaign(curves.curves(simulated, hours, already, columns), len(simulated))
    return curves.curves(simulated, hours, already, columns)


def _parameters(campaign: Campaign, wanted: Wanted) -> Parameters:
    return PRESETS[wanted.preset].with_changes(replicates=FEWEST_REPLICATES, seed=campaign.seed)


def pilot_of(found: Collected) -> Ballots:
    """The ballots of people that say something."""
    by_people = found.ballots.judge < len(found.names.judges)
    return found.ballots.choose(by_people & (found.ballots.sizes > 0))


def _worlds(wanted: Wanted, systems: int, pilot: Ballots | None, seed: int) -> Iterator[World]:
    if isinstance(wanted.assumptions, Assumptions):
        return assumed_worlds(wanted.assumptions, systems, seed)
    if pilot is None:
        raise TypeError("These are assumptions on verdicts.")
    try:
        return worlds_like(pilot, seed)
    except StatisticsError as reason:
        raise Refused(str(reason)) from reason


def _claims(batches: Sequence[PlannedBatch], judges: int) -> list[tuple[int, PlannedAssignment, PlannedScreen]]:
    """Judge, assignment and screen in the order of judging, without repeats.

    Every round of a batch goes to the next judge, and all judges work at the same time: one after the other, the first
    part of a plan would be by few judges, of whom alone a report would speak, and seem to separate more than the whole.
    """
    claimed, sittings = [], 0
    for batch in batches:
        for assignment in batch.assignments:
            sittings += assignment.position == 0
            if assignment.repeats is None:
                turn, judge = divmod(sittings - 1, judges)
                claimed.append((turn, assignment.position, judge, assignment, batch.screens[assignment.screen]))
    return [one[2:] for one in sorted(claimed, key=itemgetter(0, 1, 2))]


def blank_ballots(batches: Sequence[PlannedBatch], found: Collected, judges: int) -> tuple[Ballots, np.ndarray]:
    """Ballots without answers, in the order of judging, and their weights, if all are known.

    Repeats and controls are left out.
    """
    candidates = {candidate: place for place, candidate in enumerate(found.candidates)}
    segments = {segment: place for place, segment in enumerate(found.segments)}
    judge, segment, shown, weights = [], [], [], []
    for number, assignment, screen in _claims(batches, judges):
        keys = (screen.candidates[place] for place in assignment.order)
        known = [candidates[key] for key in keys if key in candidates]
        if len(known) > 1:
            judge.append(number)
            segment.append(segments[screen.segment])
            shown.append(known)
            weights.append(screen.weight)
    if not shown:
        raise Refused("These screens compare no two systems, so they separate nothing.")
    ballots = Ballots(
        systems=found.ballots.systems, judges=judges, documents=found.ballots.documents,
        judge=np.array(judge, dtype=np.int32), segment=np.array(segment, dtype=np.int32), seconds=np.zeros(len(shown)),
        starts=starts_of([len(one) for one in shown]),
        candidate=np.array([candidate for one in shown for candidate in one], dtype=np.int32),
        merit=np.zeros(sum(map(len, shown))), candidates=found.ballots.candidates,
        document_of=found.ballots.document_of,
    )  # fmt: skip
    return ballots, np.array([] if None in weights else weights, dtype=float)


def blank_verdicts(batches: Sequence[PlannedBatch], judges: int) -> tuple[np.ndarray, np.ndarray]:
    """The usage and the judge of each verdict, in the order of judging; no repeats, no controls.

    Usages are numbered as they come.
    """
    numbers: dict[int | None, int] = {}
    claimed = [
        (numbers.setdefault(screen.usage, len(numbers)), judge)
        for judge, _, screen in _claims(batches, judges)
        if not screen.has_control
    ]
    return np.array([usage for usage, _ in claimed]), np.array([judge for _, judge in claimed])


def compare(campaign: Campaign, wanted: Wanted, on_campaign: Callable[[int], None] = lambda done: None) -> Table:
    """Simulate the plan with each way of choosing sentences; `on_campaign` gets the number of campaigns simulated."""
    check(campaign, wanted)
    found = collect(campaign)
    pilot = None if wanted.assumptions else pilot_of(found)
    judges = wanted.judges if pilot is None else len(found.names.judges)
    collection = _collection(campaign, found)

    def plans(way: str) -> Iterator[tuple[Ballots, np.ndarray]]:
        """Plans by different seeds, as ballots without answers."""
        for drawn in planning.draw_endlessly(campaign, {**wanted.settings, "sampling": way}, wanted.screens):
            yield blank_ballots(drawn.batches, found, judges)

    by_way = {way.value: plans(way.value) for way in WAYS}
    worlds = _worlds(wanted, found.ballots.systems, pilot, campaign.seed)
    lines = curves.compare(worlds, by_way, collection, _parameters(campaign, wanted), campaign.seed)
    simulated = []
    for one in islice(lines, wanted.campaigns):
        simulated.append(one)
        on_campaign(len(simulated))
    return curves.table_of(simulated, collection)


def _collection(campaign: Campaign, found: Collected) -> curves.Collection:
    """The texts of the systems, and what can be computed from them alone."""
    place_of = {segment: place for place, segment in enumerate(found.segments)}
    number_of = {candidate: number for number, candidate in enumerate(found.candidates)}
    system_of = {name: number for number, name in enumerate(found.names.systems)}
    texts = np.full((len(place_of), len(system_of)), -1)
    outputs = SystemOutput.objects.filter(system__campaign=campaign, system__name__in=system_of)
    for segment, system, candidate in outputs.values_list("segment", "system__name", "candidate").iterator(10_000):
        texts[place_of[segment], system_of[system]] = number_of[candidate]
    written = dict(Candidate.objects.filter(segment__campaign=campaign).values_list("pk", "text").iterator(10_000))
    sources = dict(Segment.objects.filter(campaign=campaign).values_list("pk", "text").iterator(10_000))
    # The number of distinct outputs, the share of unchanged ones, the mean number of edits, words of the source.
    measures = []
    for segment, own in zip(found.segments, texts.tolist(), strict=True):
        source, given = sources[segment], [written[found.candidates[text]] or "" for text in own if text >= 0]
        if source is None or not given:
            measures.append((len(set(given)), np.nan, np.nan, np.nan))
            continue
        edits = {
            text: sum(piece.change is not Change.SAME for piece in compare_once(source, text)) for text in set(given)
        }
        unchanged = sum(normalise(text) == normalise(source) for text in given) / len(given)
        words = sum(bool(token.text) for token in tokenise(source))
        measures.append((len(edits), unchanged, sum(edits[text] for text in given) / len(given), words))
    diversity = np.zeros(len(place_of))
    for choice in assigning.with_diversity(campaign, assigning.choices_of(campaign)):
        diversity[place_of[choice.segment]] = choice.diversity
    return curves.Collection(texts, diversity, np.array(measures, dtype=float))
