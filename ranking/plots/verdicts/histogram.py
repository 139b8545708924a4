"""How far the crowd agrees: instances by the share of the larger side (Figure 1 of Madnani et al. 2011)."""

from collections.abc import Mapping

from judgments.web.charts.chart import Plot
from judgments.web.charts.columns import Bar, Mark, columns
from judgments.web.charts.numbers import counted, number
from ranking.stats.tables import Table

NAME, TITLE = "agreement_histogram", "Agreement of the crowd"
HEADS = ("Instances", "Share of the verdicts that say the same, in %")
CLEAR = 0.9


def agreement_histogram(tables: Mapping[str, Table]) -> list[Plot]:
    """The plot, if the crowd told of anything."""
    lines: list[dict] = [line for line in tables[NAME].dicts() if _is_whole(line)] if NAME in tables else []
    if not sum(line["instances"] for line in lines):
        return []
    told = sentence(lines)
    bars = [
        Bar(place, line["instances"], f"{_range(line)} %: {counted(line['instances'], 'instance')}")
        for place, line in enumerate(lines)
    ]
    marks = [Mark(place, _range(line)) for place, line in enumerate(lines)]
    return [Plot(NAME, TITLE, told, columns((NAME, TITLE, told), HEADS, bars, len(lines), marks), (NAME,))]


def _is_whole(line: dict) -> bool:
    return all(line[name] is not None for name in ("low", "high", "instances"))


def _range(line: dict) -> str:
    return f"{100 * line['low']:.0f}–{100 * line['high']:.0f}"


def sentence(lines: list[dict]) -> str:
    """On how many instances the crowd is clear, and on how many it is split."""
    total = sum(line["instances"] for line in lines)
    clear = sum(line["instances"] for line in lines if line["low"] >= CLEAR - 1e-9)
    split = sum(line["instances"] for line in lines if line["high"] <= 0.75 + 1e-9)
    share = number(100 * clear / total, 0)
    return (
        f"On {clear:,} of {counted(total, 'instance')} ({share} %) nine of ten verdicts or more say the same; "
        f"on {split:,} fewer than three of four do."
    )
