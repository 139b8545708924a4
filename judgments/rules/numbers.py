"""Whole numbers as files write them: plain digits, and not more of them than any count in a file can have."""

import re

WHOLE = re.compile(r"-?[0-9]{1,9}", re.ASCII)


def whole_number(text: str) -> int | None:
    """The text as a whole number, or None where it is none or a senseless one."""
    return int(text) if WHOLE.fullmatch(text) else None
