"""What each judge of verdicts is like: right ones on gold, and agreement with the majority of the others."""

from collections.abc import Mapping, Sequence

from judgments.web.charts.chart import NO_PICTURE
from judgments.web.charts.chart import Plot as Chart
from judgments.web.charts.drawing import frame
from judgments.web.charts.numbers import counted, number
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
    told = sentence(lines)
    if len(rows) > MOST:
        told += f" With {counted(len(rows), 'judge')} a chart would be too long; the numbers have them all."
        return [Chart(NAME, TITLE, told, NO_PICTURE, (NAME,))]
    drawing = RowChart(PANELS, rows)
    return [Chart(NAME, TITLE, told, frame(NAME, TITLE, told, *drawing.whole, drawing.parts()), (NAME,))]


def _point(line: dict, name: str) -> Point | None:
    value = line[f"{name}_share"]
    return None if value is None else Point(value, line[f"{name}_low"], line[f"{name}_high"])


def sentence(lines: Sequence[dict]) -> str:
    """Who is right on gold, and agrees with the others, least."""
    told = []
    for name, said in (("right", "right on gold"), ("agreeing", "of one mind with the others")):
        known = [line for line in lines if line[f"{name}_share"] is not None]
        if known:
            least = min(known, key=lambda line: line[f"{name}_share"])
            told.append(f"{least['judge']} is {said} least, {number(least[f'{name}_share'])}.")
    return " ".join([*told, "Wide intervals say that there is little to judge a judge by."])
