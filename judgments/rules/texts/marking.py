"""A sentence with a usage marked in it: what stands before, the usage, what follows.

Toy: `He likes [the] music .` marks `the`.
"""

import re
from typing import NamedTuple

BRACKETED = re.compile(r"([^\[\]]*)\[([^\[\]]+)\]([^\[\]]*)")


class Marked(NamedTuple):
    """The parts of a sentence around a usage."""

    before: str
    usage: str
    after: str


def marked(sentence: str, start: int, end: int) -> Marked:
    """The parts around the characters from start to end."""
    return Marked(sentence[:start], sentence[start:end], sentence[end:])


def marked_in(text: str) -> Marked | None:
    """The parts of a text that marks a usage by square brackets; nothing where it does not do so just once."""
    found = BRACKETED.fullmatch(text)
    return Marked(*found.groups()) if found else None
