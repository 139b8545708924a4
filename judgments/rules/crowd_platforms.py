"""Crowd platforms: the parameters in their links, and the address to which a worker returns with a code."""

from collections.abc import Mapping
from string import Formatter
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
