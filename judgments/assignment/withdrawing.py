"""Withdrawing batches that nobody has begun: the way back from an assignment that was planned wrongly."""

from typing import NamedTuple

from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from judgments.models import Assignment, AssignmentJob, Batch, Campaign, Draft, Screen, Slot
from judgments.models.journal import note
from judgments.protocols import protocol_of
from judgments.rules.errors import Refused

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
