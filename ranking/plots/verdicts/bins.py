"""Systems by how far the crowd agrees: precision and recall (Figure 2 of Madnani et al. 2011), and kappa."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from judgments.web.charts.chart import NO_PICTURE, Plot
from judgments.web.charts.drawing import frame
from judgments.web.charts.numbers import counted, listed, number, span
from ranking.plots.slots import Panel, Picture, Point, Series
from ranking.stats.tables import Table

BINS, KAPPA = "bins", "bins_kappa"
TITLE, KAPPA_TITLE = "Precision and recall by agreement", "Kappa by agreement"
FOOT = "agreement of the crowd, in %, and instances"
HOLLOW = "An open point is no measurement: 0 of 0, which counts as 1."
MOST = 12
Slot = tuple[float, float]


def bins(tables: Mapping[str, Table]) -> list[Plot]:
    """Both plots, if there are bins."""
    lines: list[dict] = tables[BINS].dicts() if BINS in tables else []
    lines = [line for line in lines if line["low"] is not None and line["high"] is not None]
    if not lines:
        return []
    slots = _slots(lines)
    systems = _order(tables, lines)
    shown = [("Precision", "precision"), ("Recall", "recall")]
    told = sentence(lines, slots[-1])
    if any(_is_nothing_of_nothing(line, column) for line in lines for _, column in shown):
        told += f" {HOLLOW}"
    first = _plot(BINS, TITLE, told, systems, slots, lines, shown)
    second = _plot(
        KAPPA, KAPPA_TITLE, _agreed(lines, slots), systems, slots, lines, [("Kappa with the majority", "kappa")]
    )
    return [plot for plot in (first, second) if plot]


def _slots(lines: Sequence[dict]) -> list[Slot]:
    """All bins from the least agreement on; one without an instance keeps its place between others."""
    filled = sorted({(line["low"], line["high"]) for line in lines})
    empty = [(before[1], after[0]) for before, after in pairwise(filled) if after[0] > before[1]]
    return sorted([*filled, *empty])


def _is_nothing_of_nothing(line: dict, column: str) -> bool:
    """Whether a share is 1 because nothing was called an error (precision), or because there is none (recall)."""
    if column == "recall":
        return line["errors"] == 0
    return column == "precision" and line["precision"] == 1 and (line["errors"] == 0 or line["recall"] == 0)


def _order(tables: Mapping[str, Table], lines: Sequence[dict]) -> list[str]:
    """Systems as they stand among the measures."""
    first = tables["measures"].column("system") if "measures" in tables else []
    present = {str(line["system"]) for line in lines}
    return [name for name in dict.fromkeys([*map(str, first), *sorted(present)]) if name in present]


def _plot(
    name: str, title: str, told: str, systems: Sequence[str], slots: Sequence[Slot], lines: Sequence[dict],
    shown: Sequence[tuple[str, str]],
) -> Plot | None:  # fmt: skip
    places = {slot: place for place, slot in enumerate(slots)}
    panels = tuple(
        Panel(head, tuple(Series(system, _points(lines, system, column, places)) for system in systems))
        for head, column in shown
    )
    if not any(one.points for panel in panels for one in panel.series):
        return None
    if len(systems) > MOST:
        told += f" With {counted(len(systems), 'system')} there is no picture; the numbers have them all."
        return Plot(name, title, told, NO_PICTURE, (BINS,) if name == BINS else ())
    picture = Picture(panels, tuple(map(_told, slots)), FOOT, under=tuple(_instances(slot, lines) for slot in slots))
    drawn = frame(name, title, told, *picture.whole, picture.parts())
    return Plot(name, title, told, drawn, (BINS,) if name == BINS else ())


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
    """How many instances a bin has, of the system with fewest and of that with most."""
    known = {line["instances"] for line in lines if (line["low"], line["high"]) == slot} - {None}
    return "–".join(f"{many:,}" for many in sorted({min(known, default=0), max(known, default=0)}))


def _told(slot: Slot) -> str:
    return f"{100 * slot[0]:g}–{100 * slot[1]:g}"


def sentence(lines: Sequence[dict], clearest: Slot) -> str:
    """Who is best where the crowd is clearest, and how many instances the bins have."""
    here = [line for line in lines if (line["low"], line["high"]) == clearest]
    told = [best for name in ("precision", "recall") if (best := _best(here, name))]
    said = f"Where {_told(clearest)} % of the crowd agree, {listed(told)}." if told else ""
    return f"{said} A bin holds {_sizes(lines)}.".strip()


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
    """What kappa is for, and who has the highest."""
    best = _best([line for line in lines if (line["low"], line["high"]) == slots[-1]], "kappa")
    leading = f"Where {_told(slots[-1])} % of the crowd agree, {best}. " if best else ""
    return (
        f"{leading}Kappa takes chance into account, so it can be compared between systems that were tried on different "
        "instances with other shares of errors."
    )
