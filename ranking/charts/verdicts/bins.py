"""Systems by the agreement of the crowd: precision and recall (Figure 2 of Madnani et al. 2011), and kappa.

Also the agreement of the crowd: instances by the share of the larger side (Figure 1 of Madnani et al. 2011).
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from judgments.web.charts.chart import NO_PICTURE
from judgments.web.charts.chart import Plot as Chart
from judgments.web.charts.columns import Bar, Mark, columns
from judgments.web.charts.numbers import counted, listed, number, span
from ranking.charts.drawing.framed import framed
from ranking.charts.drawing.slots import Panel, Point, Series, SlotChart
from ranking.numbers.tables import Table

BINS, KAPPA = "bins", "bins_kappa"
BINS_TITLE, KAPPA_TITLE = "Precision and recall by agreement", "Kappa by agreement"
FOOT = "agreement of the crowd, in %, and instances"
HOLLOW = "An open point is not a measurement: 0 of 0 counts as 1."
MOST = 12
Slot = tuple[float, float]


def bins(tables: Mapping[str, Table]) -> list[Chart]:
    """Both charts, if there are bins."""
    lines: list[dict] = tables[BINS].dicts() if BINS in tables else []
    lines = [line for line in lines if line["low"] is not None and line["high"] is not None]
    if not lines:
        return []
    slots = _slots(lines)
    systems = _order(tables, lines)
    shown = [("Precision", "precision"), ("Recall", "recall")]
    text = bins_sentence(lines, slots[-1])
    if any(_is_nothing_of_nothing(line, column) for line in lines for _, column in shown):
        text += f" {HOLLOW}"
    first = _chart(BINS, BINS_TITLE, text, systems, slots, lines, shown)
    second = _chart(
        KAPPA, KAPPA_TITLE, _agreed(lines, slots), systems, slots, lines, [("Kappa with the majority", "kappa")]
    )
    return [chart for chart in (first, second) if chart]


def _slots(lines: Sequence[dict]) -> list[Slot]:
    """All bins by increasing agreement; empty bins between others keep their place."""
    filled = sorted({(line["low"], line["high"]) for line in lines})
    empty = [(before[1], after[0]) for before, after in pairwise(filled) if after[0] > before[1]]
    return sorted([*filled, *empty])


def _is_nothing_of_nothing(line: dict, column: str) -> bool:
    """Whether a share is 1 because no errors were found (precision) or there are none (recall)."""
    if column == "recall":
        return line["errors"] == 0
    return column == "precision" and line["precision"] == 1 and (line["errors"] == 0 or line["recall"] == 0)


def _order(tables: Mapping[str, Table], lines: Sequence[dict]) -> list[str]:
    """Systems in the order of the table of measures."""
    first = tables["measures"].column("system") if "measures" in tables else []
    present = {str(line["system"]) for line in lines}
    return [name for name in dict.fromkeys([*map(str, first), *sorted(present)]) if name in present]


def _chart(
    name: str, title: str, text: str, systems: Sequence[str], slots: Sequence[Slot], lines: Sequence[dict],
    shown: Sequence[tuple[str, str]],
) -> Chart | None:  # fmt: skip
    places = {slot: place for place, slot in enumerate(slots)}
    panels = tuple(
        Panel(head, tuple(Series(system, _points(lines, system, column, places)) for system in systems))
        for head, column in shown
    )
    if not any(one.points for panel in panels for one in panel.series):
        return None
    if len(systems) > MOST:
        text += f" With {counted(len(systems), 'system')} there is no chart; see the numbers below."
        return Chart(name, title, text, NO_PICTURE, (BINS,) if name == BINS else ())
    under = tuple(_instances(slot, lines) for slot in slots)
    drawing = SlotChart(panels, tuple(map(_percent, slots)), FOOT, under=under)
    return framed(name, title, text, drawing, (BINS,) if name == BINS else ())


def _points(lines: Sequence[dict], system: str, column: str, places: Mapping[Slot, int]) -> tuple[Point, ...]:
    return tuple(
        Point(
            places[line["low"], line["high"]], line[column], line[f"{column}_low"], line[f"{column}_high"],
            _is_nothing_of_nothing(line, column),
        )
        for line in sorted(lines, key=lambda line: line["low"])
        if line["system"] == system and line[column] is not None
    )  # fmt: skip


def _instances(slot: Slot, lines: Sequence[dict]) -> str:
    """The number of instances in a bin, from the system with fewest to the one with most."""
    known = {line["instances"] for line in lines if (line["low"], line["high"]) == slot} - {None}
    return "–".join(f"{many:,}" for many in sorted({min(known, default=0), max(known, default=0)}))


def _percent(slot: Slot) -> str:
    return f"{100 * slot[0]:g}–{100 * slot[1]:g}"


def bins_sentence(lines: Sequence[dict], clearest: Slot) -> str:
    """The best systems where the crowd is clearest, and the sizes of the bins."""
    here = [line for line in lines if (line["low"], line["high"]) == clearest]
    parts = [best for name in ("precision", "recall") if (best := _best(here, name))]
    leading = f"Where {_percent(clearest)} % of the crowd agree, {listed(parts)}." if parts else ""
    return f"{leading} A bin holds {_sizes(lines)}.".strip()


def _best(lines: Sequence[dict], name: str) -> str:
    known = [line for line in lines if line[name] is not None and not _is_nothing_of_nothing(line, name)]
    if not known:
        return ""
    best = max(known, key=lambda line: line[name])
    interval = span(best[f"{name}_low"], best[f"{name}_high"])
    return f"{best['system']} has the highest {name}, {number(best[name])}{interval}"


def _sizes(lines: Sequence[dict]) -> str:
    known = [line["instances"] for line in lines if line["instances"] is not None]
    if not known:
        return "an unknown number of instances"
    low, high = min(known), max(known)
    return counted(low, "instance") if low == high else f"{low:,} to {high:,} instances of a system"


def _agreed(lines: Sequence[dict], slots: Sequence[Slot]) -> str:
    """The purpose of kappa, and the system with the highest."""
    best = _best([line for line in lines if (line["low"], line["high"]) == slots[-1]], "kappa")
    leading = f"Where {_percent(slots[-1])} % of the crowd agree, {best}. " if best else ""
    return (
        f"{leading}Kappa takes chance into account, so it is comparable between systems tested on different instances "
        "with different shares of errors."
    )


NAME, HISTOGRAM_TITLE = "agreement_histogram", "Agreement of the crowd"
HEADS = ("Instances", "Share of verdicts that agree, in %")
CLEAR = 0.9


def agreement_histogram(tables: Mapping[str, Table]) -> list[Chart]:
    """The chart, if the crowd decided on any instance."""
    lines: list[dict] = [line for line in tables[NAME].dicts() if _is_whole(line)] if NAME in tables else []
    if not sum(line["instances"] for line in lines):
        return []
    text = histogram_sentence(lines)
    bars = [
        Bar(place, line["instances"], f"{_range(line)} %: {counted(line['instances'], 'instance')}")
        for place, line in enumerate(lines)
    ]
    marks = [Mark(place, _range(line)) for place, line in enumerate(lines)]
    return [
        Chart(
            NAME, HISTOGRAM_TITLE, text, columns((NAME, HISTOGRAM_TITLE, text), HEADS, bars, len(lines), marks), (NAME,)
        )
    ]


def _is_whole(line: dict) -> bool:
    return all(line[name] is not None for name in ("low", "high", "instances"))


def _range(line: dict) -> str:
    return f"{100 * line['low']:.0f}–{100 * line['high']:.0f}"


def histogram_sentence(lines: list[dict]) -> str:
    """The numbers of instances on which the crowd is clear, and on which it is split."""
    total = sum(line["instances"] for line in lines)
    clear = sum(line["instances"] for line in lines if line["low"] >= CLEAR - 1e-9)
    split = sum(line["instances"] for line in lines if line["high"] <= 0.75 + 1e-9)
    share = number(100 * clear / total, 0)
    return (
        f"On {clear:,} of {counted(total, 'instance')} ({share} %) at least nine of ten verdicts agree; "
        f"on {split:,} fewer than three of four do."
    )
