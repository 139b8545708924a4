"""Judges of verdicts: each against gold and the majority of the others, and how many judgments are enough."""

from collections.abc import Mapping, Sequence

from judgments.web.charts.drawing import Chart
from judgments.web.charts.numbers import counted, number
from ranking.charts.drawing import rows
from ranking.charts.drawing.sheets import lines_of, plotted
from ranking.charts.drawing.slots import Panel, Point, Series, SlotChart
from ranking.numbers.tables import Table
from ranking.stats.verdicts.judges import EVERYBODY

JUDGES, JUDGES_TITLE = "verdict_judges", "Judges against gold and against the others"
PANELS = ("Right on gold", "As the majority of the others")
SHARES = {"right": "right on gold", "agreeing": "in agreement with the others"}
MOST_JUDGES = 60


def verdict_judges(tables: Mapping[str, Table]) -> list[Chart]:
    lines = lines_of(tables, JUDGES)
    drawn = tuple(
        rows.Row(str(line["judge"]), "expert" if line["expert"] else "",
                 tuple(rows.Point.of(line, f"{name}_share", name) for name in SHARES))
        for line in lines
    )  # fmt: skip
    if not any(point for row in drawn for point in row.points):
        return []
    too_large = f"With {counted(len(drawn), 'judge')} a chart would be too long" if len(drawn) > MOST_JUDGES else ""
    return plotted(JUDGES, JUDGES_TITLE, judges_sentence(lines), rows.RowChart(PANELS, drawn).sheet, too_large)


def judges_sentence(lines: Sequence[dict]) -> str:
    sentences = []
    for name, label in SHARES.items():
        known = [line for line in lines if line[f"{name}_share"] is not None]
        if known:
            least = min(known, key=lambda line: line[f"{name}_share"])
            sentences.append(f"{least['judge']} is {label} least, {number(least[f'{name}_share'])}.")
    return " ".join([*sentences, "Wide intervals mean that there is little to judge a judge by."])


ENOUGH, ENOUGH_TITLE = "enough", "How many judgments are enough"
FOOT = "judges of a usage"
MOST_NUMBERS = 100
# Majorities are hardly worse than chance.
LEAST = 0.5


def enough(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw the agreement of the majority of n judges with experts or gold, and of experts with each other."""
    lines = lines_of(tables, ENOUGH, "judges", "agreement")
    if not lines:
        return []
    experts = next((line for line in lines_of(tables, "experts") if line["expert"] == EVERYBODY), {})
    are_many = len(lines) > MOST_NUMBERS
    too_large = f"More than {MOST_NUMBERS} numbers of judges are too many for a chart" if are_many else ""
    panels = (_panel("Agreement", "agreement", lines, experts), _panel("Kappa", "kappa", lines, experts))
    drawing = SlotChart(panels, tuple(str(line["judges"]) for line in lines), FOOT, LEAST)
    return plotted(ENOUGH, ENOUGH_TITLE, enough_sentence(lines, experts), drawing.sheet, too_large)


def _panel(title: str, column: str, lines: Sequence[dict], experts: dict) -> Panel:
    crowd = Series("majority of n", tuple(
        Point(place, line[column], line[f"{column}_low"], line[f"{column}_high"])
        for place, line in enumerate(lines) if line[column] is not None
    ))  # fmt: skip
    level = experts.get(column)
    if level is None:
        return Panel(title, (crowd,))
    return Panel(title, (crowd, Series("experts", tuple(Point(place, level) for place in range(len(lines))), True)))


def enough_sentence(lines: Sequence[dict], experts: dict) -> str:
    against = {"gold": "gold"}.get(str(lines[0]["against"]), f"the {lines[0]['against']}").replace("the each", "each")
    last, level = lines[-1], experts.get("agreement")
    text = (
        f"Compared with {against}, one judge agrees in {number(lines[0]['agreement'])} of cases and a majority of "
        f"{last['judges']} in {number(last['agreement'])}."
    )
    if level is None:
        return text
    first = next((line["judges"] for line in lines if line["agreement"] >= level), None)
    among = f"the {number(level)} that experts have with each other"
    if first is None:
        return f"{text} It does not reach {among}."
    return f"{text} {first} {'is' if first == 1 else 'are'} enough for {among}."
