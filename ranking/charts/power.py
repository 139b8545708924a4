"""What judgments would resolve, by hours of judging: the mean of simulated campaigns, with a band around it."""

from functools import partial
from math import inf

from judgments.charts.numbers import number, quantity
from judgments.charts.panels import LineCurve, line_panels
from judgments.charts.svg import Chart, draw_chart
from ranking.charts.lines import lines_of
from ranking.numbers.tables import Table
from ranking.stats.power.curves import judgments_needed

# Columns by title: the one drawn, and whether it has a band.
PANELS = {
    "Pairs separated": ("resolved", True),
    "Pairs separated the wrong way": ("wrong", False),
    "Probability that the first is the best": ("best_found", False),
    "Ranks that a system may have": ("ranks", True),
    "Width of the intervals of F": ("width", True),
    "Majorities that are right": ("majority", False),
    "Smallest difference detected": ("detectable", False),
}
FEWEST_FOR_BAND = 10
DIFFERENCES = (0.1, 0.05, 0.03, 0.02)


def power_charts(table: Table) -> list[Chart]:
    lines, charts = lines_of({"power": table}, "power"), []
    for title, (column, has_band) in PANELS.items():
        known = [line for line in lines if column in table.columns and line[column] is not None]
        if not known:
            continue
        decimals = {"resolved": 1, "wrong": 1, "ranks": 1}.get(column, 2)
        steps = (f"{number(line[column], decimals)} after {_hours(line['hours'])}" for line in (known[0], known[-1]))
        curves = [
            LineCurve("", [(line["hours"], line[name]) for line in lines], "curve" if name == column else "curve pale")
            for name in (column, *((f"{column}_low", f"{column}_high") if has_band else ()))
        ]
        draw = partial(line_panels, {"": curves}, "hours of judging", 240)
        charts.append(draw_chart(column, title, ", ".join(dict.fromkeys(steps)) + ".", draw))
    return charts


def answer(table: Table, systems: int) -> str:
    """What all of the hours separate, and half of them: 39 hours separate about 41 of 78 pairs."""
    lines = lines_of({"power": table}, "power")
    last, pairs = lines[-1], systems * (systems - 1) // 2
    wrong = number(last["wrong"], 0)
    wrongly = "" if wrong == "0" else f", {wrong} of them the wrong way"
    half = min(lines, key=lambda line: abs(2 * line["hours"] - last["hours"]))
    band = ""
    if last["campaigns"] >= FEWEST_FOR_BAND:
        low, high = number(last["resolved_low"], 0), number(last["resolved_high"], 0)
        band = f" ({low} to {high} in four of five simulated campaigns)"
    return (
        f"{_hours(last['hours'])} of judging would separate about {number(last['resolved'], 0)} of "
        f"{quantity(pairs, 'pair')} of systems{band}{wrongly}; {_hours(half['hours'])}, about "
        f"{number(half['resolved'], 0)}."
    )


def needs(table: Table) -> list[tuple[float, str]]:
    """What it takes to separate systems that differ by so much, with a chance of 80%."""
    last = lines_of({"power": table}, "power")[-1]
    found = []
    for difference in DIFFERENCES:
        many = judgments_needed(table, difference)
        if many == inf:
            found.append((difference, "more than this plan; predict a larger one"))
        else:
            hours = last["hours"] * many / last["judgments"]
            found.append((difference, f"about {many:,.0f} judgments, {_hours(hours)}"))
    return found


def _hours(hours: float) -> str:
    return f"{number(hours, 0 if hours >= 10 else 1)} hours"
