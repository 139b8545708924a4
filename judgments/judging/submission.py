"""Storing a judge's answers in one transaction, and only once however often they are sent."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import Q, Subquery
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from judgments.judges import exclusion, watching
from judgments.judges.programs import check_takes_unplanned
from judgments.models import Assignment, Campaign, Completion, Draft, Judgment, Membership, Slot
from judgments.protocols import protocol_of
from judgments.protocols.candidates import shown_slots
from judgments.rules.errors import Refused

DISMISSED = gettext_lazy("There are no more screens for you, so this answer was not saved.")
PAUSED = gettext_lazy("The organiser has paused your judging, so this answer was not saved.")
LOST = gettext_lazy(
    "You were away for a long time, or the organiser freed this screen for another judge, "
    "so this answer was not saved. Continue with the next one."
)


SOMEBODY_ELSE = gettext_lazy(
    "Another judge's link was opened in this browser, so you are %(judge)s here now, and this answer was not saved. "
    "To go on as before, open your own link again."
)


def lost_assignment_message(judge: Membership | None, shown_to: str = "") -> str:
    """Explain why a judge does not hold an assignment, whose page was shown to the judge with this name, if known."""
    if judge and shown_to not in ("", judge.pseudonym):
        return SOMEBODY_ELSE % {"judge": judge.pseudonym}
    if judge and (judge.is_dismissed or judge.is_forgotten):
        return str(DISMISSED)
    return str(PAUSED if judge and judge.paused_at else LOST)


def _draft(assignment: Assignment) -> Draft | None:
    return Draft.objects.filter(assignment=assignment, judge=assignment.judge_id).first()


class Begun(NamedTuple):
    """The answers with which a page begins, and whether they are exactly those submitted last."""

    answers: dict[str, Any]
    is_submitted: bool = False


def begun_answers(assignment: Assignment, slots: Sequence[Slot]) -> Begun:
    """The draft, or otherwise the answers submitted last."""
    if draft := _draft(assignment):
        return Begun(draft.answers | {"active": draft.active_seconds})
    given = Judgment.objects.filter(assignment=assignment).order_by("-revision")
    judgment = given.first() if assignment.submitted_at else None
    if judgment is None:
        return Begun({})
    extras = {"comment": judgment.comment, "flagged": judgment.flagged}
    return Begun(protocol_of(assignment.campaign).load(judgment, slots) | extras, is_submitted=True)


def described_answers(assignments: Iterable[Assignment]) -> list[str]:
    """Describe the answers to assignments of one campaign, in their order; empty without descriptions."""
    assignments = list(assignments)
    if not assignments:
        return []
    protocol = protocol_of(assignments[0].campaign)
    newest = Judgment.objects.newest().filter(assignment__in=assignments)
    descriptions = protocol.described(newest)
    reasons = {reason: str(label) for reason, label in protocol.form.skip_reasons}
    found = {
        assignment: reasons.get(reason, reason) if reason else descriptions.get(pk, "")
        for pk, assignment, reason in newest.values_list("pk", "assignment", "skip_reason")
    }
    return [found.get(assignment.pk, "") for assignment in assignments]


def is_after_feedback(assignment: Assignment) -> bool:
    """Whether the judge answered this screen before, and has since seen where others differ in its batch."""
    if not (assignment.campaign.majority_feedback and assignment.submitted_at):
        return False
    finished = Completion.objects.filter(judge=assignment.judge_id, batch=assignment.batch_id)
    return finished.exclude(feedback_at=None).exists()


def _lock_judge(pk: int | None) -> Membership | None:
    """Let nobody exclude, forget or remove the judge meanwhile; judges are always locked before assignments."""
    return Membership.objects.select_for_update(of=("self",)).filter(pk=pk).first() if pk else None


@transaction.atomic
def save_draft(
    assignment: Assignment, answers: dict[str, Any], active_seconds: float | None, refused: Collection[str] = ()
) -> None:
    """Store unfinished answers and extend the lease. Refused fields keep the value stored before."""
    _check_open(assignment.campaign)
    judge = _lock_judge(assignment.judge_id)
    if judge is None or judge.is_forgotten:
        raise Refused(str(DISMISSED))
    if refused and (before := _draft(assignment)):
        answers = {name: value for name, value in before.answers.items() if name in refused} | answers
    draft = Draft(assignment=assignment, judge=assignment.judge, answers=answers, active_seconds=active_seconds or 0)
    changed = ["answers", "active_seconds", "saved_at"]
    Draft.objects.bulk_create(
        [draft], update_conflicts=True, unique_fields=["assignment", "judge"], update_fields=changed
    )
    until = timezone.now() + assignment.campaign.lease
    Assignment.objects.filter(judge=assignment.judge_id).waiting().update(leased_until=until)


@transaction.atomic
def submit(
    assignment: Assignment,
    *,
    key: UUID,
    answers: Sequence[Any] = (),
    skip_reason: str = "",
    active_seconds: float | None = None,
    comment: str = "",
    flagged: bool = False,
    view: str = "",
) -> Judgment:
    """Store the answers, or a skip with its reason, as the newest judgment of the assignment.

    A repeated key returns the judgment stored before. After feedback the answer from before stays the current one.
    """
    judge_id = assignment.judge_id
    protocol = protocol_of(assignment.campaign)
    judge = _lock_judge(judge_id)
    locked = Assignment.objects.select_for_update(of=("self",)).select_related("campaign", "judge__campaign", "screen")
    assignment = get_object_or_404(locked, pk=assignment.pk)  # its campaign may just have been deleted
    # Only the newest: a judge may change an answer thousands of times.
    newest = Judgment.objects.filter(assignment=assignment).order_by("-revision").values("pk")[:1]
    known = list(Judgment.objects.filter(Q(pk=Subquery(newest)) | Q(key=key)))
    earlier = [judgment for judgment in known if judgment.assignment_id == assignment.pk]
    for judgment in earlier:
        if judgment.key == key:
            return judgment
    _check(assignment, judge, is_new=known == earlier)
    extras = {"skip_reason": skip_reason, "comment": comment, "flagged": flagged, "view": view}
    revision = max((judgment.revision for judgment in earlier), default=0) + 1
    judgment = _write(assignment, key, extras, active_seconds, revision)
    if not skip_reason:
        protocol.store(judgment, shown_slots(assignment) if protocol.has_candidates else [], answers)
    if protocol.dismisses and assignment.judge:  # after every answer, or controls would take longer than other screens
        exclusion.decide_by_controls(assignment.judge)
    if judge_id and assignment.batch_id and assignment.position % watching.EVERY == watching.EVERY - 1:
        watching.schedule_check(judge_id)
    return judgment


def _check_open(campaign: Campaign) -> None:
    if not campaign.is_open:
        message = gettext("This campaign is %(state)s, so it accepts no more answers.")
        raise Refused(message % {"state": campaign.get_state_display()})


def _check(assignment: Assignment, judge: Membership | None, is_new: bool) -> None:
    if assignment.judge and assignment.judge.role != Membership.Role.JUDGE:
        check_takes_unplanned(assignment.campaign)
    else:
        _check_open(assignment.campaign)
    if judge is None or assignment.judge_id != judge.pk or judge.is_dismissed or judge.is_forgotten:
        raise Refused(lost_assignment_message(judge))
    if not is_new:
        raise Refused(gettext("This answer was already sent for another screen. Reload the page and answer again."))


def _write(
    assignment: Assignment, key: UUID, extras: dict[str, Any], active_seconds: float | None, revision: int
) -> Judgment:
    now = timezone.now()
    wall_seconds = (now - assignment.claimed_at).total_seconds() if assignment.claimed_at else None
    if wall_seconds is not None and wall_seconds < 0:
        wall_seconds = None  # the clock was set back, so the time is unknown
    if active_seconds is not None and wall_seconds is not None:
        active_seconds = min(active_seconds, wall_seconds)  # a page cannot be active for longer than it was open
    Draft.objects.filter(assignment=assignment, judge=assignment.judge_id).delete()
    after_feedback = is_after_feedback(assignment)
    if revision > 1 and not after_feedback:
        Judgment.objects.filter(assignment=assignment, current=True).update(current=False)
    Assignment.objects.filter(pk=assignment.pk, submitted_at=None).update(submitted_at=now)
    return Judgment.objects.create(
        assignment=assignment,
        screen_id=assignment.screen_id,
        key=key,
        revision=revision,
        current=not after_feedback,
        after_feedback=after_feedback,
        skipped=bool(extras["skip_reason"]),
        **extras,
        wall_seconds=wall_seconds,
        active_seconds=active_seconds,
        submitted_at=now,
    )
