"""Each judge of verdicts: accuracy on gold, and agreement with the majority of the others."""

from collections.abc import Mapping, Sequence

from judgments.web.charts.chart import NO_PICTURE
from judgments.web.charts.chart import Plot as Chart
from judgments.web.charts.numbers import counted, number
from ranking.charts.drawing.framed import framed
from ranking.charts.drawing.rows import Point, Row, RowChart
from ranking.numbers.tables import Table

NAME, TITLE = "verdict_judges", "Judges against gold and against the others"
PANELS = ("Right on gold", "As the majority of the others")
SHARES = ("right", "agreeing")
MOST = 60


def verdict_judges(tables: Mapping[str, Table]) -> list[Chart]:
    """The chart, if there is gold or there are others."""
    lines: list[dict] = tables[NAME].dicts() if NAME in tables else []
    rows = tuple(
        Row(str(line["judge"]), "expert" if line["expert"] else "", tuple(_point(line, name) for name in SHARES))
        for line in lines
    )
    if not any(point for row in rows for point in row.points):
        return []
    text = sentence(lines)
    if len(rows) > MOST:
        text += f" With {counted(len(rows), 'judge')} a chart would be too long; see the numbers below."
        return [Chart(NAME, TITLE, text, NO_PICTURE, (NAME,))]
    drawing = RowChart(PANELS, rows)
    return [framed(NAME, TITLE, text, drawing, (NAME,))]


def _point(line: dict, name: str) -> Point | None:
    value = line[f"{name}_share"]
    return None if value is None else Point(value, line[f"{name}_low"], line[f"{name}_high"])


def sentence(lines: Sequence[dict]) -> str:
    """The judges with the lowest accuracy on gold and the lowest agreement with the others."""
    sentences = []
    for name, label in (("right", "right on gold"), ("agreeing", "in agreement with the others")):
        known = [line for line in lines if line[f"{name}_share"] is not None]
        if known:
            least = min(known, key=lambda line: line[f"{name}_share"])
            sentences.append(f"{least['judge']} is {label} least, {number(least[f'{name}_share'])}.")
    return " ".join([*sentences, "Wide intervals mean that there is little to judge a judge by."])
