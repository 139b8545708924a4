"""Metrics: their correlations with people and the points behind these, tests between metrics, and F by beta."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations

import numpy as np

from judgments.charts.axes import Axis
from judgments.charts.matrix import MatrixCell, square_matrix, step_of_p_value
from judgments.charts.numbers import UNKNOWN, number, p_value, quantity, span, text_list
from judgments.charts.panels import STYLES, LineCurve, ScatterPoint, line_panels, scatter_panels
from judgments.charts.rows import FigureCell, figure_rows
from judgments.charts.svg import Chart, Drawing, draw_chart, short_name
from ranking.charts.lines import group_by, lines_of, metrics_of, names_in_order
from ranking.charts.shown_tables import OF_A_METRIC_AND_SYSTEM
from ranking.numbers.correlation import pearson
from ranking.numbers.tables import Table
from ranking.stats.comparisons.metrics import INLIERS
from ranking.stats.metaevaluation.correlations import Coefficient
from ranking.stats.metaevaluation.overview import INLIER
from ranking.stats.metaevaluation.overview import NAME as META_EVALUATION
from ranking.stats.metaevaluation.scores import SYSTEM
from ranking.stats.metaevaluation.sentences import ON_SENTENCES

CORRELATIONS = "metric_correlations"
MOST_ROWS, MOST_TESTED, MOST_SYSTEMS, MOST_PANELS, MOST_WITH_PEAKS = 60, 60, 60, 24, 12
LEVEL = 0.05
# Fewer points have no correlation worth a sentence.
FEWEST = 3
BETA = "beta: under 1, precision counts more"
PEAKS = dict(zip((Coefficient.PEARSON, Coefficient.SPEARMAN, Coefficient.KENDALL), STYLES, strict=True))
MOST_DESCRIBED, MOST_CURVES, MOST_METRICS = 3, 20, 6
# By metric, level, and coefficient or way of scoring by people.
Correlations = Mapping[tuple[str, str, str], dict]


def metric_correlations(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw a panel for each coefficient, the interval over other systems behind that over other judgments."""
    metrics = metrics_of(tables)
    if not metrics:
        return []
    lines = {
        (str(one["metric"]), str(one["level"]), str(one["coefficient"])): one for one in lines_of(tables, CORRELATIONS)
    }
    text = _correlations_sentence(metrics, lines)
    if any(one.get("other_systems_low") is not None for one in lines.values()):
        text += " The pale line is the interval over other systems instead of other judgments."
    if any(level == INLIERS for _, level, _ in lines):
        text += " A hollow point is the correlation without the systems that stand far apart from the others."
    panels = [*Coefficient, *(name for name in ON_SENTENCES if any((*one, name) in lines for one in metrics.items()))]
    draw = partial(_draw_correlations, metrics, lines, panels)
    too_large = len(metrics) > MOST_ROWS and f"With {quantity(len(metrics), 'metric')} a chart would be too long"
    return [draw_chart(CORRELATIONS, "Correlations with people", text, draw, too_large)]


def meta_evaluation(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw Pearson's r of every metric, a panel for each ranking by people, hollow without outliers."""
    rows = lines_of(tables, META_EVALUATION)
    ways = list(dict.fromkeys(str(row["people"]) for row in rows if not str(row["people"]).endswith(INLIER)))
    if not ways:
        return []
    lines: dict[tuple[str, str, str], dict] = {}
    for row in rows:
        way, level = str(row["people"]).removesuffix(INLIER), INLIERS if row["people"] not in ways else SYSTEM
        ends = {"value": "", "low": "_low", "high": "_high"}
        lines[str(row["metric"]), level, way] = {key: row[f"system_pearson{end}"] for key, end in ends.items()}
    first = {name: one["value"] for (name, level, way), one in lines.items() if (level, way) == (SYSTEM, ways[0])}
    order = sorted(dict.fromkeys(name for name, *_ in lines), key=lambda name: (-(first.get(name) or -2), name))
    metrics = dict.fromkeys(order, SYSTEM)
    text = "Pearson's r with each ranking by people."
    if any(level == INLIERS for _, level, _ in lines):
        text += " A hollow point is r without the systems that stand far apart."
    too_large = len(metrics) > MOST_ROWS and f"{quantity(len(metrics), 'metric')} make it too long"
    draw = partial(_draw_correlations, metrics, lines, ways)
    return [draw_chart(META_EVALUATION, "Metrics and rankings", text, draw, too_large)]


def _draw_correlations(metrics: Mapping[str, str], found: Correlations, panels: Sequence[str]) -> Drawing:
    """Draw intervals, the point without outliers, the point and its number, for each metric in each panel."""
    values, cells = [0.0], dict[str, list[FigureCell]]()
    for panel in panels:
        for name, level in metrics.items():
            one = found.get((name, level, panel), {})
            wide = one.get("other_systems_low"), one.get("other_systems_high")
            inlier = found.get((name, INLIERS, panel), {}) if level == SYSTEM else {}
            ends = one.get("low"), one.get("high")
            values += [end for end in (one.get("value"), *ends, *wide) if end is not None]
            lines = [("lead", *wide), ("interval", *ends)]
            points = [("point hollow", inlier.get("value"), 3), ("point", one.get("value"), 3.5)]
            figure = "" if one.get("value") is None else number(one["value"])
            cells.setdefault(panel, []).append(FigureCell(lines, points, figure))
    titles = [f"{panel[:1].upper()}{panel[1:]}".replace("_", " ") for panel in panels]
    titled = [(title, Axis.around(values), cells[panel]) for title, panel in zip(titles, panels, strict=True)]
    return figure_rows(list(map(short_name, metrics)), titled, 180, 56, is_banded=True)


def _correlations_sentence(metrics: Mapping[str, str], lines: Correlations) -> str:
    known = [(metric[0], found, number(found["value"]) + span(found["low"], found["high"]))
             for metric in metrics.items()
             if (found := lines.get((*metric, Coefficient.PEARSON))) and found["value"] is not None]  # fmt: skip
    if not known:
        return "No correlation by Pearson is known."
    (best, first, value), *others = known
    over = f"with people over {quantity(first['systems'], 'system')}: {value}"
    if not others:
        return f"By Pearson {best} correlates {over}."
    second, runner_up, value = others[0]
    text = f"By Pearson {best} correlates best {over}. {second} comes second with {value}"
    if None in (runner_up["high"], first["low"]):
        return f"{text}."
    return f"{text}, and their intervals {'overlap' if runner_up['high'] >= first['low'] else 'do not overlap'}."


def metric_windows(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw Pearson's r by the number of best systems counted: does it depend on the poor ones?"""
    found: dict[str, dict[int, float | None]] = {}
    for row in lines_of(tables, "metric_windows", "last"):
        if row["kind"] == "top" and row["coefficient"] == Coefficient.PEARSON:
            found.setdefault(str(row["metric"]), {})[row["last"]] = row["value"]
    order = dict.fromkeys([*metrics_of(tables), *found])
    curves = {name: found[name] for name in order if set(found.get(name, {}).values()) - {None}}
    if not curves:
        return []
    panels = {name: [LineCurve("", sorted(points.items()))] for name, points in curves.items()}
    many = len(panels)
    too_large = many > MOST_PANELS and f"With {many} metrics there are too many curves for a chart"
    draw = partial(line_panels, panels, "best systems counted", 160)
    return [draw_chart("metric_windows", "Metrics among the best systems", _windows_sentence(curves), draw, too_large)]


def _windows_sentence(curves: Mapping[str, Mapping[int, float | None]]) -> str:
    def best_of(last: int) -> str | None:
        known = {name: value for name, points in curves.items() if (value := points.get(last)) is not None}
        return max(known, key=lambda name: known[name], default=None)

    counted = sorted({last for points in curves.values() for last in points})
    most = counted[-1]
    half = max((last for last in counted if last <= (most + 1) // 2), default=most)
    best, best_of_half = best_of(most), best_of(half)
    if best is None:
        return "The correlations over all systems are not known."
    text = f"Over all {most} systems {best} correlates best ({number(curves[best][most])} by Pearson)"
    if half == most or best_of_half is None:
        return f"{text}."
    text += f"; over the best {half} alone"
    if best_of_half == best:
        text += f" it still does ({number(curves[best][half])})."
    else:
        text += f" {best_of_half} does ({number(curves[best_of_half][half])}), and {best} has "
        text += f"{number(curves[best].get(half))}."
    return f"{text} A correlation that falls without poor systems depends on them."


def metric_scatter(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw the points behind correlations: a panel per metric, a point per system, by people and by the metric."""
    found: dict[str, list[ScatterPoint]] = {}
    for line in lines_of(tables, "metric_scatter"):
        here = found.setdefault(str(line["metric"]), [])
        if line["people"] is not None and line["score"] is not None:
            address = OF_A_METRIC_AND_SYSTEM.to(line["metric"], line["system"])
            here.append(ScatterPoint(str(line["system"]), line["people"], line["score"], address))
    # In the order of the other charts.
    points = {name: found[name] for name in dict.fromkeys([*metrics_of(tables), *found]) if found.get(name)}
    if not points:
        return []
    systems = max(map(len, points.values()))
    many = quantity(len(points), "metric") if len(points) > MOST_PANELS else quantity(systems, "system")
    too_large = (len(points) > MOST_PANELS or systems > MOST_SYSTEMS) and f"With {many} a chart would be too crowded"
    text = "Each point is a system: its score by people across, by the metric upwards."
    correlations: dict[str, float] = {}
    for name, some in points.items():
        if len(some) >= FEWEST:
            value = float(pearson(np.array([point.x for point in some]), np.array([point.y for point in some])))
            if not np.isnan(value):
                correlations[name] = value
    if correlations:
        best = max(correlations, key=lambda name: correlations[name])
        near = "nearest to a rising line" if len(correlations) > 1 else "near a line"
        text += f" By {best} they lie {near} ({number(correlations[best])} by Pearson)"
        if len(points[best]) > FEWEST:  # by which the least-squares line is not yet given
            sides = [point.x for point in points[best]], [point.y for point in points[best]]
            people, scores = (np.array(side) - np.mean(side) for side in sides)
            slope = (people * scores).sum() / (people**2).sum()
            text += f", and {points[best][int(np.argmax(np.abs(scores - slope * people)))].name} lies farthest from it"
        text += ". If one point is far from a cloud of others, the correlation depends on it."
    draw = partial(scatter_panels, points, "score by people")
    return [draw_chart("metric_scatter", "Systems by metrics and people", text, draw, too_large)]


def williams(tables: Mapping[str, Table]) -> list[Chart]:
    tests = {(str(line["metric"]), str(line["other"])): line for line in lines_of(tables, "williams")}
    if not tests:
        return []

    def cell_of(metric: str, other: str, with_numbers: bool) -> MatrixCell | None:
        test = tests.get((metric, other))
        if test is None or test["p_value"] is None:
            return None if metric == other else MatrixCell(text=UNKNOWN)
        known = test["p_value"]
        tip = f"{metric} better than {other}: t = {number(test['t'])}, p = {known:.2g}"
        return MatrixCell(step_of_p_value(known), tip, p_value(known) if with_numbers else "")

    metrics = names_in_order(metrics_of(tables), tests)
    pairs = list(combinations(metrics, 2))
    values = {pair: test["p_value"] for pair, test in tests.items() if test["p_value"] is not None}
    known = [pair for pair in pairs if pair in values or pair[::-1] in values]
    differ = sum(min(values.get(pair, 1), values.get(pair[::-1], 1)) <= LEVEL for pair in known)
    text = (
        f"In {differ:,} of {quantity(len(pairs), 'pair')} one metric correlates better with people than the other by "
        f"more than chance (Williams' test in either direction, one-sided p at most {LEVEL}, not corrected for the "
        "number of tests; metric_comparisons.csv has corrected ones). "
        "Each square is the p-value of the row's metric being better than the column's: the smaller, the surer."
    )
    if len(known) < len(pairs):
        text += f" {quantity(len(pairs) - len(known), 'pair')} could not be tested."
    draw = partial(square_matrix, metrics, "Row better than column", ("column is better", "row is better"), cell_of)
    too_large = len(metrics) > MOST_TESTED and f"With {len(metrics)} metrics a chart would be too large to read"
    return [draw_chart("williams", "Metrics against each other", text, draw, too_large)]


def f_beta(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw correlations of F with people by beta, if precision and recall of a metric are known.

    See Figure 3 of Grundkiewicz et al. 2015. Of equal correlations that of the largest beta is marked.
    """
    lines = sorted(lines_of(tables, "f_beta", "beta"), key=lambda line: (str(line["metric"]), line["beta"]))
    panels, sentences = {}, []
    for name, by_beta in group_by("metric", lines).items():
        curves: list[LineCurve] = []
        peaks: list[str] = []
        for coefficient, style in PEAKS.items():
            points = [(line["beta"], line[coefficient]) for line in by_beta]
            if known := [(y, x) for x, y in points if y is not None]:
                value, beta = max(known)
                label = f"{coefficient.capitalize()} {number(value)} at {beta:g}"
                curves.append(LineCurve(label, points, style, (beta, value)))
                at = " is highest at beta" if not peaks else " at"
                peaks.append(f"{coefficient.capitalize()}{at} {beta:g} ({number(value)})")
        if curves:
            panels[name] = curves
            sentences.append(f"For {name} {text_list(peaks)}.")
    if not panels:
        return []
    text = " ".join([*sentences[:MOST_DESCRIBED], "A beta chosen on these systems may not suit others."])
    too_large = len(panels) > MOST_WITH_PEAKS and f"With {len(panels)} metrics there are too many curves for a chart"
    return [draw_chart("f_beta", "F with other weights", text, partial(line_panels, panels, BETA), too_large)]


def f_scores(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw F of every system by beta, a panel per metric: where does their order depend on the weight of precision?"""
    panels, sentences = {}, []
    for metric, lines in group_by("metric", lines_of(tables, "f_scores", "beta", "f")).items():
        curves = {
            system: {line["beta"]: line["f"] for line in own} for system, own in group_by("system", lines).items()
        }
        order = sorted(curves, key=lambda system: -list(curves[system].values())[-1])
        panels[metric] = [
            LineCurve(short_name(system), sorted(curves[system].items()), STYLES[place % len(STYLES)])
            for place, system in enumerate(order)
        ]
        betas = sorted({beta for by_beta in curves.values() for beta in by_beta})
        low, high = betas[0], betas[-1]
        at_low, at_high = (max(curves, key=lambda system: curves[system].get(beta, 0.0)) for beta in (low, high))
        pairs = list(combinations(curves.values(), 2))
        turned = sum(
            (one.get(low, 0.0) - other.get(low, 0.0)) * (one.get(high, 0.0) - other.get(high, 0.0)) < 0
            for one, other in pairs
        )
        where = f"both at beta {low:g} and at {high:g}"
        if at_low != at_high:
            where = f"at beta {low:g} and {at_high} at {high:g}"
        many = quantity(len(pairs), "pair")
        sentences.append(f"By {metric} {at_low} is best {where}; {turned} of {many} of systems change places between.")
    if not panels:
        return []
    are_many = len(panels) > MOST_METRICS or max(map(len, panels.values())) > MOST_CURVES
    too_large, draw = are_many and "There are too many curves for a chart", partial(line_panels, panels, BETA, 320)
    return [draw_chart("f_scores", "F for every beta", " ".join(sentences), draw, too_large)]
