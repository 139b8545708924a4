"""What is marked in a text: one usage, such as `the` in `He likes [the] music .`, or errors with their severities."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

BRACKETED = re.compile(r"([^\[\]]*)\[([^\[\]]+)\]([^\[\]]*)")


class MarkedUsage(NamedTuple):
    before: str
    usage: str
    after: str


def mark_usage(sentence: str, start: int, end: int) -> MarkedUsage:
    return MarkedUsage(sentence[:start], sentence[start:end], sentence[end:])


def find_marked_usage(text: str) -> MarkedUsage | None:
    """The parts of a text that marks one usage by square brackets; None if it does not mark exactly one."""
    found = BRACKETED.fullmatch(text)
    return MarkedUsage(*found.groups()) if found else None


MOST_SPANS = 500
LONGEST_SEVERITY = 40
LONGEST_TEXT = 100_000


class Span(NamedTuple):
    """The characters from start to end, counted from 0 by code points, are an error.

    Toy: `He go home .` with (3, 5, major) marks `go`.
    """

    start: int
    end: int
    severity: str


def is_within(spans: Sequence[Span], text: str) -> bool:
    return all(span.end <= len(text) for span in spans)


def fault_of_spans(stored: Any) -> str | None:
    """What is wrong with stored spans, whatever their text is."""
    if not isinstance(stored, list) or len(stored) > MOST_SPANS:
        return f"is not a list of at most {MOST_SPANS} spans"
    for span in stored:
        if not isinstance(span, dict) or span.keys() != set(Span._fields):
            return "has a span without start, end and severity"
        start, end, severity = (span[name] for name in Span._fields)
        if type(start) is not int or type(end) is not int or not 0 <= start < end <= LONGEST_TEXT:
            return "has a span that is empty or outside its text"
        if not isinstance(severity, str) or not 0 < len(severity) <= LONGEST_SEVERITY:
            return "has a span with an impossible severity"
    return None
