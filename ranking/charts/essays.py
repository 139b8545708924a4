"""Whole texts: the means of systems on each scale, and the errors marked in their versions."""

from collections.abc import Mapping
from functools import partial

from judgments.charts.numbers import number, span
from judgments.charts.rows import interval_rows
from judgments.charts.svg import Chart, draw_chart
from judgments.rules.authored.rubrics import MOST_SCALES
from ranking.charts.lines import group_by, lines_of, rows_of
from ranking.numbers.tables import Table
from ranking.stats.essays.systems import MEAN, WEIGHTED

MOST = 40
CHARTS_OF_SCALES = tuple(f"essay_scale_{place}" for place in range(1, MOST_SCALES + 1))


def essay_scales(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw a chart for each scale; the first brings the table of all."""
    ends = {line["scale"]: (line["scale_high"], line["scale_low"]) for line in lines_of(tables, "essay_answers")}
    charts: list[Chart] = []
    for scale, lines in means_by_scale(tables).items():
        text = f"{lines[0]['system']} has the highest mean on {scale}, {mean_of(lines[0])}."
        draw = partial(interval_rows, ("Mean",), rows_of(lines, "value"), *ends.get(scale, ()))
        too_large, shown = len(lines) > MOST and f"{len(lines)} systems are too many for a chart", ("essay_scales",)
        name, title = CHARTS_OF_SCALES[len(charts)], f"Means on {scale}"
        charts.append(draw_chart(name, title, text, draw, too_large, () if charts else shown))
    return charts


def essay_errors(tables: Mapping[str, Table]) -> list[Chart]:
    lines = [line for line in lines_of(tables, "essay_errors") if line["severity"] == WEIGHTED]
    if not lines:
        return []
    fewest = lines[0]
    text = (
        f"{fewest['system']} has the fewest marked errors per version, weighted by severity: {number(fewest['errors'])}"
        f"{span(fewest['errors_low'], fewest['errors_high'])}."
    )
    too_large = len(lines) > MOST and f"{len(lines)} systems are too many for a chart"
    draw = partial(interval_rows, ("Weighted errors per version",), rows_of(lines, "errors"))
    return [draw_chart("essay_errors", "Marked errors", text, draw, too_large)]


def means_by_scale(tables: Mapping[str, Table]) -> dict[str, list[dict]]:
    """The lines of mean scores, the best first, by the name of the scale."""
    return group_by("scale", (line for line in lines_of(tables, "essay_scales") if line["measure"] == MEAN))


def mean_of(line: dict) -> str:
    return f"{number(line['value'])}{span(line['value_low'], line['value_high'])}"
