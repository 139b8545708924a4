"""What judgments would resolve, by hours of judging: the mean of simulated campaigns, with a band around it."""

from collections.abc import Sequence
from math import inf

from judgments.web.charts.drawing import Chart
from judgments.web.charts.numbers import counted, number
from ranking.charts.drawing.panels import Curve, Panel, PanelChart
from ranking.charts.drawing.sheets import lines_of, plotted
from ranking.numbers.tables import Table
from ranking.stats.power.curves import needed

FOOT = "hours of judging"
AXIS = 240
# Columns by title: the one drawn, and whether it has a band.
PANELS = {
    "Pairs resolved": ("resolved", True),
    "Pairs resolved the wrong way": ("wrong", False),
    "Chance that the first is the best": ("best_found", False),
    "Ranks that a system may have": ("ranks", True),
    "Width of the intervals of F": ("width", True),
    "Majorities that are right": ("majority", False),
    "Smallest difference detected": ("detectable", False),
}
DIFFERENCES = (0.1, 0.05, 0.03, 0.02)


def power_charts(table: Table) -> list[Chart]:
    lines = lines_of({"power": table}, "power")
    charts = []
    for title, (column, has_band) in PANELS.items():
        if column not in table.columns:
            continue
        ends = [column, *((f"{column}_low", f"{column}_high") if has_band else ())]
        curves = tuple(_curve(lines, name, "curve" if name == column else "curve pale") for name in ends)
        if curves[0].known:
            draw = PanelChart((Panel("", curves),), FOOT, AXIS).sheet
            charts += plotted(column, title, _sentence(lines, column), draw)
    return charts


def _curve(lines: Sequence[dict], column: str, class_: str) -> Curve:
    return Curve("", class_, tuple((line["hours"], line[column]) for line in lines))


def _sentence(lines: Sequence[dict], column: str) -> str:
    known = [line for line in lines if line[column] is not None]
    decimals = {"resolved": 0, "wrong": 1, "ranks": 1}.get(column, 2)
    steps = (f"{number(line[column], decimals)} after {_hours(line['hours'])}" for line in (known[0], known[-1]))
    return ", ".join(dict.fromkeys(steps)) + "."


def answer(table: Table, systems: int) -> str:
    """What all of the hours separate, and half of them: 39 hours separate about 41 of 78 pairs."""
    lines = lines_of({"power": table}, "power")
    last, pairs = lines[-1], systems * (systems - 1) // 2
    wrong = number(last["wrong"], 0)
    wrongly = "" if wrong == "0" else f", {wrong} of them the wrong way"
    half = min(lines, key=lambda line: abs(2 * line["hours"] - last["hours"]))
    return (
        f"{_hours(last['hours'])} of judging would separate about {number(last['resolved'], 0)} of "
        f"{counted(pairs, 'pair')} of systems ({number(last['resolved_low'], 0)} to {number(last['resolved_high'], 0)} "
        f"in four of five simulated campaigns){wrongly}; {_hours(half['hours'])}, about {number(half['resolved'], 0)}."
    )


def needs(table: Table) -> list[tuple[float, str]]:
    """What it takes to separate systems that differ by so much, with a chance of 80 %."""
    last = lines_of({"power": table}, "power")[-1]
    found = []
    for difference in DIFFERENCES:
        many = needed(table, difference)
        if many == inf:
            found.append((difference, "more than this plan; predict a larger one"))
        else:
            hours = last["hours"] * many / last["judgments"]
            found.append((difference, f"about {many:,.0f} judgments, {_hours(hours)}"))
    return found


def _hours(hours: float) -> str:
    return f"{number(hours, 0 if hours >= 10 else 1)} hours"
