"""A ranking as a table with a plot in one of its columns, which is as wide as the page allows."""

from collections.abc import Sequence
from typing import NamedTuple

from judgments.web.charts.scale import Scale

Tick = tuple[str, str]


class Bar(NamedTuple):
    """A system's standing, with its score and interval as shares of the width; `is_other` shades every other cluster."""

    standing: dict
    at: str
    low: str
    high: str
    is_other: bool


class Bars(NamedTuple):
    """Standings by one method, best first, and the ticks of their axis."""

    rows: tuple[Bar, ...]
    ticks: tuple[Tick, ...]

    @classmethod
    def of(cls, lines: Sequence[dict]) -> "Bars":
        known = [line[key] for line in lines for key in ("score", "score_low", "score_high") if line[key] is not None]
        scale = Scale.around(known, 0, 100)
        clusters = list(dict.fromkeys(line["cluster"] for line in lines if line["cluster"] is not None))
        rows = (
            Bar(
                line,
                *("" if line[key] is None else _percent(scale, line[key]) for key in ("score", "score_low", "score_high")),
                line["cluster"] in clusters and clusters.index(line["cluster"]) % 2 == 0,
            )
            for line in lines
        )
        return cls(tuple(rows), tuple((_percent(scale, value), label) for value, label in scale.ticks()))


def _percent(scale: Scale, value: float) -> str:
    return f"{scale.at(value):.2f}%"
