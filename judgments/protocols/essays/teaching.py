"""Tutorial examples of whole texts: the expected numbers in the order of the scales, such as `4, 2-3, 4`."""

import re
from collections.abc import Sequence

from judgments.protocols.base import Teaching
from judgments.protocols.essays.form import Said
from judgments.rules.authored.tutorials import Kind

EXPECTED = re.compile(r"\s*(?P<least>\d{1,4})(?: ?- ?(?P<most>\d{1,4}))?\s*")


def _expected(text: str) -> list[re.Match[str] | None]:
    return [EXPECTED.fullmatch(part) for part in text.split(",")]


def fault(expected: str) -> str | None:
    if all(one and int(one["least"]) <= int(one["most"] or one["least"]) for one in _expected(expected)):
        return None
    return f"{expected!r} is not allowed here; write the expected number on each scale in turn, as in 4, 2-3, 4:"


def agree(expected: Sequence[str], given: Sequence[Said]) -> list[bool]:
    """For each version, whether the numbers are as expected, as far as both go."""
    return [
        all(_agrees(one, number) for one, number in zip(_expected(wanted), said.scores.values(), strict=False))
        for wanted, said in zip(expected, given, strict=True)
    ]


def _agrees(wanted: re.Match[str] | None, number: int | None) -> bool:
    if wanted is None or number is None:
        return False
    return int(wanted["least"]) <= number <= int(wanted["most"] or wanted["least"])


def describe(said: Said) -> str:
    return ", ".join("?" if number is None else str(number) for number in said.scores.values())


TEACHING = Teaching(Kind(fault), agree, describe)
