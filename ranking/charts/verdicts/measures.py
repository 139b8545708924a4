"""Precision, recall and F of systems, by the proportions of the crowd and by its majority, and their stability."""

from collections.abc import Mapping, Sequence

from judgments.web.charts.drawing import Chart
from judgments.web.charts.numbers import listed, number, span
from ranking.charts.drawing.rows import Point, Row, RowChart
from ranking.charts.drawing.sheets import lines_of, plotted
from ranking.numbers.tables import Table
from ranking.stats.verdicts.systems import RATIOS, UNWEIGHTED, WEIGHTED

MEASURES, STABILITY = "measures", "stability"
TITLE, SPREAD = "Systems against the crowd", "How measures vary with other judges"
PANELS = ("Precision", "Recall", "F")
MOST = 40


def measures(tables: Mapping[str, Table]) -> list[Chart]:
    lines = lines_of(tables, MEASURES)
    rows = tuple(
        Row(str(line["system"]), str(line["by"]),
            tuple(Point.of(line, name, name, line["by"] == UNWEIGHTED) for name in RATIOS))
        for line in lines
    )  # fmt: skip
    if not any(point for row in rows for point in row.points):
        return []
    return _chart(MEASURES, TITLE, sentence(lines), RowChart(PANELS, rows))


def sentence(lines: Sequence[dict]) -> str:
    sentences = []
    for by, how in ((WEIGHTED, "Weighted by the crowd"), (UNWEIGHTED, "By its majority")):
        known = [line for line in lines if line["by"] == by and line["f"] is not None]
        if known:
            best = max(known, key=lambda line: line["f"])
            numbers = f"{number(best['f'])}{span(best['f_low'], best['f_high'])}"
            sentences.append(f"{how} {best['system']} has the highest F, {numbers}.")
    return " ".join([*sentences, "Hollow points count contested usages like clear ones, by their majority."])


def stability(tables: Mapping[str, Table]) -> list[Chart]:
    spreads = {
        (str(line["system"]), str(line["by"]), str(line["measure"])): line["spread"]
        for line in lines_of(tables, STABILITY, "spread")
    }
    if not spreads:
        return []
    systems = dict.fromkeys(system for system, *_ in spreads)
    rows = tuple(
        Row(system, by, tuple(
            Point(spreads[system, by, name], is_hollow=by == UNWEIGHTED) if (system, by, name) in spreads else None
            for name in RATIOS
        ))
        for system in systems
        for by in (WEIGHTED, UNWEIGHTED)
    )  # fmt: skip
    return _chart(STABILITY, SPREAD, _steadier(spreads), RowChart(PANELS, rows, max(spreads.values()) or 1.0))


def _steadier(spreads: Mapping[tuple[str, str, str], float]) -> str:
    pairs = [
        (spread, spreads[system, UNWEIGHTED, name])
        for (system, by, name), spread in spreads.items()
        if by == WEIGHTED and (system, UNWEIGHTED, name) in spreads
    ]
    less = sum(weighted < other for weighted, other in pairs)
    means = [number(sum(column) / len(pairs), 3) for column in zip(*pairs, strict=True)] if pairs else ["–", "–"]
    return (
        f"With other judges weighted measures move by {means[0]} on average (standard deviation) and unweighted ones "
        f"by {means[1]}; the weighted one moves less in {less} of {len(pairs)} cases."
    )


def _chart(name: str, title: str, text: str, drawing: RowChart) -> list[Chart]:
    systems = list(dict.fromkeys(row.name for row in drawing.rows))
    too_large = f"{listed(systems)} are too many for a chart" if len(systems) > MOST else ""
    return plotted(name, title, text, drawing.sheet, too_large)
