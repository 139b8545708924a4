"""Systems by the agreement of the crowd: precision and recall (Figure 2 of Madnani et al. 2011), and kappa.

Also the agreement of the crowd: usages by the share of the larger side (Figure 1 of Madnani et al. 2011).
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from judgments.web.charts.columns import Bar, Mark, columns
from judgments.web.charts.drawing import Chart
from judgments.web.charts.numbers import counted, listed, number, span
from ranking.charts.drawing.sheets import lines_of, plotted
from ranking.charts.drawing.slots import Panel, Point, Series, SlotChart
from ranking.numbers.tables import Table

BINS, KAPPA = "bins", "bins_kappa"
BINS_TITLE, KAPPA_TITLE = "Precision and recall by agreement", "Kappa by agreement"
FOOT = "agreement of the crowd, in %, and usages"
HOLLOW = "An open point is not a measurement: 0 of 0 counts as 1."
MOST = 12
Slot = tuple[float, float]


def bins(tables: Mapping[str, Table]) -> list[Chart]:
    lines = lines_of(tables, BINS, "low", "high")
    if not lines:
        return []
    # In order of agreement; empty bins between others keep their slots.
    filled = sorted({(line["low"], line["high"]) for line in lines})
    empty = [(before[1], after[0]) for before, after in pairwise(filled) if after[0] > before[1]]
    slots = sorted([*filled, *empty])
    # In the order of the measures table.
    present = {str(line["system"]) for line in lines}
    first = [str(line["system"]) for line in lines_of(tables, "measures")]
    systems = [name for name in dict.fromkeys([*first, *sorted(present)]) if name in present]
    shown = [("Precision", "precision"), ("Recall", "recall")]
    text = bins_sentence(lines, slots[-1])
    if any(_is_nothing_of_nothing(line, column) for line in lines for _, column in shown):
        text += f" {HOLLOW}"
    kappa = [("Kappa with the majority", "kappa")]
    return [
        *_chart(BINS, BINS_TITLE, text, systems, slots, lines, shown),
        *_chart(KAPPA, KAPPA_TITLE, kappa_sentence(lines, slots[-1]), systems, slots, lines, kappa),
    ]


def _is_nothing_of_nothing(line: dict, column: str) -> bool:
    """Whether a share is 0 / 0, which counts as 1: no errors were found (precision), or there are none (recall)."""
    if column == "recall":
        return line["errors"] == 0
    return column == "precision" and line["precision"] == 1 and (line["errors"] == 0 or line["recall"] == 0)


def _chart(
    name: str, title: str, text: str, systems: Sequence[str], slots: Sequence[Slot], lines: Sequence[dict],
    shown: Sequence[tuple[str, str]],
) -> list[Chart]:  # fmt: skip
    places = {slot: place for place, slot in enumerate(slots)}
    panels = tuple(
        Panel(head, tuple(Series(system, _points(lines, system, column, places)) for system in systems))
        for head, column in shown
    )
    if not any(one.points for panel in panels for one in panel.series):
        return []
    too_large = f"With {counted(len(systems), 'system')} there is no chart" if len(systems) > MOST else ""
    under = tuple(_usages(slot, lines) for slot in slots)
    drawing = SlotChart(panels, tuple(map(_percent, slots)), FOOT, under=under)
    return plotted(name, title, text, drawing.sheet, too_large, (BINS,) if name == BINS else ())


def _points(lines: Sequence[dict], system: str, column: str, places: Mapping[Slot, int]) -> tuple[Point, ...]:
    return tuple(
        Point(
            places[line["low"], line["high"]], line[column], line[f"{column}_low"], line[f"{column}_high"],
            _is_nothing_of_nothing(line, column),
        )
        for line in sorted(lines, key=lambda line: line["low"])
        if line["system"] == system and line[column] is not None
    )  # fmt: skip


def _usages(slot: Slot, lines: Sequence[dict]) -> str:
    """Format the number of usages in a bin, from the system with fewest to that with most."""
    known = {line["instances"] for line in lines if (line["low"], line["high"]) == slot} - {None}
    return "–".join(f"{many:,}" for many in sorted({min(known, default=0), max(known, default=0)}))


def _percent(slot: Slot) -> str:
    return f"{100 * slot[0]:g}–{100 * slot[1]:g}"


def bins_sentence(lines: Sequence[dict], clearest: Slot) -> str:
    parts = [best for name in ("precision", "recall") if (best := _best(lines, clearest, name))]
    leading = f"Where {_percent(clearest)} % of the crowd agree, {listed(parts)}." if parts else ""
    sizes = [line["instances"] for line in lines if line["instances"] is not None]
    if not sizes:
        return f"{leading} A bin holds an unknown number of usages.".strip()
    low, high = min(sizes), max(sizes)
    held = counted(low, "usage") if low == high else f"{low:,} to {high:,} usages of a system"
    return f"{leading} A bin holds {held}.".strip()


def _best(lines: Sequence[dict], slot: Slot, name: str) -> str:
    here = [line for line in lines if (line["low"], line["high"]) == slot and line[name] is not None]
    known = [line for line in here if not _is_nothing_of_nothing(line, name)]
    if not known:
        return ""
    best = max(known, key=lambda line: line[name])
    interval = span(best[f"{name}_low"], best[f"{name}_high"])
    return f"{best['system']} has the highest {name}, {number(best[name])}{interval}"


def kappa_sentence(lines: Sequence[dict], clearest: Slot) -> str:
    best = _best(lines, clearest, "kappa")
    leading = f"Where {_percent(clearest)} % of the crowd agree, {best}. " if best else ""
    return (
        f"{leading}Kappa takes chance into account, so it is comparable between systems tested on different usages "
        "with different shares of errors."
    )


NAME, HISTOGRAM_TITLE = "agreement_histogram", "Agreement of the crowd"
HEADS = ("Usages", "Share of verdicts that agree, in %")
CLEAR = 0.9


def agreement_histogram(tables: Mapping[str, Table]) -> list[Chart]:
    lines = lines_of(tables, NAME, "low", "high", "instances")
    if not sum(line["instances"] for line in lines):
        return []
    text = histogram_sentence(lines)
    bars = [
        Bar(place, line["instances"], f"{_range(line)} %: {counted(line['instances'], 'usage')}")
        for place, line in enumerate(lines)
    ]
    marks = [Mark(place, _range(line)) for place, line in enumerate(lines)]
    svg = columns((NAME, HISTOGRAM_TITLE, text), HEADS, bars, len(lines), marks)
    return [Chart(NAME, HISTOGRAM_TITLE, text, svg, (NAME,))]


def _range(line: dict) -> str:
    return f"{100 * line['low']:.0f}–{100 * line['high']:.0f}"


def histogram_sentence(lines: list[dict]) -> str:
    total = sum(line["instances"] for line in lines)
    clear = sum(line["instances"] for line in lines if line["low"] >= CLEAR - 1e-9)
    split = sum(line["instances"] for line in lines if line["high"] <= 0.75 + 1e-9)
    share = number(100 * clear / total, 0)
    return (
        f"On {clear:,} of {counted(total, 'usage')} ({share} %) at least nine of ten verdicts agree; "
        f"on {split:,} fewer than three of four do."
    )
