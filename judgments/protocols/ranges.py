"""The numbers that tutorials expect: 80, or any from 60 to 100."""

import re
from typing import NamedTuple

from django.utils.translation import gettext

RANGE = re.compile(r"(?P<least>[0-9]{1,4})(?: ?- ?(?P<most>[0-9]{1,4}))?")


class Range(NamedTuple):
    least: int
    most: int


def read_range(text: str) -> Range | None:
    """None if it is no number and no range, or one that is upside down."""
    found = RANGE.fullmatch(text.strip())
    read = Range(int(found["least"]), int(found["most"] or found["least"])) if found else None
    return read if read and read.least <= read.most else None


def differences_from(expected: str, what: str, number: int | None) -> list[str]:
    """A sentence if a number is not among the expected ones; None is "I cannot say"."""
    wanted = read_range(expected)
    if wanted is None or (number is not None and wanted.least <= number <= wanted.most):
        return []
    words = gettext("%(least)s to %(most)s") % wanted._asdict() if wanted.least < wanted.most else wanted.least
    said = {"what": what, "given": "?" if number is None else number, "expected": words}
    return [gettext("%(what)s: you gave %(given)s; we expect %(expected)s.") % said]
