"""Crowd platforms: the parameters in their links, and the address that takes a worker back with a code."""

from collections.abc import Mapping
from string import Formatter
from urllib.parse import quote, urlsplit

PROLIFIC = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
MTURK = ("workerId", "assignmentId", "hitId", "turkSubmitTo")
PARAMETERS = (*PROLIFIC, *MTURK)
# Which of them say who somebody is.
WORKERS = ("PROLIFIC_PID", "workerId")
CODE = "code"
LONGEST = 200
NUL = "\0"  # what a database cannot keep
# What Mechanical Turk says to somebody who looks at a task without having taken it.
JUST_LOOKING = "ASSIGNMENT_ID_NOT_AVAILABLE"


def parameters(query: Mapping[str, str]) -> dict[str, str]:
    """Return the parameters of a known platform in an address."""
    given = {name: query[name].replace(NUL, "")[:LONGEST] for name in PARAMETERS if name in query}
    return {name: value for name, value in given.items() if value}


def worker_of(given: Mapping[str, str]) -> str:
    """Return the worker's name on the platform; empty for visitors from elsewhere."""
    return next((given[name] for name in WORKERS if given.get(name)), "")


def is_just_looking(given: Mapping[str, str]) -> bool:
    """Whether a worker previews the task without having accepted it."""
    return given.get("assignmentId") == JUST_LOOKING


def return_address(template: str, code: str, given: Mapping[str, str]) -> str:
    """Fill in the code and the parameters; unknown ones stay empty."""
    values = dict.fromkeys(PARAMETERS, "") | dict(given) | {CODE: code}
    return template.format_map({name: quote(value, safe="") for name, value in values.items()})


def fault_of_return_address(template: str) -> str | None:
    """Return why workers cannot be sent there, or None; no parameter may choose the host."""
    known = ", ".join(f"{{{name}}}" for name in (CODE, *PARAMETERS))
    try:
        fields = list(Formatter().parse(template))
        address = urlsplit(template)
    except ValueError:
        return "this is no address; write one such as https://app.prolific.com/submissions/complete?cc={code}"
    if address.scheme != "https" or not address.hostname or "{" in address.netloc or "}" in address.netloc:
        return "the address must begin with https:// and a host without braces"
    if unknown := [
        name for _, name, form, turn in fields if name is not None and (name not in (CODE, *PARAMETERS) or form or turn)
    ]:
        return f"{{{unknown[0]}}} cannot be put in; there are {known}"
    return None
