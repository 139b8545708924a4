"""A ballot: one judgment as statistics see it."""

from typing import NamedTuple


class Group(NamedTuple):
    """Systems whose outputs were one candidate, and the rank it got; the lower the better."""

    systems: tuple[int, ...]
    rank: float


class Ballot(NamedTuple):
    """Who judged which segment, and how; a skipped one has no groups."""

    judge: int
    segment: int
    groups: tuple[Group, ...]


class StatisticsError(ValueError):
    """A number cannot be computed; the text is the reason."""
