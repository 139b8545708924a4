"""Crowd platforms: the parameters in their links, the address to which a worker returns with a code, and what Prolific
reports by its webhook: its signature, its events, and the order of a submission's statuses.

https://docs.prolific.com/api-reference/webhooks describes them. Events come at least once and in any order.
"""

import hmac
import json
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from string import Formatter
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

PROLIFIC = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
MTURK = ("workerId", "assignmentId", "hitId", "turkSubmitTo")
PARAMETERS = (*PROLIFIC, *MTURK)
# The parameters that identify a worker.
WORKERS = ("PROLIFIC_PID", "workerId")
# Prolific fills in what stands in double braces.
PROLIFIC_QUERY = "&".join(f"{name}={{{{%{name}%}}}}" for name in PROLIFIC)
CODE = "code"
LONGEST = 200
NUL = "\0"  # PostgreSQL cannot store it
# Mechanical Turk's assignmentId while a worker previews a task.
JUST_LOOKING = "ASSIGNMENT_ID_NOT_AVAILABLE"


def parameters(query: Mapping[str, str]) -> dict[str, str]:
    """The parameters of known platforms in a query."""
    given = {name: query[name].replace(NUL, "")[:LONGEST] for name in PARAMETERS if name in query}
    return {name: value for name, value in given.items() if value}


def worker_of(given: Mapping[str, str]) -> str:
    """The worker's id on the platform; empty for other visitors."""
    return next((given[name] for name in WORKERS if given.get(name)), "")


def session_of(given: Mapping[str, str]) -> str:
    """Prolific's id of the submission; empty for other visitors."""
    return given.get("SESSION_ID", "")


def is_just_looking(given: Mapping[str, str]) -> bool:
    """Whether a worker previews the task and has not accepted it yet."""
    return given.get("assignmentId") == JUST_LOOKING


def return_address(template: str, code: str, given: Mapping[str, str]) -> str:
    """Fill in the code and the parameters; missing ones stay empty."""
    values = dict.fromkeys(PARAMETERS, "") | dict(given) | {CODE: code}
    return template.format_map({name: quote(value, safe="") for name, value in values.items()})


def fault_of_return_address(template: str) -> str | None:
    """Why workers cannot be sent to an address, or None; no parameter may determine the host."""
    known = ", ".join(f"{{{name}}}" for name in (CODE, *PARAMETERS))
    try:
        fields = list(Formatter().parse(template))
        address = urlsplit(template)
    except ValueError:
        return "this is not an address; write one such as https://app.prolific.com/submissions/complete?cc={code}"
    if address.scheme != "https" or not address.hostname or "{" in address.netloc or "}" in address.netloc:
        return "the address must begin with https:// and a host without braces"
    if unknown := [
        name for _, name, form, turn in fields if name is not None and (name not in (CODE, *PARAMETERS) or form or turn)
    ]:
        return f"{{{unknown[0]}}} is not a known parameter; use {known}"
    return None


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
