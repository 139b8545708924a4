"""Numbers of people beside those corrected by programs."""

from collections.abc import Mapping
from functools import partial

from judgments.charts.rows import IntervalRow, interval_rows
from judgments.charts.svg import Chart, draw_chart
from ranking.charts.lines import lines_of, point_of
from ranking.numbers.tables import Table

MOST = 40


def program_estimates(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw the first measure, by system and program; people alone are hollow points."""
    every = lines_of(tables, "program_estimates")
    lines = [line for line in every if line["measure"] == every[0]["measure"]]
    if not lines:
        return []
    rows = [
        IntervalRow(f"{line['system']}", by, (point_of(line, column, is_hollow=column == "classical"),))
        for line in lines for by, column in (("people", "classical"), (f"with {line['program']}", "corrected"))
    ]  # fmt: skip
    narrower = sum(
        line["corrected_high"] - line["corrected_low"] < line["classical_high"] - line["classical_low"]
        for line in lines
    )
    whose = "program’s" if len({line["program"] for line in lines}) == 1 else "programs’"
    text = f"With the {whose} judgments, {narrower} of {len(lines)} intervals are narrower than by people alone."
    known = [line[end] for line in lines for end in ("classical_low", "classical_high")]
    too_large = len(lines) > MOST and f"{len(lines)} systems are too many for a chart"
    title = str(lines[0]["measure"]).replace("-", " ").capitalize()
    draw = partial(interval_rows, (title,), rows, max(known), min(known))
    return [draw_chart("program_estimates", "Corrected numbers", text, draw, too_large)]
