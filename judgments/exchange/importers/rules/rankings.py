"""One recorded ranking, whatever file it came from."""

from typing import NamedTuple


class RankedGroup(NamedTuple):
    """Systems that a file records under one output, and the rank a judge gave it; 1 is best."""

    systems: str
    rank: int


class Recorded(NamedTuple):
    """One ranking as a file tells it: where it stands there, who judged which line, what was ranked how.

    `systems` of a group is kept as written: which separator parts the names is found out with all rows at hand.
    """

    line: int
    judge: str
    segment: int
    groups: tuple[RankedGroup, ...]
    skipped: bool
    seconds: float | None
    label: str


LONGEST_LABEL = 200
MOST_SECONDS = 1e9
SKIPPED_ELSEWHERE = "recorded elsewhere"


def seconds_of(told: float) -> float | None:
    """A time that can have been measured, or None."""
    return float(told) if 0 <= told < MOST_SECONDS else None
