"""Examples with the ranks that are expected."""

import re
from collections.abc import Sequence

from judgments.models.campaign import LARGEST_SCREEN
from judgments.protocols.base import Teaching
from judgments.rules.authored.tutorials import Kind


def fault(expected: str) -> str | None:
    """Why this is no rank to expect, or None."""
    if re.fullmatch("[1-9][0-9]?", expected) and int(expected) <= LARGEST_SCREEN:
        return None
    return f"{expected!r} is no rank; write 1: for the best version"


def agree(expected: Sequence[str], given: Sequence[int]) -> list[bool]:
    """For each version whether it stands to all others as expected; the numbers themselves mean nothing."""
    wanted = [int(rank) for rank in expected]
    return [
        all(_sign(wanted[here] - wanted[there]) == _sign(given[here] - given[there]) for there in range(len(given)))
        for here in range(len(given))
    ]


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


TEACHING = Teaching(Kind(fault, fewest=2), agree)
