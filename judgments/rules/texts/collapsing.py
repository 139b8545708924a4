"""Collapsing outputs that are identical up to white space into one candidate."""

import hashlib
import re
from collections.abc import Iterable

BLANK_LINES = re.compile("\n{3,}")


def normalise(text: str) -> str:
    """A text as it is compared and shown: white space collapsed and trimmed, in each line of a whole text."""
    if "\n" not in text:
        return one_line(text)
    return BLANK_LINES.sub("\n\n", "\n".join(map(one_line, text.split("\n")))).strip()


def one_line(text: str) -> str:
    return " ".join(text.split())


def fingerprint(text: str) -> str:
    """A short digest of a normalised text, for a database index."""
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def collapse(texts: Iterable[str | None]) -> tuple[list[str], list[int | None]]:
    """The distinct normalised texts in order of appearance, and for each text its index among them.

    A missing text (None) has the index None.
    """
    places: dict[str, int] = {}
    where = [None if text is None else places.setdefault(normalise(text), len(places)) for text in texts]
    return list(places), where
