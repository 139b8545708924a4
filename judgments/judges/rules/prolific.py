"""Prolific's webhook: its signature, its events, and the order of a submission's statuses.

https://docs.prolific.com/api-reference/webhooks describes them. Events come at least once and in any order.
"""

import hmac
import json
from base64 import b64encode
from hashlib import sha256
from typing import Any, NamedTuple

LONGEST_AGE = 300  # seconds
ABOUT_SUBMISSIONS = "submission.status.change"
AWAITING, APPROVED = "AWAITING REVIEW", "APPROVED"
# Ours: Prolific refused the approval, and a person must decide there.
NOT_APPROVED = "NOT APPROVED"
# A participant with one of these gives the place back.
GIVEN_BACK = ("TIMED-OUT", "RETURNED")
# Prolific still takes a submission that timed out, and a participant may return one that awaits its review.
STAGES = {
    "": 0, "TIMED-OUT": 1, AWAITING: 2, NOT_APPROVED: 3,
    "RETURNED": 4, APPROVED: 4, "PARTIALLY APPROVED": 4, "REJECTED": 4, "SCREENED OUT": 4,
}  # fmt: skip


FINAL = max(STAGES.values())
# So many of the sessions with which a worker came are kept, if no event says which one counts.
MOST_SESSIONS = 100


class Event(NamedTuple):
    """A participant's submission has a new status."""

    participant: str
    submission: str
    status: str


def signature_of(secret: str, timestamp: str, body: bytes) -> bytes:
    """Base64 of HMAC-SHA256 over the timestamp and the body."""
    return b64encode(hmac.digest(secret.encode(), timestamp.encode() + body, sha256))


def is_signed(secret: str, timestamp: str, body: bytes, signature: str, now: float) -> bool:
    """Whether Prolific signed the body in the last minutes; an older request may be a replay."""
    if not secret or not hmac.compare_digest(signature_of(secret, timestamp, body), signature.encode()):
        return False
    return timestamp.isascii() and timestamp.isdigit() and abs(now - int(timestamp[:20])) <= LONGEST_AGE


def event_of(body: bytes) -> Event | None:
    """The event, or None if it is not about a submission."""
    try:
        sent: Any = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(sent, dict) or sent.get("event_type") != ABOUT_SUBMISSIONS:
        return None
    event = Event(sent.get("participant_id", ""), sent.get("resource_id", ""), sent.get("status", ""))
    is_usable = all(isinstance(part, str) and part and part.isascii() and "\0" not in part for part in event)
    return event if is_usable else None


def follows(status: str, before: str) -> bool:
    """Whether a status is later than another one: an event that comes again, or too late, changes nothing."""
    return STAGES.get(status, 0) > STAGES[before]
