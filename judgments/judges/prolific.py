"""Prolific's submissions: recording what its webhook reports, freeing places, and approving finished work."""

import json
import logging
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

from celery import shared_task
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef

from judgments.models import Completion, Membership, SharedLink
from judgments.models.journal import note
from judgments.rules.crowd_platforms import APPROVED, AWAITING, GIVEN_BACK, NOT_APPROVED, Event, follows, session_of

MOST_AT_ONCE = 50
SECONDS = 10
# Answers that no later attempt would change.
REFUSALS = {400, 404, 409, 422}
_LOG = logging.getLogger(__name__)


@transaction.atomic
def record_event(link: SharedLink, event: Event) -> None:
    """Record a submission's new status; its judge's open screens become free if the place was given back."""
    judges = Membership.objects.filter(campaign=link.campaign_id, role=Membership.Role.JUDGE)
    judge = judges.select_for_update(of=("self",)).filter(worker=event.participant).first()
    # A workspace may have other studies, in which the same participant has another submission.
    if judge is None or event.submission not in (session_of(judge.platform), *judge.later_sessions):
        return
    if event.submission != session_of(judge.platform):
        later = judge.later_sessions[judge.later_sessions.index(event.submission) + 1 :]
        judge.platform, judge.submission_status, judge.later_sessions = (
            {**judge.platform, "SESSION_ID": event.submission}, "", later,
        )  # fmt: skip
    if not follows(event.status, judge.submission_status):
        return
    judge.submission_status = event.status
    judge.save(update_fields=["platform", "submission_status", "later_sessions"])
    if is_free := event.status in GIVEN_BACK:
        judge.release_screens()
    what = f"learned from Prolific that the submission of {judge.pseudonym} is {event.status}"
    note(link.campaign, what + "; the place is free" * is_free)


@shared_task(name="judgments.approve_submissions")
def approve_submissions() -> None:
    """Approve what awaits its review; whatever fails is tried again in the next minute."""
    if not settings.PROLIFIC_TOKEN:
        return
    # Judges who finished a batch and failed the controls of none.
    finished = Completion.objects.filter(judge=OuterRef("pk"))
    waiting = Membership.objects.filter(
        Exists(finished.filter(earns_code=True)), ~Exists(finished.filter(passed=False)),
        submission_status=AWAITING, excluded_at=None,
    )  # fmt: skip
    # In another order every time, so that one submission cannot block all others.
    for judge in waiting.select_related("campaign").order_by("?")[:MOST_AT_ONCE]:
        try:
            approve(judge)
        except (OSError, HTTPException) as reason:
            _LOG.warning("Prolific did not take an approval and will be asked again: %s", reason)
            return


def approve(judge: Membership) -> None:
    """Ask Prolific to approve; an approval asked for twice is one."""
    address = f"{settings.PROLIFIC_API}/api/v1/submissions/{quote(session_of(judge.platform), safe='')}/transition/"
    headers = {"Authorization": f"Token {settings.PROLIFIC_TOKEN}", "Content-Type": "application/json"}
    request = Request(address, json.dumps({"action": "APPROVE"}).encode(), headers)  # noqa: S310 (the operator's address)
    try:
        with urlopen(request, timeout=SECONDS):  # noqa: S310 (the operator's address)
            _record(judge, APPROVED, f"approved the submission of {judge.pseudonym} on Prolific")
    except HTTPError as error:
        if error.code not in REFUSALS:
            raise
        what = f"could not approve the submission of {judge.pseudonym} (Prolific answered {error.code}); decide there"
        _record(judge, NOT_APPROVED, what)


@transaction.atomic
def _record(judge: Membership, status: str, what: str) -> None:
    if Membership.objects.filter(pk=judge.pk, submission_status=AWAITING).update(submission_status=status):
        note(judge.campaign, what)
