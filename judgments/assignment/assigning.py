"""Assigning screens, batches and assignments by a campaign's settings and seed; and withdrawing batches that nobody has
begun, the way back from an assignment that was planned wrongly.
"""

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from itertools import groupby, islice
from operator import itemgetter
from typing import NamedTuple

from django.db import transaction
from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet

from judgments.assignment.rules import assigning
from judgments.assignment.rules.assigning import Choice, PlannedBatch, PlannedScreen, PlanSettings, ScreenSubject
from judgments.assignment.rules.sampling import Favour, diversity
from judgments.models import (
    Assignment,
    AssignmentJob,
    Batch,
    Campaign,
    Candidate,
    Draft,
    Screen,
    Segment,
    Slot,
    System,
    SystemOutput,
    Usage,
)
from judgments.models.campaign import LARGEST_BATCH
from judgments.models.journal import note
from judgments.models.screens import written_order
from judgments.protocols import protocol_of
from judgments.protocols.base import USAGES
from judgments.rules.errors import Refused
from judgments.rules.progress import Progress, no_progress

BATCHES_AT_ONCE = 50
# Where screens depend on judgments, what is drawn before there are any: a share, and so many batches at least.
FIRST_SHARE = 0.2
FIRST_BATCHES = 2
NOTHING_TO_JUDGE = "There is nothing to judge yet. Upload texts on the page Material first."
ONLY_CONTROLS = (
    "Every usage has a known answer, so with a share of controls all usages are controls and none is left to judge. "
    "Set the share of controls to 0, or upload usages without gold."
)
DOCUMENT_TOO_LONG = (
    "A document has {screens:,} screens, but a batch has at most {most:,}. Turn document mode off, or use a campaign "
    "whose texts blank lines or documents.tsv divide into shorter documents."
)
# Stands for the candidates of controls that are made when screens are assigned.
TO_BE_MADE = -1
NOTHING_LEFT = "Everything is already assigned. Upload more on the page Material first."
NOTHING_TO_COMPARE = "No sentence has two different outputs to compare; upload the outputs of more systems first."


@dataclass(frozen=True)
class Assigned:
    screens: int
    automatic: int
    batches: int
    assignments: int
    later: int = 0


def settings_of(campaign: Campaign, screens: int | None) -> PlanSettings:
    protocol = protocol_of(campaign)
    own = {one.name: getattr(campaign, one.name) for one in fields(PlanSettings) if hasattr(campaign, one.name)}
    return PlanSettings(**own, screens=screens, allows_single=protocol.allows_single, in_order=protocol.in_order)


class Draw(NamedTuple):
    """Batches for judges, ties that no judge needs to see, and how many sentences were considered in rounds."""

    batches: list[PlannedBatch]
    automatic: list[PlannedScreen]
    offered: int = 0


def draw(campaign: Campaign, settings: PlanSettings, with_controls: bool = False) -> Draw:
    """Draw the campaign's next batches by its seed, as if every sentence had a control if some are to be made."""
    rng = random.Random(f"{campaign.seed}:{next_batch(campaign)}")
    if protocol_of(campaign).has_candidates:
        choices = choices_of(campaign)
        if with_controls:
            choices = [choice._replace(control=choice.control or TO_BE_MADE) for choice in choices]
        drawn = draw_from(choices, settings, rng)
    else:
        drawn = Draw(list(assigning.plan_subjects(subjects_of(campaign), settings, rng)), [])
    longest = max((len(batch.screens) for batch in drawn.batches), default=0)
    if longest > LARGEST_BATCH:
        raise Refused(DOCUMENT_TOO_LONG.format(screens=longest, most=LARGEST_BATCH))
    return drawn


def draw_from(choices: list[Choice], settings: PlanSettings, rng: random.Random) -> Draw:
    chosen = assigning.choose_screens(choices, settings, rng)
    batches = list(assigning.plan_batches(chosen, settings, rng))
    return Draw(batches, [screen for screen in chosen if screen.automatic])


def draw_next(campaign: Campaign, settings: PlanSettings, favour: Favour | None) -> Draw:
    """Draw the next batches of a campaign whose screens depend on the judgments so far."""
    rng = random.Random(f"{campaign.seed}:{next_batch(campaign)}")
    screens, offered = assigning.choose_next(choices_of(campaign), settings, favour, rng)
    return Draw(list(assigning.plan_batches(screens, settings, rng)), [], offered)


def first_batch(campaign: Campaign) -> PlannedBatch | None:
    """The first batch that the campaign's settings would assign now, for one judge; None if there is nothing."""
    batches = draw(campaign, replace(settings_of(campaign, screens=None), redundancy=1)).batches
    return batches[0] if batches else None


def expected_assignments(campaign: Campaign, settings: PlanSettings) -> int:
    """The approximate number of assignments that the next run will create."""
    if protocol_of(campaign).has_candidates:
        return assigning.expected_assignments(choices_of(campaign), settings)
    return assigning.expected_assignments_without_comparisons(subjects_of(campaign), settings)


def nothing_to_assign(campaign: Campaign) -> str:
    """Why nothing can be assigned, or an empty text."""
    if not Segment.objects.filter(campaign=campaign).exists():
        return NOTHING_TO_JUDGE
    if protocol_of(campaign).has_candidates:
        return NOTHING_TO_COMPARE
    if Batch.objects.filter(campaign=campaign).exists():
        return NOTHING_LEFT
    return ONLY_CONTROLS if subjects_of(campaign) else NOTHING_TO_JUDGE


def subjects_of(campaign: Campaign) -> list[ScreenSubject]:
    """Sentences with a text, or usages, that are on no screen yet, and controls, which are assigned repeatedly.

    If the campaign has a share of controls, usages with a known answer are controls.
    """
    if protocol_of(campaign).material != USAGES:
        on_screens = Screen.objects.filter(campaign=campaign).exclude(batch=None).values("segment")
        segments = Segment.objects.filter(campaign=campaign, text__isnull=False).exclude(pk__in=on_screens)
        sentences = segments.order_by("position").values_list("pk", "document__domain", "document")
        return [ScreenSubject(segment, domain, document=document) for segment, domain, document in sentences]
    assigned = set(Screen.objects.filter(campaign=campaign, usage__isnull=False).values_list("usage", flat=True))
    rows = Usage.objects.filter(campaign=campaign).order_by("pk")
    with_controls = campaign.control_share > 0
    subjects = [
        ScreenSubject(segment, domain, usage, is_control=with_controls and gold is not None)
        for segment, domain, usage, gold in rows.values_list("segment", "segment__document__domain", "pk", "gold")
    ]
    return [subject for subject in subjects if subject.is_control or subject.usage not in assigned]


def choices_of(campaign: Campaign) -> list[Choice]:
    """The candidates that can be shown for each segment."""
    rows = (
        SystemOutput.objects.filter(system__campaign=campaign)
        .exclude(system__kind=System.Kind.REFERENCE, system__takes_part=False)
        .order_by("segment__position", "candidate")
        .values_list(
            "segment", "segment__document", "segment__document__domain", "candidate", "system__kind",
            "system__takes_part",
        )
    )  # fmt: skip
    by_segment = groupby(rows.iterator(10_000), key=itemgetter(0, 1, 2))
    choices = []
    for (segment, document, domain), group in by_segment:
        outputs = [row[3:] for row in group]
        counts = Counter(candidate for candidate, _, takes_part in outputs if takes_part)
        by_kind = {kind: candidate for candidate, kind, _ in reversed(outputs)}  # the first of each kind
        source, control = by_kind.get(System.Kind.SOURCE), by_kind.get(System.Kind.CONTROL)
        choices.append(Choice(segment, domain, tuple(counts), tuple(counts.values()), source, control, document))
    return with_diversity(campaign, choices) if campaign.sampling == Campaign.Sampling.DIVERSE else choices


def with_diversity(campaign: Campaign, choices: list[Choice]) -> list[Choice]:
    """The same choices, with the diversity of their texts and the number of screens that show them."""
    texts = dict(Candidate.objects.filter(segment__campaign=campaign).values_list("pk", "text").iterator(10_000))
    if None in texts.values():
        raise Refused("Outputs without texts cannot be compared; choose sentences in another way.")
    screens = Screen.objects.filter(campaign=campaign).exclude(batch=None)
    shown = dict(screens.values_list("segment").annotate(Count("pk")).order_by())
    return [
        choice._replace(
            diversity=diversity([texts[candidate] or "" for candidate in choice.candidates], choice.multiplicities),
            shown=shown.get(choice.segment, 0),
        )
        for choice in choices
    ]


def next_batch(campaign: Campaign) -> int:
    """The number of the next batch, which is part of the next run's seed."""
    return (Batch.objects.filter(campaign=campaign).aggregate(last=Max("number"))["last"] or 0) + 1


@transaction.atomic
def assign(campaign: Campaign, screens: int | None = None, progress: Progress = no_progress) -> Assigned:
    """Create screens and assignments by the campaign's settings and seed; a second run adds more."""
    campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
    if campaign.state in (Campaign.State.CLOSED, Campaign.State.ARCHIVED):
        raise Refused(f"The campaign is {campaign.get_state_display()}; reopen it before you assign screens.")
    if screens is not None and (screens < 1 or campaign.design == Campaign.Design.COMPLETE):
        raise Refused(
            "Only sampled campaigns take a number of screens, 1 or more; a complete campaign shows every output."
        )
    compares = protocol_of(campaign).has_candidates
    if compares and campaign.design == Campaign.Design.COMPLETE and next_batch(campaign) > 1:
        raise Refused("Every output is already assigned; the screens of a complete campaign are assigned only once.")
    settings = settings_of(campaign, screens)
    if not settings.is_adaptive:
        return _write(campaign, draw(campaign, settings), 0, progress)
    # Some of the screens are drawn before anything is known, and the others while judging goes on.
    wanted = settings.screens or sum(len(choice.candidates) > 1 for choice in choices_of(campaign))
    now = min(wanted, max(round(FIRST_SHARE * wanted), FIRST_BATCHES * settings.fresh_per_batch()))
    return _write(campaign, draw_next(campaign, replace(settings, screens=now), None), wanted - now, progress)


@transaction.atomic
def assign_next(campaign: Campaign, screens: int, favour: Favour | None, first: int) -> Assigned | None:
    """Assign the next of the screens that were left for later, from the batch with this number on.

    None if somebody else was first, or if the campaign was closed meanwhile.
    """
    campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
    screens = min(screens, campaign.later_screens)
    if not campaign.is_open or not screens or next_batch(campaign) != first:
        return None
    drawn = draw_next(campaign, replace(settings_of(campaign, screens), screens=screens), favour)
    return _write(campaign, drawn, -screens)


def _write(campaign: Campaign, drawn: Draw, later: int, progress: Progress = no_progress) -> Assigned:
    """Store what was drawn; so many screens more, or fewer, are left for later."""
    batches, automatic, offered = drawn
    if not batches:
        raise Refused(nothing_to_assign(campaign))
    first = next_batch(campaign)
    _write_screens(campaign, ((screen, None) for screen in automatic))
    for done in range(0, len(batches), BATCHES_AT_ONCE):
        part = batches[done : done + BATCHES_AT_ONCE]
        _write_batches(campaign, first + done, part)
        progress(done + len(part), len(batches))
    campaign.sentences_offered += offered
    campaign.later_screens += later
    if campaign.pilot and first == 1:
        campaign.pilot_batches = len(batches)
    campaign.save(update_fields=["sentences_offered", "later_screens", "pilot_batches"])
    screens_shown = sum(len(batch.screens) for batch in batches)
    assignments = sum(len(batch.assignments) for batch in batches)
    assigned = Assigned(screens_shown, len(automatic), len(batches), assignments, campaign.later_screens)
    note(campaign, f"assigned {assigned.screens} screens in {assigned.assignments} assignments by seed {campaign.seed}")
    return assigned


def _write_screens(campaign: Campaign, screens: Iterable[tuple[PlannedScreen, Batch | None]]) -> list[Screen]:
    screens = list(screens)
    written = Screen.objects.bulk_create(
        Screen(
            campaign=campaign,
            segment_id=screen.segment,
            batch=batch,
            automatic=screen.automatic,
            has_control=screen.has_control,
            usage_id=screen.usage,
            weight=screen.weight,
        )
        for screen, batch in screens
    )
    Slot.objects.bulk_create(
        Slot(screen=row, candidate_id=candidate, position=position)
        for row, (screen, _) in zip(written, screens, strict=True)
        for position, candidate in enumerate(screen.candidates)
    )
    return written


def _write_batches(campaign: Campaign, first: int, batches: list[PlannedBatch]) -> None:
    """Write batches with their screens and assignments, and link repeats to their originals."""
    rows = Batch.objects.bulk_create(
        Batch(campaign=campaign, number=first + place, domain=batch.domain) for place, batch in enumerate(batches)
    )
    planned = ((screen, row) for row, batch in zip(rows, batches, strict=True) for screen in batch.screens)
    screens = iter(_write_screens(campaign, planned))
    assignments: dict[tuple[int, int, int], Assignment] = {}
    repeats: dict[tuple[int, int, int], tuple[int, int, int]] = {}
    for row, batch in zip(rows, batches, strict=True):
        here = list(islice(screens, len(batch.screens)))
        for assignment in batch.assignments:
            place = (row.pk, assignment.round, assignment.position)
            assignments[place] = Assignment(
                campaign=campaign,
                screen=here[assignment.screen],
                batch=row,
                round=assignment.round,
                position=assignment.position,
                order=written_order(assignment.order),
            )
            if assignment.repeats is not None:
                repeats[place] = (row.pk, assignment.round, assignment.repeats)
    # Created together in the order of positions, because judges see the ids of assignments, which must not reveal
    # repeats.
    Assignment.objects.bulk_create(assignments.values())
    for place, original in repeats.items():
        assignments[place].repeats = assignments[original]
    Assignment.objects.bulk_update((assignments[place] for place in repeats), ["repeats"], batch_size=500)


UNASSIGNED = "No screens are assigned, so nothing can be withdrawn."
NOTHING = "Somebody has begun every batch, so nothing can be withdrawn."
ALL_OR_NONE = (
    "Judges have begun some batches, and these screens were drawn as a whole: {why}. Close the campaign if judging "
    "should end."
)
COMPLETE = "a complete campaign shows every output once, and could not assign the withdrawn ones again"
TIES = "sentences on which all systems agree count as ties in proportion to them"


class Withdrawn(NamedTuple):
    screens: int
    assignments: int


def not_begun(campaign: Campaign) -> QuerySet[Batch]:
    """The batches of whose screens nobody, no program and no adjudicator either, holds or has drafted one."""
    claimed = Assignment.objects.filter(screen__batch=OuterRef("pk"), judge__isnull=False)
    begun = Draft.objects.filter(assignment__screen__batch=OuterRef("pk"))
    return Batch.objects.filter(~Exists(claimed), ~Exists(begun), campaign=campaign)


def can_be_withdrawn(campaign: Campaign) -> int:
    """The number of screens in batches that can be withdrawn."""
    free = not_begun(campaign)
    return 0 if _fault(campaign, free) else Screen.objects.filter(batch__in=free).count()


@transaction.atomic
def withdraw(campaign: Campaign) -> Withdrawn:
    """Delete all batches that nobody has begun, with their screens; if that is all, as if none had been assigned."""
    campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
    if AssignmentJob.objects.unfinished().filter(campaign=campaign).exists():
        raise Refused("Screens are being assigned. Wait until that is done, or cancel it.")
    # Whoever claims one of these now waits, or takes another; whoever was first has begun its batch.
    waiting = Assignment.objects.filter(screen__batch__in=not_begun(campaign))
    list(waiting.select_for_update(of=("self",)).values_list("pk"))
    free = list(not_begun(campaign).values_list("pk", flat=True))
    batches = Batch.objects.filter(pk__in=free)
    if fault := _fault(campaign, batches):
        raise Refused(fault if Batch.objects.filter(campaign=campaign).exists() else UNASSIGNED)
    screens = Screen.objects.filter(campaign=campaign).filter(Q(batch__in=free) | Q(automatic=True))
    assignments = Assignment.objects.filter(screen__batch__in=free)
    withdrawn = Withdrawn(screens.exclude(batch=None).count(), assignments.count())
    # In this order no remaining row refers to a deleted one, so Django need not collect related rows.
    for rows in (assignments, Slot.objects.filter(screen__in=screens), screens, batches):
        rows._raw_delete(rows.db)
    last = Batch.objects.filter(campaign=campaign).aggregate(last=Max("number"))["last"] or 0
    if last:
        campaign.pilot_batches = min(campaign.pilot_batches, last)
    else:
        campaign.pilot_batches = campaign.later_screens = campaign.sentences_offered = 0
    campaign.save(update_fields=["pilot_batches", "later_screens", "sentences_offered"])
    note(campaign, f"withdrew {withdrawn.screens} screens in {withdrawn.assignments} assignments that nobody had begun")
    return withdrawn


def _fault(campaign: Campaign, free: QuerySet[Batch]) -> str:
    """Why these batches cannot be withdrawn, or an empty text."""
    if not free.exists():
        return NOTHING
    if not Batch.objects.filter(campaign=campaign).exclude(pk__in=free.values("pk")).exists():
        return ""
    if campaign.design == Campaign.Design.COMPLETE and protocol_of(campaign).has_candidates:
        return ALL_OR_NONE.format(why=COMPLETE)
    return ALL_OR_NONE.format(why=TIES) if Screen.objects.filter(campaign=campaign, automatic=True).exists() else ""
