"""Whole texts: the means of systems on each scale, and the errors marked in their versions."""

from collections.abc import Mapping

from judgments.rules.authored.rubrics import MOST_SCALES
from judgments.web.charts.drawing import Chart
from judgments.web.charts.numbers import number, span
from ranking.charts.drawing.rows import Point, Row, RowChart
from ranking.charts.drawing.sheets import lines_of, plotted
from ranking.numbers.tables import Table
from ranking.stats.essays.systems import MEAN, WEIGHTED

SCALES, ERRORS = "essay_scales", "essay_errors"
MOST = 40
CHARTS_OF_SCALES = tuple(f"essay_scale_{place}" for place in range(1, MOST_SCALES + 1))


def essay_scales(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw a chart for each scale; the first brings the table of all."""
    ends = {line["scale"]: (line["scale_high"], line["scale_low"]) for line in lines_of(tables, "essay_answers")}
    charts: list[Chart] = []
    for scale, lines in means_by_scale(tables).items():
        rows = tuple(Row(str(line["system"]), "", (Point.of(line, "value", "value"),)) for line in lines)
        text = f"{lines[0]['system']} has the highest mean on {scale}, {mean_of(lines[0])}."
        too_large = f"{len(lines)} systems are too many for a chart" if len(lines) > MOST else ""
        charts += plotted(
            CHARTS_OF_SCALES[len(charts)], f"Means on {scale}", text,
            RowChart(("Mean",), rows, *ends.get(scale, ())).sheet, too_large, () if charts else (SCALES,),
        )  # fmt: skip
    return charts


def essay_errors(tables: Mapping[str, Table]) -> list[Chart]:
    lines = [line for line in lines_of(tables, ERRORS) if line["severity"] == WEIGHTED]
    if not lines:
        return []
    rows = tuple(Row(str(line["system"]), "", (Point.of(line, "errors", "errors"),)) for line in lines)
    fewest = lines[0]
    text = (
        f"{fewest['system']} has the fewest marked errors a version, weighted by severity: {number(fewest['errors'])}"
        f"{span(fewest['errors_low'], fewest['errors_high'])}."
    )
    too_large = f"{len(lines)} systems are too many for a chart" if len(lines) > MOST else ""
    return plotted(ERRORS, "Marked errors", text, RowChart(("Weighted errors a version",), rows).sheet, too_large)


def means_by_scale(tables: Mapping[str, Table]) -> dict[str, list[dict]]:
    """The lines of mean scores, the best first, by the name of the scale."""
    found: dict[str, list[dict]] = {}
    for line in lines_of(tables, SCALES):
        if line["measure"] == MEAN:
            found.setdefault(str(line["scale"]), []).append(line)
    return found


def mean_of(line: dict) -> str:
    return f"{number(line['value'])}{span(line['value_low'], line['value_high'])}"
