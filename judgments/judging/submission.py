"""Storing a judge's answers in one transaction, and only once however often they are sent."""

import re
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, Q, Subquery
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext_lazy

from judgments.assignment import claiming
from judgments.judges import exclusion, watching
from judgments.models import Assignment, Draft, Judgment, Membership, Slot
from judgments.protocols import protocol_of
from judgments.protocols.base import Protocol
from judgments.protocols.rows import shown_slots
from judgments.rules.errors import Refused

DISMISSED = gettext_lazy("There are no more screens for you, so this answer was not saved.")
PAUSED = gettext_lazy("The organiser has paused your judging, so this answer was not saved.")
LOST = gettext_lazy(
    "You were away for a long time, or the organiser freed this screen for another judge, "
    "so this answer was not saved. Continue with the next one."
)


SENT_ELSEWHERE = gettext_lazy("This answer was already sent for another screen. Reload the page and answer again.")
# The constraint on keys, as PostgreSQL and SQLite name it.
OF_KEYS = re.compile(r"one_judgment_per_key|judgments_judgment\.key")
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
    """The answers with which a page begins, whether they are exactly those submitted last, and why it was skipped."""

    answers: dict[str, Any]
    is_submitted: bool = False
    skipped: str = ""


def begun_answers(assignment: Assignment, slots: Sequence[Slot]) -> Begun:
    """The draft, or otherwise the answers submitted last."""
    if draft := _draft(assignment):
        return Begun(draft.answers | {"active": draft.active_seconds})
    given = Judgment.objects.filter(assignment=assignment).order_by("-revision")
    judgment = given.first() if assignment.submitted_at else None
    if judgment is None:
        return Begun({})
    extras = {"comment": judgment.comment, "flagged": judgment.flagged}
    protocol = protocol_of(assignment.campaign)
    skipped = judgment.skip_reason and _reasons(protocol).get(judgment.skip_reason, judgment.skip_reason)
    return Begun(protocol.load(judgment, slots) | extras, is_submitted=True, skipped=skipped)


def _reasons(protocol: Protocol) -> dict[str, str]:
    return {reason: str(label) for reason, label in protocol.form.skip_reasons}


def described_answers(assignments: Iterable[Assignment]) -> list[str]:
    """Describe the answers to assignments of one campaign, in their order; empty without descriptions."""
    assignments = list(assignments)
    if not assignments:
        return []
    protocol = protocol_of(assignments[0].campaign)
    newest = Judgment.objects.newest().filter(assignment__in=assignments)
    descriptions = protocol.descriptions(newest)
    reasons = _reasons(protocol)
    found = {
        assignment: reasons.get(reason, reason) if reason else descriptions.get(pk, "")
        for pk, assignment, reason in newest.values_list("pk", "assignment", "skip_reason")
    }
    return [found.get(assignment.pk, "") for assignment in assignments]


@transaction.atomic
def save_draft(
    assignment: Assignment, answers: dict[str, Any] | None, active_seconds: float | None, refused: Collection[str] = ()
) -> None:
    """Store unfinished answers and extend the lease. Refused fields keep the value stored before.

    Without answers everything stays: a page on which nothing changed may be older than what another one stored.
    """
    assignment.campaign.check_takes_answers()
    judge = Membership.objects.locked(assignment.judge_id)
    if judge is None or judge.is_forgotten:
        raise Refused(str(DISMISSED))
    if answers is not None:
        if refused and (before := _draft(assignment)):
            answers = {name: value for name, value in before.answers.items() if name in refused} | answers
        draft = Draft(assignment=assignment, judge=judge, answers=answers, active_seconds=active_seconds or 0)
        changed = ["answers", "active_seconds", "saved_at"]
        Draft.objects.bulk_create(
            [draft], update_conflicts=True, unique_fields=["assignment", "judge"], update_fields=changed
        )
    until = timezone.now() + assignment.campaign.lease
    Assignment.objects.filter(judge=assignment.judge_id).waiting().update(leased_until=until)


@transaction.atomic
def submit(assignment: Assignment, **given: Any) -> Judgment:
    """Store an answer, given as for `_store`, and claim nothing."""
    return _store(assignment, **given)


@transaction.atomic
def submit_and_claim(assignment: Assignment, **given: Any) -> tuple[Judgment, Assignment | None]:
    """Store an answer, and claim the next assignment while the judge's row is locked for it.

    Without one, `claim_next` says why: the batch has ended, for example, or the answer was sent before.
    """
    judgment, following = _store(assignment, **given), None
    if judgment.revision == 1 and assignment.submitted_at is None:
        with suppress(Refused):
            following = claiming.claim_after(judgment.assignment)
    return judgment, following


def _store(
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
    judge = Membership.objects.locked(assignment.judge_id)
    campaign = assignment.campaign
    locked = Assignment.objects.select_related("screen").select_for_update(of=("self",))
    begun = Draft.objects.filter(assignment=OuterRef("pk"), judge=assignment.judge_id)
    locked = locked.annotate(state=F("campaign__state"), is_begun=Exists(begun))
    assignment = get_object_or_404(locked, pk=assignment.pk)  # its campaign may just have been deleted
    known: list[Judgment] = []
    if assignment.submitted_at:
        # Only the newest: a judge may change an answer thousands of times.
        newest = Judgment.objects.filter(assignment=assignment).order_by("-revision").values("pk")[:1]
        known = list(Judgment.objects.filter(Q(pk=Subquery(newest)) | Q(key=key)))
    earlier = [judgment for judgment in known if judgment.assignment_id == assignment.pk]
    for judgment in earlier:
        if judgment.key == key:
            return judgment
    campaign.state = assignment.state  # type: ignore[attr-defined] # annotated
    if judge and judge.role != Membership.Role.JUDGE:
        campaign.check_takes_unplanned()
    else:
        campaign.check_takes_answers()
    if judge is None or assignment.judge_id != judge.pk or judge.is_dismissed or judge.is_forgotten:
        raise Refused(lost_assignment_message(judge))
    if known != earlier:
        raise Refused(str(SENT_ELSEWHERE))
    assignment.judge, assignment.campaign, judge.campaign = judge, campaign, campaign
    now, after_feedback = timezone.now(), assignment.is_after_feedback
    wall_seconds = (now - assignment.claimed_at).total_seconds() if assignment.claimed_at else None
    if wall_seconds is not None and wall_seconds < 0:
        wall_seconds = None  # the clock was set back, so the time is unknown
    if active_seconds is not None and wall_seconds is not None:
        active_seconds = min(active_seconds, wall_seconds)  # a page cannot be active for longer than it was open
    if assignment.is_begun:  # type: ignore[attr-defined] # annotated
        Draft.objects.filter(assignment=assignment, judge=judge).delete()
    if earlier and not after_feedback:
        Judgment.objects.filter(assignment=assignment, current=True).update(current=False)
    if assignment.submitted_at is None:
        assignment.submitted_at = now
        Assignment.objects.filter(pk=assignment.pk).update(submitted_at=now)
    judgment = Judgment(
        assignment=assignment,
        screen_id=assignment.screen_id,
        key=key,
        revision=max((judgment.revision for judgment in earlier), default=0) + 1,
        current=not after_feedback,
        after_feedback=after_feedback,
        skipped=bool(skip_reason),
        skip_reason=skip_reason,
        comment=comment,
        flagged=flagged,
        view=view,
        wall_seconds=wall_seconds,
        active_seconds=active_seconds,
        submitted_at=now,
    )
    try:
        judgment.save(force_insert=True)
    except IntegrityError as reason:
        if OF_KEYS.search(str(reason)):
            raise Refused(str(SENT_ELSEWHERE)) from reason
        raise
    protocol = protocol_of(campaign)
    if not skip_reason:
        protocol.store(judgment, shown_slots(assignment) if protocol.has_candidates else [], answers)
    if protocol.stops_failing_judges:  # after every answer, or controls would take longer than other screens
        exclusion.decide_by_controls(judge)
    if assignment.batch_id and assignment.position % watching.EVERY == watching.EVERY - 1:
        watching.schedule_check(judge.pk)
    return judgment


def feedback_on_control(judgment: Judgment) -> str:
    """What the judge is told about a control that was just answered, if the campaign gives any feedback."""
    campaign = judgment.assignment.campaign
    gives_feedback = campaign.feedback and not judgment.skipped and judgment.screen.has_control
    return protocol_of(campaign).feedback(judgment) if gives_feedback else ""
