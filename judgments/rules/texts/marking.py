"""A sentence with a marked usage: the text before it, the usage, the text after it.

Toy: `He likes [the] music .` marks `the`.
"""

import re
from typing import NamedTuple

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
