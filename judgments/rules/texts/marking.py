"""A sentence with a marked usage: the text before it, the usage, the text after it.

Toy: `He likes [the] music .` marks `the`.
"""

import re
from typing import NamedTuple

BRACKETED = re.compile(r"([^\[\]]*)\[([^\[\]]+)\]([^\[\]]*)")


class Marked(NamedTuple):
    before: str
    usage: str
    after: str


def marked(sentence: str, start: int, end: int) -> Marked:
    return Marked(sentence[:start], sentence[start:end], sentence[end:])


def marked_in(text: str) -> Marked | None:
    """The parts of a text that marks one usage by square brackets; None if it does not mark exactly one."""
    found = BRACKETED.fullmatch(text)
    return Marked(*found.groups()) if found else None
