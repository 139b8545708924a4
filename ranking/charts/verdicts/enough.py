"""How many judgments are enough: the majority of n judges against experts or gold, with the agreement of experts."""

from collections.abc import Mapping, Sequence

from judgments.web.charts.chart import NO_PICTURE
from judgments.web.charts.chart import Plot as Chart
from judgments.web.charts.numbers import number
from ranking.charts.drawing.framed import framed
from ranking.charts.drawing.slots import Panel, Point, Series, SlotChart
from ranking.numbers.tables import Table
from ranking.stats.verdicts.sections.judges import EVERYBODY

NAME, TITLE = "enough", "How many judgments are enough"
EXPERTS = "experts"
FOOT = "judges of an instance"
MOST = 100
# Majorities hardly do worse than chance.
LEAST = 0.5


def enough(tables: Mapping[str, Table]) -> list[Chart]:
    """The chart, if there are experts or gold."""
    lines: list[dict] = tables[NAME].dicts() if NAME in tables else []
    lines = [line for line in lines if line["judges"] is not None and line["agreement"] is not None]
    if not lines:
        return []
    among = _among(tables)
    text = sentence(lines, among)
    if len(lines) > MOST:
        text += f" More than {MOST} numbers of judges are too many for a chart; see the numbers below."
        return [Chart(NAME, TITLE, text, NO_PICTURE, (NAME,))]
    panels = (_panel("Agreement", "agreement", lines, among), _panel("Kappa", "kappa", lines, among))
    drawing = SlotChart(panels, tuple(str(line["judges"]) for line in lines), FOOT, LEAST)
    return [framed(NAME, TITLE, text, drawing, (NAME,))]


def _among(tables: Mapping[str, Table]) -> dict:
    """The agreement of experts with each other, if there are several."""
    lines = tables[EXPERTS].dicts() if EXPERTS in tables else []
    return next((line for line in lines if line["expert"] == EVERYBODY), {})


def _panel(title: str, column: str, lines: Sequence[dict], among: dict) -> Panel:
    crowd = Series("majority of n", tuple(
        Point(place, line[column], line[f"{column}_low"], line[f"{column}_high"])
        for place, line in enumerate(lines) if line[column] is not None
    ))  # fmt: skip
    level = among.get(column)
    if level is None:
        return Panel(title, (crowd,))
    return Panel(title, (crowd, Series("experts", tuple(Point(place, level) for place in range(len(lines))), True)))


def sentence(lines: Sequence[dict], among: dict) -> str:
    """The number of judges whose majority is as good as experts."""
    against = {"gold": "gold"}.get(str(lines[0]["against"]), f"the {lines[0]['against']}").replace("the each", "each")
    last = lines[-1]
    text = (
        f"Compared with {against}, one judge agrees in {number(lines[0]['agreement'])} of cases and a majority of "
        f"{last['judges']} in {number(last['agreement'])}."
    )
    level = among.get("agreement")
    if level is None:
        return text
    first = next((line["judges"] for line in lines if line["agreement"] >= level), None)
    experts = f"the {number(level)} that experts have with each other"
    if first is None:
        return f"{text} It does not reach {experts}."
    return f"{text} {first} {'is' if first == 1 else 'are'} enough for {experts}."
