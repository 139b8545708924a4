"""Claiming assignments, and finishing batches."""

from collections.abc import Sequence
from typing import TypeVar

from django.db import transaction
from django.db.models import Q
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext

from judgments.assignment import assistance
from judgments.judges import watching
from judgments.judges.exclusion import decide
from judgments.judges.onboarding import NotPrepared, next_step
from judgments.judges.statistics import Controls, count_anew
from judgments.models import Assignment, Completion, Membership
from judgments.models.assignments import AssignmentQuerySet
from judgments.rules.errors import Refused

MOST_TRIES = 20
MOST_ON_A_PAGE = 10
T = TypeVar("T")


@transaction.atomic
def claim_next(judge: Membership, after: Assignment | None = None) -> Assignment | None:
    """Claim the judge's next assignment: the one held, the next in the current batch, or the first of another batch.

    In document mode, the rest of its document is claimed with it. With `after`, claim the one that follows its page,
    possibly before that is answered. None at the end of a batch, until `finish_batch` has recorded it.
    """
    judge = _lock(judge)
    is_ahead = after is not None and after.submitted_at is None
    return _claim(judge, on_one_page(after) if after else [], after if is_ahead else None)


def claim_after(answered: Assignment) -> Assignment | None:
    """Claim what follows an assignment that was just answered, in the transaction that has locked its judge.

    It is refused before anything is written, so the answer stays.
    """
    return _claim(answered.holder, [answered], answered)


def _claim(judge: Membership, page: Sequence[Assignment], last: Assignment | None) -> Assignment | None:
    """Claim the assignment that follows a page; without `last`, the one answered last is looked up."""
    if not judge.campaign.is_open:
        raise Refused(gettext("This campaign is %(state)s.") % {"state": judge.campaign.get_state_display()})
    if judge.is_forgotten:
        raise Refused(gettext("There are no more screens for you."))
    if step := next_step(judge):
        raise NotPrepared(step)
    if judge.is_dismissed or judge.paused_at:
        return None
    if held := [assignment for assignment in _held_assignments(judge) if assignment not in page]:
        Assignment.objects.held_by(judge).waiting().update(leased_until=timezone.now() + judge.campaign.lease)
        return held[0]
    last = last or _last_done(judge)
    for _ in range(MOST_TRIES):
        assignment = _find_free(judge, last)
        if assignment is None or _claim_one(assignment, judge):
            return assignment
    raise Refused(gettext("Too many judges are working at the same time. Try again."))


def on_one_page(assignment: Assignment) -> list[Assignment]:
    """The assignments, answered or not, that the judge of this one sees on one page with it, in order.

    In document mode, these are sentences of its document; a long document is divided into pages of about equal length,
    which stay the same while the judge answers.
    """
    if not assignment.campaign.document_mode or assignment.repeats_id or assignment.batch_id is None:
        return [assignment]
    related = ("campaign", "judge__invitation", "screen__segment", "screen__usage")
    document = list(Assignment.objects.beside(assignment).select_related(*related))
    page = page_around(document, document.index(assignment))
    return [other for other in page if other.judge_id == assignment.judge_id]


def page_around(document: Sequence[T], place: int) -> Sequence[T]:
    """The page on which a place (from 0) of a document is, if its pages have about equal lengths."""
    pages = -(-len(document) // MOST_ON_A_PAGE)
    size = -(-len(document) // pages)
    start = place // size * size
    return document[start : start + size]


@transaction.atomic
def finish_batch(judge: Membership) -> Completion | None:
    """Record that a judge finished the current batch; None if there is none, or if it is not finished."""
    judge = _lock(judge)
    last = _last_done(judge)
    if last is None or last.batch is None:
        return None
    if not judge.is_dismissed and (_left_in_batch(judge, last).exists() or _held_assignments(judge)):
        return None
    if completion := Completion.objects.filter(judge=judge, batch=last.batch_id).first():
        return completion
    screens = Assignment.objects.held_by(judge).in_round_of(last).count()
    is_complete = screens == Assignment.objects.in_round_of(last).count()
    done = count_anew(judge)  # reads all answers of the judge, so only once a batch
    decide(judge, done)  # now, because the code that the judge sees depends on it
    watching.schedule_check(judge.pk)
    watching.schedule_check_of_all(judge.campaign)
    judge.refresh_from_db(fields=["excluded_at", "judged_again"])
    if judge.is_dismissed:
        earns_code = bool(judge.campaign.failed_code)
    else:  # a batch partly judged by others earns no code while other batches remain
        earns_code = is_complete or _first_of_another_batch(judge, last) is None
    controls = Controls(done.controls, done.controls_passed)
    return Completion.objects.create(
        judge=judge,
        batch=last.batch,
        screens=screens,
        earns_code=earns_code,
        passed=False if judge.is_dismissed else controls.passes(judge.campaign.control_pass_share),
    )


def claim_next_skipping_breaks(judge: Membership) -> Assignment | None:
    """Claim the next assignment without a pause between batches, for simulated judges."""
    assignment = claim_next(judge)
    return assignment or (claim_next(judge) if finish_batch(judge) else None)


@transaction.atomic
def what_comes_next(judge: Membership) -> Assignment | None:
    """An assignment that the judge could claim now, of the batch that they would get."""
    if not judge.campaign.is_open or judge.is_dismissed or judge.paused_at:
        return None
    if held := _held_assignments(judge):
        return held[0]
    last = _last_done(judge)
    if last and (left := _left_in_batch(judge, last).first()):
        return left
    return _first_of_another_batch(judge, last)


def may_get_more(judge: Membership) -> bool:
    """Whether there will be assignments for the judge later.

    Batches that the judge has not seen wait, because others hold them or it is not their day, or will be drawn.
    """
    if judge.campaign.later_screens:
        return True
    seen = Assignment.objects.held_by(judge).planned().values("batch")
    others = Assignment.objects.planned().waiting().filter(campaign=judge.campaign, repeats=None)
    return others.exclude(batch__in=seen).exists()


def _lock(judge: Membership) -> Membership:
    locked = Membership.objects.locked(judge.pk, with_campaign=True)
    if locked is None:
        raise Http404
    return locked


def _held_assignments(judge: Membership) -> list[Assignment]:
    """The few assignments held but not answered, in order.

    Sorted in Python: for a query with LIMIT, PostgreSQL expects a busy judge to hold many, and scans all assignments in
    order even if there is none.
    """
    waiting = Assignment.objects.held_by(judge).waiting()
    return sorted(waiting, key=lambda assignment: (assignment.batch_id or 0, assignment.round, assignment.position))


def _claim_one(assignment: Assignment, judge: Membership) -> bool:
    """Claim an assignment; False if another judge was first, so that the update changed no row.

    In document mode, claim the rest of its document too: it is free, because the others claim documents from their
    first free assignment as well.
    """
    now = timezone.now()
    assignment.judge, assignment.claimed_at, assignment.leased_until = judge, now, now + judge.campaign.lease
    free = Assignment.objects.free(now, judge.campaign.lease)
    claim = {"judge": judge, "claimed_at": now, "leased_until": assignment.leased_until, "assisted": None}
    if not free.filter(pk=assignment.pk).update(**claim):
        return False
    rest: list[int] = []
    if judge.campaign.document_mode:
        # By key: an update that joins tables would not check again whether a row is free once it has waited for it.
        rest = [following.pk for following in free.beside(assignment).skip_locked()]
        free.filter(pk__in=rest).update(**claim)
    assistance.decide(judge.campaign, [assignment.pk, *rest])
    return True


def _find_free(judge: Membership, last: Assignment | None) -> Assignment | None:
    """The first free assignment of the batch of the last one, or of another batch if that one is finished."""
    if last is None:
        return _first_of_another_batch(judge, None)
    if assignment := _left_in_batch(judge, last).skip_locked().first():
        return assignment
    is_finished = Completion.objects.filter(judge=judge, batch=last.batch_id).exists()
    return _first_of_another_batch(judge, last) if is_finished else None


def _first_of_another_batch(judge: Membership, last: Assignment | None) -> Assignment | None:
    """The first assignment of a batch that nobody has started, otherwise of one that others left unfinished."""
    if judge.has_reached_quota():
        return None
    # A repeat is in the batch of its original, so other batches contain none for this judge.
    others = (
        _free(judge)
        .skip_locked()
        .filter(repeats=None)
        .exclude(batch__in=Assignment.objects.held_by(judge).planned().values("batch"))
    )
    if judge.campaign.one_domain_a_day and last and last.batch:
        moment = last.submitted_at or last.claimed_at
        if moment and timezone.localdate(moment) == timezone.localdate():
            others = others.filter(batch__domain=last.batch.domain)
    return others.filter(position=0, judge=None).first() or others.first()


def _last_done(judge: Membership) -> Assignment | None:
    """The assignment answered last, found by an index."""
    done = Assignment.objects.held_by(judge).planned().done().select_related("batch").order_by("-submitted_at")
    last = done.first()
    if last and last.submitted_at and last.submitted_at > timezone.now():
        # The clock was set back, so the newest time does not belong to the last answer.
        finished = Completion.objects.filter(judge=judge).values("batch")
        return done.exclude(batch__in=finished).first() or last
    return last


def _left_in_batch(judge: Membership, last: Assignment) -> AssignmentQuerySet:
    """The free assignments of the current batch; of the repeats, only those of screens that this judge saw."""
    return _free(judge).in_round_of(last).filter(Q(repeats=None) | Q(repeats__judge=judge))


def _free(judge: Membership) -> AssignmentQuerySet:
    """The campaign's free assignments in the order of their index ("batch" would sort by `Batch.Meta.ordering`).

    In document mode, only the first of each document, with which the rest is claimed.
    """
    free = Assignment.objects.free(timezone.now(), judge.campaign.lease).planned().filter(campaign=judge.campaign)
    if judge.campaign.document_mode:
        free = free.first_of_documents()
    return free.order_by("round", "batch_id", "position")
