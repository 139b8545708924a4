"""Numbers of people beside those corrected by programs."""

from collections.abc import Mapping

from judgments.web.charts.drawing import Chart
from ranking.charts.drawing.rows import Point, Row, RowChart
from ranking.charts.drawing.sheets import lines_of, plotted
from ranking.numbers.tables import Table

ESTIMATES = "program_estimates"
MOST = 40


def program_estimates(tables: Mapping[str, Table]) -> list[Chart]:
    """The first measure, by system and program; people alone are hollow points."""
    every = lines_of(tables, ESTIMATES)
    lines = [line for line in every if line["measure"] == every[0]["measure"]]
    if not lines:
        return []
    rows = tuple(
        Row(f"{line['system']}", by, (Point.of(line, column, column, is_hollow=column == "classical"),))
        for line in lines for by, column in (("people", "classical"), (f"with {line['program']}", "corrected"))
    )  # fmt: skip
    narrower = sum(_width(line, "corrected") < _width(line, "classical") for line in lines)
    whose = "program’s" if len({line["program"] for line in lines}) == 1 else "programs’"
    text = f"With the {whose} judgments, {narrower} of {len(lines)} intervals are narrower than by people alone."
    known = [line[end] for line in lines for end in ("classical_low", "classical_high")]
    too_large = f"{len(lines)} systems are too many for a chart" if len(lines) > MOST else ""
    title = str(lines[0]["measure"]).replace("-", " ").capitalize()
    return plotted(
        ESTIMATES, "Corrected numbers", text, RowChart((title,), rows, max(known), min(known)).sheet, too_large
    )


def _width(line: dict, column: str) -> float:
    return float(line[f"{column}_high"] - line[f"{column}_low"])
