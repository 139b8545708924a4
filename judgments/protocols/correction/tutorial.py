"""Examples with the corrected sentences that are expected."""

from collections.abc import Sequence

from judgments.protocols.base import Teaching
from judgments.rules.authored.tutorials import Kind
from judgments.rules.files.text_files import lines_of
from judgments.rules.texts.collapsing import normalise

EXPECTED = "as"


def fault(expected: str) -> str | None:
    """Why this introduces no corrected sentence, or None."""
    return None if expected == EXPECTED else f"{expected!r} is not known here; write as: and the corrected sentence"


def agree(expected: Sequence[str], given: Sequence[str]) -> list[bool]:
    """Whether the corrected sentence is one of those expected, whatever its spaces."""
    return [
        normalise(sentence) in map(normalise, lines_of(wanted))
        for wanted, sentence in zip(expected, given, strict=True)
    ]


def tell_expected(expected: str) -> str:
    """All sentences that would have been right."""
    return " / ".join(lines_of(expected))


TEACHING = Teaching(Kind(fault, alternatives=True), agree, tell_expected=tell_expected)
