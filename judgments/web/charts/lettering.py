"""Estimates of text widths without the font: system fonts differ, so they err on the wide side."""

from itertools import accumulate
from unicodedata import combining, east_asian_width

from judgments.web.charts.drawing import TEXT

WIDE, BROAD, CAPITAL, NORMAL = 1.05, 1.0, 0.76, 0.62
LONGEST = 13.0


def ems(sign: str) -> float:
    """The width of a character in parts of the font size."""
    if combining(sign):
        return 0.0
    if east_asian_width(sign) in "WF":
        return WIDE
    if sign in "mwMW@%—":
        return BROAD
    return CAPITAL if sign.isupper() else NORMAL


def shortened(text: str, longest: float = LONGEST) -> str:
    """Shorten a name with an ellipsis in the middle, as names from one team often differ only at their ends."""
    if sum(map(ems, text)) <= longest:
        return text
    room = (longest - 1) / 2
    return f"{_begun(text, room).rstrip()}…{_begun(text[::-1], room)[::-1].lstrip()}"


def _begun(text: str, room: float) -> str:
    """As much of the beginning as fits."""
    widths = accumulate(map(ems, text))
    return text[: sum(1 for width in widths if width <= room)]


def width_of(texts: list[str], size: int = TEXT) -> float:
    """The width of the widest text."""
    return size * max((sum(map(ems, text)) for text in texts), default=0.0)
