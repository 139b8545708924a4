"""A ranking as a table with a plot in one of its columns, which is as wide as the page allows."""

from collections.abc import Sequence
from typing import NamedTuple

from judgments.web.charts.numbers import chance
from judgments.web.charts.scale import Scale

ENDS = ("score", "score_low", "score_high")
Tick = tuple[str, str]


class Bar(NamedTuple):
    """A system's standing, its score and interval as shares of the width; `is_other` shades every other cluster."""

    standing: dict
    at: str
    low: str
    high: str
    p_best: str
    is_other: bool


class Bars(NamedTuple):
    """Standings by one method, best first, and the ticks of their axis."""

    rows: tuple[Bar, ...]
    ticks: tuple[Tick, ...]

    @classmethod
    def of(cls, lines: Sequence[dict]) -> "Bars":
        known = [line[end] for line in lines for end in ENDS if line[end] is not None]
        scale = Scale.around(known, 0, 100)
        clusters = list(dict.fromkeys(line["cluster"] for line in lines if line["cluster"] is not None))
        rows = tuple(
            Bar(
                line,
                *_ends(scale, line),
                chance(line["p_best"]),
                line["cluster"] in clusters and clusters.index(line["cluster"]) % 2 == 1,
            )
            for line in lines
        )
        return cls(rows, tuple((_percent(scale, value), label) for value, label in scale.ticks()))


def _ends(scale: Scale, line: dict) -> tuple[str, str, str]:
    at, low, high = ("" if line[end] is None else _percent(scale, line[end]) for end in ENDS)
    return at, low, high


def _percent(scale: Scale, value: float) -> str:
    return f"{scale.at(value):.2f}%"
