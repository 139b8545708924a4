"""Planning assignments and carrying out a plan, in the request or, if it is large, in a worker."""

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import asdict
from itertools import count
from random import Random
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Avg, Count, Max, Min, QuerySet

from judgments.assignment import assigning
from judgments.assignment.rules.assigning import PlanSettings
from judgments.assignment.rules.controls import add_errors_to_all
from judgments.assignment.rules.planning import PlanSummary, plan_of
from judgments.campaigns import settings as campaign_settings
from judgments.campaigns import states
from judgments.charts.numbers import quantity, text_list
from judgments.jobs.attempts import Attempt
from judgments.jobs.control import create_single
from judgments.jobs.tasks import enqueue
from judgments.material.rules.contents import Lines, UploadedMaterial
from judgments.material.storing import StoredCounts, store_material
from judgments.models import (
    Assignment,
    AssignmentJob,
    Campaign,
    Candidate,
    Judgment,
    Membership,
    Segment,
    System,
)  # fmt: skip
from judgments.models.members import Visitor
from judgments.protocols import protocol_of
from judgments.protocols.rows import systems_behind
from judgments.rules.authored.pay import SECONDS_AN_HOUR
from judgments.rules.errors import Refused
from judgments.rules.progress import Progress, no_progress

MOST_SCREENS = 1_000_000
FEWEST_JUDGMENTS = 20
NEWEST = 1000
# Planning or assigning this many takes a few seconds, short enough for a request.
MOST_ASSIGNMENTS_PLANNED = 100_000
MOST_ASSIGNMENTS_AT_ONCE = 20_000
# Outputs and references that controls are compared with in a few seconds.
MOST_TEXTS_COMPARED = 20_000
# A worker simulates judges of this many within a minute; of more, only when an organiser asks.
MOST_ASSIGNMENTS_SIMULATED = 5_000
# A worker assigns this many without running out of memory.
MOST_ASSIGNMENTS = 2_000_000
CONTROL_NAME = "source+error"
UNFINISHED = "Screens are already being assigned. Wait until that job has finished, or cancel it."


FAVOURED = (
    "The {unit}s on which systems differ are drawn more often, so these numbers describe such {unit}s and not the "
    "whole collection."
)
ADAPTIVE = (
    "Screens are drawn one after the other by what the judgments so far leave undecided, each with a known probability."
)
ABOUT = {
    Campaign.Sampling.PUBLISHED: FAVOURED,
    Campaign.Sampling.CHANCE: "Every {unit} is as likely as any other, so these numbers describe the collection.",
    Campaign.Sampling.DISTINCT: FAVOURED,
    Campaign.Sampling.DIVERSE: "These are the {unit}s whose outputs differ most, so these numbers describe "
    "these {unit}s, not the collection.",
    Campaign.Sampling.UNDECIDED: ADAPTIVE,
    Campaign.Sampling.FIRST_RANKS: ADAPTIVE,
}
ABOUT_ALL = "Every output of every {unit} is shown, so these numbers describe these {unit}s."


class JudgingPace(NamedTuple):
    """Seconds a screen takes, and the number of judgments averaged; 0 if the protocol's estimate is used."""

    seconds: float
    judgments: int


def scope_of(campaign: Campaign, settings: Mapping[str, Any]) -> str:
    """What numbers from these screens describe; empty where no outputs are compared."""
    protocol = protocol_of(campaign)
    if not protocol.has_candidates:
        return ""
    chosen = {"design": campaign.design, "sampling": campaign.sampling, **settings}
    said = ABOUT_ALL if chosen["design"] == Campaign.Design.COMPLETE else ABOUT[chosen["sampling"]]
    return said.format(unit=protocol.unit)


def design_of(campaign: Campaign, counted: QuerySet[Judgment]) -> str:
    """What judges saw, how often they judged it, and what they did before, for a paper; empty without judgments."""
    of_screens = counted.order_by().values("screen").annotate(judges=Count("assignment__judge", distinct=True))
    judged = of_screens.aggregate(screens=Count("screen"), least=Min("judges"), most=Max("judges"))
    if not judged["screens"]:
        return ""
    protocol, least = protocol_of(campaign), judged["least"]
    judges = quantity(least, "judge") if least == judged["most"] else f"{least:,} to {judged['most']:,} judges"
    each = f"each of {quantity(judged['screens'], 'screen')} was judged by {judges}"
    if protocol.has_candidates:
        said = (
            f"Judges saw up to {campaign.screen_size} outputs of a {protocol.unit} at a time, in an order drawn for "
            f"each of them and without the names of systems; {each}."
        )
    else:
        said = f"{each.capitalize()}."
    many = {"repeat": counted.exclude(assignment__repeats=None), "control": counted.filter(screen__has_control=True)}
    some = {what: chosen.count() for what, chosen in many.items()}
    if campaign.repeat_share or campaign.control_share or any(some.values()):
        parts = [quantity(number, what) if number else f"no {what}s" for what, number in some.items()]
        said += f" Their {quantity(counted.count(), 'answer')} include {' and '.join(parts)}."
    before = {
        "agreed to a text of consent": campaign.consent,
        "worked through a tutorial": campaign.tutorial,
        f"answered questions on the instructions, {100 * campaign.pass_share:.3g}% of them right": campaign.questions,
    }
    if steps := [step for step, text in before.items() if text]:
        said += f" Before their first screen, judges {text_list(steps)}."
    return said


def pace(campaign: Campaign) -> JudgingPace:
    submitted = Assignment.objects.filter(campaign=campaign, judge__role=Membership.Role.JUDGE).done()
    newest = submitted.order_by("-submitted_at").values("pk")[:NEWEST]
    timed = Judgment.objects.current().filter(assignment__in=newest, skipped=False, active_seconds__gt=0)
    totals = timed.aggregate(mean=Avg("active_seconds"), judgments=Count("pk"))
    if totals["judgments"] < FEWEST_JUDGMENTS:
        return JudgingPace(protocol_of(campaign).seconds, 0)
    return JudgingPace(totals["mean"], totals["judgments"])


def plan(
    campaign: Campaign, settings: dict[str, Any], screens: int | None = None, with_controls: bool = False
) -> PlanSummary:
    """Compute what these settings would assign now; nothing is stored."""
    drawn = draw(campaign, settings, screens, with_controls)
    names = systems_behind(campaign, system__takes_part=True) if protocol_of(campaign).has_candidates else {}
    return plan_of(drawn.batches, len(drawn.automatic), names, pace(campaign).seconds)


def draw(
    campaign: Campaign, settings: dict[str, Any], screens: int | None = None, with_controls: bool = False
) -> assigning.Draw:
    """Draw what these settings would assign now; nothing is stored."""
    campaign = _with_settings(campaign, settings)
    chosen_by = assigning.settings_of(campaign, screens)
    if (assignments := assigning.expected_assignments(campaign, chosen_by)) > MOST_ASSIGNMENTS_PLANNED:
        raise Refused(
            f"A plan of {assignments:,} assignments is too large to be computed in a request. Check the plan again."
        )
    drawn = assigning.draw(campaign, chosen_by, with_controls)
    if not drawn.batches:
        raise Refused(assigning.nothing_to_assign(campaign))
    return drawn


def draw_endlessly(campaign: Campaign, settings: Mapping[str, Any], screens: int | None) -> Iterator[assigning.Draw]:
    """Draw plans by these settings and other seeds, endlessly; for simulations."""
    campaign = _with_settings(campaign, settings)
    chosen_by, choices = assigning.settings_of(campaign, screens), assigning.choices_of(campaign)
    for number in count():
        yield assigning.draw_from(choices, chosen_by, Random(f"{campaign.seed}:{number}"))


def rough_plan(campaign: Campaign, settings: dict[str, Any], screens: int | None = None) -> dict[str, float] | None:
    """Estimate what these settings would assign; None if the plan is small enough to be computed in a request."""
    chosen_by, assignments = _estimate(campaign, settings, screens)
    if assignments <= MOST_ASSIGNMENTS_PLANNED:
        return None
    a_round = assignments // chosen_by.redundancy
    return {
        "screens": a_round * chosen_by.fresh_per_batch() // chosen_by.batch_size,
        "assignments": assignments,
        "batches": -(-a_round // chosen_by.batch_size),
        "hours": assignments * pace(campaign).seconds / SECONDS_AN_HOUR,
    }


def takes_long(campaign: Campaign, settings: dict[str, Any], screens: int | None = None) -> bool:
    """Whether these settings assign so many screens that a worker has to do it."""
    return _estimate(campaign, settings, screens)[1] > MOST_ASSIGNMENTS_AT_ONCE


def _estimate(campaign: Campaign, settings: dict[str, Any], screens: int | None) -> tuple[PlanSettings, int]:
    """The settings of the plan and its approximate number of assignments; refuse plans too large for a worker."""
    campaign = _with_settings(campaign, settings)
    chosen_by = assigning.settings_of(campaign, screens)
    assignments = assigning.expected_assignments(campaign, chosen_by)
    if assignments > MOST_ASSIGNMENTS:
        raise Refused(
            f"{assignments:,} assignments exceed the {MOST_ASSIGNMENTS:,} that can be created at once. Assign "
            "fewer screens, or fewer judges per screen; you can assign more later."
        )
    return chosen_by, assignments


def _with_settings(campaign: Campaign, settings: Mapping[str, Any]) -> Campaign:
    campaign = copy(campaign)
    for name, value in settings.items():
        setattr(campaign, name, value)
    campaign_settings.check(campaign)
    return campaign


@transaction.atomic
def launch(
    campaign: Campaign,
    settings: dict[str, Any],
    screens: int | None = None,
    with_controls: bool = False,
    opens: bool = True,
    progress: Progress = no_progress,
) -> assigning.Assigned:
    """Store the settings, make controls if requested, assign screens, and open the campaign."""
    campaign_settings.configure(campaign, **settings)
    if with_controls:
        make_controls(campaign)
    assigned = assigning.assign(campaign, screens, progress)
    if opens:
        states.open_campaign(campaign)
    return assigned


@transaction.atomic
def make_controls(campaign: Campaign) -> StoredCounts:
    """Add a control to the systems: source sentences with one or two errors added, where outputs leave room."""
    if System.objects.filter(campaign=campaign, kind=System.Kind.CONTROL).exists():
        raise Refused("The campaign already has a control.")
    sources = dict(Segment.objects.filter(campaign=campaign).order_by("position").values_list("pk", "text"))
    if not sources or None in sources.values():
        raise Refused("Controls are made from source sentences, but the campaign has none.")
    others: dict[int, list[str]] = {segment: [] for segment in sources}
    shown = Candidate.objects.filter(segment__campaign=campaign, text__gt="")  # an empty output changes no word
    for segment, text in shown.values_list("segment", "text").iterator():
        others[segment].append(str(text))
    are_whole = not protocol_of(campaign).has_lines
    texts = [text or "" for text in sources.values()]
    worse = add_errors_to_all(texts, campaign.seed, [*others.values()], are_whole=are_whole)
    if not any(worse):
        raise Refused("Outputs or references change every word of every sentence, so no control can be made of them.")
    control = Lines(CONTROL_NAME, worse)
    return store_material(campaign, UploadedMaterial(places=[], source=None, controls=[control]))


@transaction.atomic
def request(
    campaign: Campaign, user: Visitor, settings: dict[str, Any], screens: int | None, with_controls: bool
) -> AssignmentJob:
    chosen = {"settings": settings, "screens": screens, "with_controls": with_controls}
    return enqueue(create_single(AssignmentJob, UNFINISHED, campaign=campaign, requested_by_id=user.pk, payload=chosen))


def assign_or_request(
    campaign: Campaign, user: Visitor, settings: dict[str, Any], screens: int | None, with_controls: bool
) -> assigning.Assigned | AssignmentJob:
    """Assign in the request, or create a job for very many assignments; refused while there is an unfinished job."""
    if AssignmentJob.objects.unfinished().filter(campaign=campaign).exists():
        raise Refused(UNFINISHED)
    texts = Candidate.objects.filter(segment__campaign=campaign).count() if with_controls else 0
    if texts > MOST_TEXTS_COMPARED or takes_long(campaign, settings, screens):
        return request(campaign, user, settings, screens, with_controls)
    plan(campaign, settings, screens)  # refuses what assigns nothing, or too much for a request
    return launch(campaign, settings, screens, with_controls, opens=False)


def check_plan(campaign: Campaign, assigned_before: int | None) -> None:
    """Refuse a plan made before other screens were assigned, for example when a button was pressed twice."""
    if assigned_before is not None and assigned_before != assigning.next_batch(campaign):
        raise Refused("Screens have been assigned in the meantime. Check the new plan before you assign more.")


def assign_in_job(job: AssignmentJob, attempt: Attempt) -> None:
    """Assign everything in one transaction."""
    attempt.step("choosing and assigning screens", 0.0)
    with transaction.atomic():
        progress = attempt.progress(0.0, 1.0)
        assigned = launch(job.campaign, **job.payload, opens=False, progress=progress)
        attempt.finish(outcome=asdict(assigned))
