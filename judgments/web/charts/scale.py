"""Mapping numbers to positions on an axis, with round ticks."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, log10

from judgments.web.charts.numbers import number

STEPS = (1, 2, 5, 10)
# The share of an axis that stays free at both ends, so that no point sits on the edge.
MARGIN = 0.04


@dataclass(frozen=True)
class Scale:
    """An axis from `low` at `start` to `high` at `end`."""

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def around(cls, values: Iterable[float], start: float, end: float) -> "Scale":
        """Span all values; put a single value in the middle."""
        known = list(values) or [0.0]
        low, high = min(known), max(known)
        margin = (high - low) * MARGIN or max(abs(low), 1.0) * 0.5
        return cls(low - margin, high + margin, start, end)

    def at(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, most: int = 6) -> list[tuple[float, str]]:
        """Return round values on the axis, with their labels."""
        step = _step((self.high - self.low) / most)
        decimals = max(0, -floor(log10(step)))
        first, last = ceil(self.low / step), floor(self.high / step)
        return [(place * step, number(place * step, decimals)) for place in range(first, last + 1)]


def _step(least: float) -> float:
    power = 10.0 ** floor(log10(least))
    return next(power * step for step in STEPS if power * step >= least * (1 - 1e-9))
