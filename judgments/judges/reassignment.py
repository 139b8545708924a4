"""Assignments anew for what was answered by a judge who does not count, so that as many answers count as were wanted.

A new assignment stands in for the old one, which stays with its judge; who counts again takes back those that nobody
began.
"""

from collections.abc import Iterable, Mapping, Sequence

from django.db import transaction
from django.db.models import Max, QuerySet

from judgments.models import Assignment, Batch, Membership, StandIn


@transaction.atomic
def reassign(judge: Membership) -> int:
    """Free what the judge holds, and deal once more what nobody stands in for yet; how many assignments."""
    mine = Assignment.objects.held_by(judge).planned()
    mine.waiting().update(judge=None, claimed_at=None, leased_until=None)
    rounds = list(
        mine.done().filter(stood_in_by=None).order_by("batch_id", "round").values_list("batch_id", "round").distinct()
    )
    _locked(batch for batch, _ in rounds)
    return sum(_assign_again(judge, batch, number) for batch, number in rounds)


@transaction.atomic
def take_back(judge: Membership) -> int:
    """Take back the assignments that stand in for the judge's and that nobody began; how many."""
    stood_in = StandIn.objects.filter(original__judge=judge, assignment__judge=None, assignment__submitted_at=None)
    rounds = set(stood_in.values_list("assignment__batch", "assignment__round", "original__round"))
    _locked(batch for batch, _, _ in rounds)
    copies = _free(Assignment.objects.filter(stands_in__original__judge=judge))
    Assignment.objects.filter(repeats__in=copies).update(repeats=None)
    Assignment.objects.filter(pk__in=[assignment.pk for assignment in copies]).delete()
    for batch, new, old in rounds:
        rest = Assignment.objects.filter(batch=batch, round=new)
        if not rest.exclude(judge=None).exists():
            rest.update(round=old)
    return len(copies)


def _locked(batches: Iterable[int | None]) -> None:
    """Rounds of a batch are numbered by one at a time."""
    list(Batch.objects.select_for_update().filter(pk__in=[pk for pk in batches if pk]).order_by("pk"))


def _free(assignments: QuerySet[Assignment]) -> list[Assignment]:
    """Those that nobody takes meanwhile."""
    waiting = assignments.filter(judge=None, submitted_at=None).order_by("position")
    return list(waiting.select_for_update(of=("self",)))


def _assign_again(judge: Membership, batch: int | None, number: int) -> int:
    """A new round of the batch: assignments for what the judge answered, and what is left of the old one.

    Where somebody else who counts is at work in the old one, what is left of it stays there.
    """
    assignments = Assignment.objects.filter(batch=batch)
    new = (assignments.aggregate(last=Max("round"))["last"] or 0) + 1
    of_round = assignments.filter(round=number)
    done = list(of_round.filter(judge=judge, stood_in_by=None).done().order_by("position"))
    others = of_round.exclude(judge=judge).filter(judge__excluded_at=None, judge__isnull=False)
    left = _free(of_round)
    copies = {assignment.pk: _copied(assignment, new) for assignment in done}
    if others.exists():
        left = [assignment for assignment in left if assignment.repeats_id in copies]
    Assignment.objects.bulk_create(copies.values())
    StandIn.objects.bulk_create(StandIn(assignment=copies[assignment.pk], original=assignment) for assignment in done)
    for assignment in left:
        assignment.round = new
    _repeat(done, left, copies)
    return len(done) + len(left)


def _repeat(done: Sequence[Assignment], left: Sequence[Assignment], copies: Mapping[int, Assignment]) -> None:
    """What repeated an assignment of the judge repeats the one that stands in for it."""
    for assignment in done:
        if assignment.repeats_id:
            copies[assignment.pk].repeats = copies.get(assignment.repeats_id)
    for assignment in left:
        if assignment.repeats_id and assignment.repeats_id in copies:
            assignment.repeats = copies[assignment.repeats_id]
    Assignment.objects.bulk_update([*copies.values(), *left], ["round", "repeats"], batch_size=200)


def _copied(assignment: Assignment, number: int) -> Assignment:
    return Assignment(
        campaign_id=assignment.campaign_id,
        screen_id=assignment.screen_id,
        batch_id=assignment.batch_id,
        round=number,
        position=assignment.position,
        order=assignment.order,
    )
