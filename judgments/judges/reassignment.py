"""Replacing the answers of excluded judges by new assignments, so that the planned redundancy is reached.

Each new assignment stands in for an old one, which its judge keeps. When the judge is included again, copies that
nobody has started are deleted.
"""

from collections.abc import Iterable

from celery import shared_task
from django.db import transaction
from django.db.models import Exists, Max, OuterRef, QuerySet

from judgments.jobs.queues import send
from judgments.models import Assignment, Batch, Membership, StandIn
from judgments.models.jobs import SHORT

# A message that no worker fetches in time is dropped, because the scheduler sends one every minute.
EXPIRES = 55


def schedule_reassignment() -> None:
    """Let a worker give the screens of dismissed judges to others; without the message, it does so within a minute."""
    transaction.on_commit(lambda: send(reassign_screens.s().set(queue=SHORT, expires=EXPIRES)))


@shared_task(name="judgments.reassign_screens")
def reassign_screens() -> None:
    """Give the answered screens of all dismissed judges to others, unless that is done."""
    left = Assignment.objects.filter(judge=OuterRef("pk"), stood_in_by=None).planned().done()
    for judge in Membership.objects.filter(Exists(left), judged_again=True):
        with transaction.atomic():
            # An organiser may just have included the judge again.
            if Membership.objects.select_for_update(of=("self",)).filter(pk=judge.pk, judged_again=True).first():
                reassign(judge)


@transaction.atomic
def reassign(judge: Membership) -> None:
    """Release the judge's open assignments and copy the answered ones for other judges."""
    judge.release_screens()
    answered = Assignment.objects.held_by(judge).planned().done().filter(stood_in_by=None).order_by("batch_id", "round")
    rounds = list(answered.values_list("batch_id", "round").distinct())
    _lock(batch for batch, _ in rounds)
    for batch, number in rounds:
        _assign_again(judge, batch, number)


@transaction.atomic
def take_back(judge: Membership) -> None:
    """Delete the copies of the judge's assignments that nobody has started."""
    stood_in = StandIn.objects.filter(original__judge=judge, assignment__judge=None, assignment__submitted_at=None)
    rounds = set(stood_in.values_list("assignment__batch", "assignment__round", "original__round"))
    _lock(batch for batch, _, _ in rounds)
    copies = _free(Assignment.objects.filter(stands_in__original__judge=judge))
    Assignment.objects.filter(repeats__in=copies).update(repeats=None)
    Assignment.objects.filter(pk__in=[assignment.pk for assignment in copies]).delete()
    for batch, new, old in rounds:
        rest = Assignment.objects.filter(batch=batch, round=new)
        if not rest.exclude(judge=None).exists():
            rest.update(round=old)


def _lock(batches: Iterable[int | None]) -> None:
    """Lock the batches, so that their rounds are numbered by one process at a time."""
    list(Batch.objects.select_for_update().filter(pk__in=[pk for pk in batches if pk]).order_by("pk"))


def _free(assignments: QuerySet[Assignment]) -> list[Assignment]:
    """Lock and return the assignments that nobody has claimed."""
    waiting = assignments.filter(judge=None, submitted_at=None).order_by("position")
    return list(waiting.select_for_update(of=("self",)))


def _assign_again(judge: Membership, batch: int | None, number: int) -> None:
    """Start a new round of the batch: copies of the judge's answered assignments, and the unclaimed ones of the round.

    If another judge who is not excluded works on the old round, its unclaimed assignments stay there.
    """
    assignments = Assignment.objects.filter(batch=batch)
    new = (assignments.aggregate(last=Max("round"))["last"] or 0) + 1
    in_round = assignments.filter(round=number)
    done = list(in_round.filter(judge=judge, stood_in_by=None).done().order_by("position"))
    others = in_round.exclude(judge=judge).filter(judge__excluded_at=None, judge__isnull=False)
    left = _free(in_round)
    copies = {
        assignment.pk: Assignment(
            campaign_id=assignment.campaign_id, screen_id=assignment.screen_id, batch_id=batch, round=new,
            position=assignment.position, order=assignment.order,
        )
        for assignment in done
    }  # fmt: skip
    if others.exists():
        left = [assignment for assignment in left if assignment.repeats_id in copies]
    Assignment.objects.bulk_create(copies.values())
    StandIn.objects.bulk_create(StandIn(assignment=copies[assignment.pk], original=assignment) for assignment in done)
    # Copies and moved assignments repeat the copy instead of the judge's original.
    for assignment in done:
        if assignment.repeats_id:
            copies[assignment.pk].repeats = copies.get(assignment.repeats_id)
    for assignment in left:
        assignment.round = new
        if assignment.repeats_id and assignment.repeats_id in copies:
            assignment.repeats = copies[assignment.repeats_id]
    Assignment.objects.bulk_update([*copies.values(), *left], ["round", "repeats"], batch_size=200)
