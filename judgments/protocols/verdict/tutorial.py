"""Examples with the verdict that is expected."""

import re
from collections.abc import Sequence

from judgments.protocols.base import Teaching
from judgments.protocols.verdict.form import tell
from judgments.rules.authored.tutorials import Kind
from judgments.rules.texts.marking import marked_in


def fault(expected: str) -> str | None:
    """Why this is no finding to expect, or None."""
    if re.fullmatch("error|ok|unknown", expected.casefold()):
        return None
    return f"{expected!r} is no verdict; write error: or ok: or unknown:"


def fault_of_source(source: str) -> str | None:
    """Why it is not clear what is asked about, or None."""
    if marked_in(source):
        return None
    return "the usage that is asked about stands in square brackets, once, as in: He likes [the] music ."


def agree(expected: Sequence[str], given: Sequence[str]) -> list[bool]:
    """Whether the finding is the expected one."""
    return [wanted.casefold() == finding for wanted, finding in zip(expected, given, strict=True)]


TEACHING = Teaching(
    Kind(fault, most=1, fault_of_source=fault_of_source), agree, tell, tell_expected=tell, usage=marked_in
)
