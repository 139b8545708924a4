"""What every kind of recorded judgment keeps to."""

LONGEST_LABEL = 200
MOST_SECONDS = 1e9
SKIPPED_ELSEWHERE = "recorded elsewhere"


def seconds_of(told: float) -> float | None:
    """A time that can have been measured, or None."""
    return float(told) if 0 <= told < MOST_SECONDS else None
