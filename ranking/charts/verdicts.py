"""Systems against the crowd by clearness, the agreement of the crowd, its judges, and how many of them are enough."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise

from judgments.charts.columns import columns
from judgments.charts.numbers import UNKNOWN, number, quantity, span, text_list
from judgments.charts.panels import SlotCurve, slot_panels
from judgments.charts.rows import IntervalPoint, IntervalRow, interval_rows
from judgments.charts.svg import Chart, draw_chart
from ranking.charts.lines import lines_of, point_of
from ranking.numbers.tables import Table
from ranking.stats.verdicts.judges import EVERYBODY
from ranking.stats.verdicts.systems import RATIOS, UNWEIGHTED, WEIGHTED

PANELS = ("Precision", "Recall", "F")
MOST_SYSTEMS, MOST_IN_BINS, MOST_JUDGES, MOST_NUMBERS = 40, 12, 60, 100
SHARES = {"right": "right on gold", "agreeing": "in agreement with the others"}
CLEAR, CONTESTED = 0.9, 0.75
# Majorities are hardly worse than chance.
LEAST = 0.5
# The ends of a bin of agreement.
Bin = tuple[float, float]


def measures(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw precision, recall and F by the proportions of the crowd and by its majority."""
    lines = lines_of(tables, "measures")
    rows = [
        IntervalRow(str(line["system"]), str(line["by"]),
                    tuple(point_of(line, name, is_hollow=line["by"] == UNWEIGHTED) for name in RATIOS))
        for line in lines
    ]  # fmt: skip
    if not any(point for row in rows for point in row.points):
        return []
    sentences = []
    for by, how in ((WEIGHTED, "Weighted by the crowd"), (UNWEIGHTED, "By its majority")):
        known = [line for line in lines if line["by"] == by and line["f"] is not None]
        if known:
            best = max(known, key=lambda line: line["f"])
            numbers = f"{number(best['f'])}{span(best['f_low'], best['f_high'])}"
            sentences.append(f"{how} {best['system']} has the highest F, {numbers}.")
    text = " ".join([*sentences, "Hollow points count contested usages like clear ones, by their majority."])
    draw = partial(interval_rows, PANELS, rows)
    return [draw_chart("measures", "Systems against the crowd", text, draw, _too_many_systems(rows))]


def stability(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw the standard deviation of measures with other judges."""
    spreads: dict[tuple[str, str, str], float] = {
        (str(line["system"]), str(line["by"]), name): line[f"{name}_spread"]
        for name in RATIOS
        for line in lines_of(tables, "measures", f"{name}_spread")
    }
    if not spreads:
        return []
    rows = [
        IntervalRow(system, by, tuple(
            IntervalPoint(spread, is_hollow=by == UNWEIGHTED)
            if (spread := spreads.get((system, by, name))) is not None else None
            for name in RATIOS
        ))
        for system in dict.fromkeys(system for system, *_ in spreads)
        for by in (WEIGHTED, UNWEIGHTED)
    ]  # fmt: skip
    pairs = [
        (spread, spreads[system, UNWEIGHTED, name])
        for (system, by, name), spread in spreads.items()
        if by == WEIGHTED and (system, UNWEIGHTED, name) in spreads
    ]
    less = sum(weighted < other for weighted, other in pairs)
    means = [number(sum(column) / len(pairs), 3) for column in zip(*pairs, strict=True)] or [UNKNOWN, UNKNOWN]
    text = (
        f"With other judges weighted measures move by {means[0]} on average (standard deviation) and unweighted ones "
        f"by {means[1]}; the weighted one moves less in {less} of {len(pairs)} cases."
    )
    draw = partial(interval_rows, PANELS, rows, max(spreads.values()) or 1.0)
    return [draw_chart("stability", "How measures vary with other judges", text, draw, _too_many_systems(rows), ())]


def _too_many_systems(rows: Sequence[IntervalRow]) -> str | bool:
    systems = list(dict.fromkeys(row.name for row in rows))
    return len(systems) > MOST_SYSTEMS and f"{text_list(systems)} are too many for a chart"


def bins(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw precision and recall (Figure 2 of Madnani et al. 2011), and kappa, by the agreement of the crowd."""
    lines = sorted(lines_of(tables, "bins", "low", "high"), key=lambda line: line["low"])
    if not lines:
        return []
    # In order of agreement; empty bins between others keep their slots.
    filled = sorted({(line["low"], line["high"]) for line in lines})
    slots = sorted([*filled, *((one[1], other[0]) for one, other in pairwise(filled) if other[0] > one[1])])
    # In the order of the measures table.
    present = {str(line["system"]) for line in lines}
    first = [str(line["system"]) for line in lines_of(tables, "measures")]
    systems = [name for name in dict.fromkeys([*first, *sorted(present)]) if name in present]
    under = []
    for slot in slots:  # usages of the system with fewest and of that with most
        known = {line["usages"] for line in lines if (line["low"], line["high"]) == slot} - {None}
        under.append("–".join(f"{many:,}" for many in sorted({min(known, default=0), max(known, default=0)})))

    def chart(name: str, title: str, text: str, columns: Mapping[str, str]) -> list[Chart]:
        panels = {head: [
            SlotCurve(system, {
                slots.index((line["low"], line["high"])): point
                for line in lines
                if line["system"] == system and (point := point_of(line, column, is_hollow=_is_0_of_0(line, column)))
            })
            for system in systems
        ] for head, column in columns.items()}  # fmt: skip
        if not any(one.points for curves in panels.values() for one in curves):
            return []
        foot = "agreement of the crowd, in %, and usages"
        draw = partial(slot_panels, panels, [_percent(slot) for slot in slots], foot, under=under)
        too_large = len(systems) > MOST_IN_BINS and f"With {quantity(len(systems), 'system')} there is no chart"
        return [draw_chart(name, title, text, draw, too_large, ("bins",) if name == "bins" else ())]

    kappa = _best_in_bin(lines, slots[-1], "kappa")
    kappa_text = f"Where {_percent(slots[-1])}% of the crowd agree, {kappa}. " if kappa else ""
    kappa_text += (
        "Kappa takes chance into account, so it is comparable between systems tested on different usages "
        "with different shares of errors."
    )
    shares = {"Precision": "precision", "Recall": "recall"}
    return [
        *chart("bins", "Precision and recall by agreement", _bins_sentence(lines, slots[-1]), shares),
        *chart("bins_kappa", "Kappa by agreement", kappa_text, {"Kappa with the majority": "kappa"}),
    ]


def _is_0_of_0(line: dict, column: str) -> bool:
    """Whether a share is 0 / 0, which counts as 1: no errors were found (precision), or there are none (recall)."""
    if column == "recall":
        return line["errors"] == 0
    return column == "precision" and line["precision"] == 1 and (line["errors"] == 0 or line["recall"] == 0)


def _percent(ends: Bin) -> str:
    return f"{100 * ends[0]:g}–{100 * ends[1]:g}"


def _bins_sentence(lines: Sequence[dict], clearest: Bin) -> str:
    parts = [best for name in ("precision", "recall") if (best := _best_in_bin(lines, clearest, name))]
    sizes = [line["usages"] for line in lines if line["usages"] is not None]
    held = "an unknown number of usages"
    if sizes:
        low, high = min(sizes), max(sizes)
        held = quantity(low, "usage") if low == high else f"{low:,} to {high:,} usages of a system"
    leading = f"Where {_percent(clearest)}% of the crowd agree, {text_list(parts)}. " if parts else ""
    text = f"{leading}A bin holds {held}."
    if any(_is_0_of_0(line, column) for line in lines for column in ("precision", "recall")):
        text += " An open point is not a measurement: 0 of 0 counts as 1."
    return text


def _best_in_bin(lines: Sequence[dict], ends: Bin, name: str) -> str:
    here = [line for line in lines if (line["low"], line["high"]) == ends and line[name] is not None]
    known = [line for line in here if not _is_0_of_0(line, name)]
    if not known:
        return ""
    best = max(known, key=lambda line: line[name])
    interval = span(best[f"{name}_low"], best[f"{name}_high"])
    return f"{best['system']} has the highest {name}, {number(best[name])}{interval}"


def agreement_histogram(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw usages by the share of the larger side of the crowd (Figure 1 of Madnani et al. 2011)."""
    lines = lines_of(tables, "agreement_histogram", "low", "high", "usages")
    total = sum(line["usages"] for line in lines)
    if not total:
        return []
    clear = sum(line["usages"] for line in lines if line["low"] >= CLEAR - 1e-9)
    split = sum(line["usages"] for line in lines if line["high"] <= CONTESTED + 1e-9)
    text = (
        f"On {clear:,} of {quantity(total, 'usage')} ({number(100 * clear / total, 0)}%) at least nine of ten "
        f"verdicts agree; on {split:,} fewer than three of four do."
    )
    marks = [(place, f"{100 * line['low']:.0f}–{100 * line['high']:.0f}") for place, line in enumerate(lines)]
    counts = [
        (place, line["usages"], f"{mark}%: {quantity(line['usages'], 'usage')}")
        for line, (place, mark) in zip(lines, marks, strict=True)
    ]
    draw = partial(columns, ("Usages", "Share of verdicts that agree, in %"), counts, len(lines), marks)
    return [draw_chart("agreement_histogram", "Agreement of the crowd", text, draw)]


def verdict_judges(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw each judge against gold and against the majority of the others."""
    lines = lines_of(tables, "verdict_judges")
    rows = [
        IntervalRow(str(line["judge"]), "expert" if line["expert"] else "",
                    tuple(point_of(line, f"{name}_share", name) for name in SHARES))
        for line in lines
    ]  # fmt: skip
    if not any(point for row in rows for point in row.points):
        return []
    sentences = []
    for column, label in ((f"{name}_share", label) for name, label in SHARES.items()):
        known = [line for line in lines if line[column] is not None]
        if known:
            least = min(known, key=lambda line: line[column])
            sentences.append(f"{least['judge']} is {label} least, {number(least[column])}.")
    text = " ".join([*sentences, "Wide intervals mean that there is little to judge a judge by."])
    too_large = len(rows) > MOST_JUDGES and f"With {quantity(len(rows), 'judge')} a chart would be too long"
    draw = partial(interval_rows, ("Right on gold", "As the majority of the others"), rows)
    return [draw_chart("verdict_judges", "Judges against gold and against the others", text, draw, too_large)]


def enough(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw the agreement of the majority of n judges with experts or gold, and of experts with each other."""
    lines = lines_of(tables, "enough", "judges", "agreement")
    if not lines:
        return []
    experts = next((line for line in lines_of(tables, "experts") if line["expert"] == EVERYBODY), {})
    panels = {}
    for title, column in (("Agreement", "agreement"), ("Kappa", "kappa")):
        points = {place: point for place, line in enumerate(lines) if (point := point_of(line, column))}
        panels[title] = [SlotCurve("majority of n", points)]
        if (level := experts.get(column)) is not None:
            levels = {place: IntervalPoint(level) for place in range(len(lines))}
            panels[title].append(SlotCurve("experts", levels, is_level=True))
    against = str(lines[0]["against"])
    against = against if against == "gold" or against.startswith("each") else f"the {against}"
    text = (
        f"Compared with {against}, one judge agrees in {number(lines[0]['agreement'])} of cases and a majority of "
        f"{lines[-1]['judges']} in {number(lines[-1]['agreement'])}."
    )
    if (level := experts.get("agreement")) is not None:
        first = next((line["judges"] for line in lines if line["agreement"] >= level), None)
        reached = "It does not reach" if first is None else f"{first} {'is' if first == 1 else 'are'} enough for"
        text += f" {reached} the {number(level)} that experts have with each other."
    draw = partial(slot_panels, panels, [str(line["judges"]) for line in lines], "judges of a usage", LEAST)
    too_large = len(lines) > MOST_NUMBERS and f"More than {MOST_NUMBERS} numbers of judges are too many for a chart"
    return [draw_chart("enough", "How many judgments are enough", text, draw, too_large)]
