"""F of every system by beta, one panel per metric: where the order of systems depends on the weight of precision.

The second chart shows the correlation of F with people by beta.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations

from judgments.web.charts.drawing import Chart, shortened
from judgments.web.charts.numbers import counted, listed, number
from ranking.charts.drawing.panels import Curve, Panel, PanelChart
from ranking.charts.drawing.sheets import STYLES, lines_of, plotted
from ranking.numbers.tables import Table
from ranking.stats.metaevaluation.correlations import Coefficient

FOOT = "beta: under 1, precision counts more"
F_SCORES, F_SCORES_TITLE = "f_scores", "F for every beta"
F_SCORES_MOST, MOST_METRICS = 20, 6
WIDE = 320
# F of each system at each beta.
Systems = dict[str, dict[float, float]]


def f_scores(tables: Mapping[str, Table]) -> list[Chart]:
    found: dict[str, Systems] = {}
    for row in lines_of(tables, F_SCORES, "beta", "f"):
        found.setdefault(str(row["metric"]), {}).setdefault(str(row["system"]), {})[row["beta"]] = row["f"]
    if not found:
        return []
    are_many = len(found) > MOST_METRICS or max(map(len, found.values())) > F_SCORES_MOST
    text = " ".join(_f_scores_sentence(metric, systems) for metric, systems in found.items())
    drawing = PanelChart(tuple(_f_scores_panel(metric, systems) for metric, systems in found.items()), FOOT, WIDE)
    too_large = "There are too many curves for a chart" if are_many else ""
    return plotted(F_SCORES, F_SCORES_TITLE, text, drawing.sheet, too_large)


def _f_scores_panel(metric: str, systems: Systems) -> Panel:
    order = sorted(systems, key=lambda system: -list(systems[system].values())[-1])
    return Panel(
        metric,
        tuple(
            Curve(shortened(system), STYLES[place % len(STYLES)], tuple(sorted(systems[system].items())))
            for place, system in enumerate(order)
        ),
    )


def _f_scores_sentence(metric: str, systems: Systems) -> str:
    betas = sorted({beta for values in systems.values() for beta in values})
    low, high = betas[0], betas[-1]
    at_low, at_high = [max(systems, key=lambda system: systems[system].get(beta, 0.0)) for beta in (low, high)]
    pairs = list(combinations(systems.values(), 2))
    turned = sum(
        (one.get(low, 0.0) - other.get(low, 0.0)) * (one.get(high, 0.0) - other.get(high, 0.0)) < 0
        for one, other in pairs
    )
    where = f"is best at beta {low:g} and {at_high} at {high:g}"
    if at_low == at_high:
        where = f"is best both at beta {low:g} and at {high:g}"
    return f"By {metric} {at_low} {where}; {turned} of {counted(len(pairs), 'pair')} of systems change places between."


F_BETA, F_BETA_TITLE = "f_beta", "F with other weights"
LINES = dict(zip((Coefficient.PEARSON, Coefficient.SPEARMAN, Coefficient.KENDALL), STYLES, strict=True))
F_BETA_MOST, MOST_DESCRIBED = 12, 3
Peaks = dict[Coefficient, tuple[float, float]]


def f_beta(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw the chart if precision and recall of a metric are known (Figure 3 of Grundkiewicz et al. 2015)."""
    metrics: dict[str, list[dict]] = {}
    for one in sorted(lines_of(tables, F_BETA, "beta"), key=lambda one: (str(one["metric"]), one["beta"])):
        metrics.setdefault(str(one["metric"]), []).append(one)
    highest = {name: found for name, lines in metrics.items() if (found := peaks(lines))}
    if not highest:
        return []
    many = len(highest)
    too_large = f"With {many} metrics there are too many curves for a chart" if many > F_BETA_MOST else ""
    drawing = PanelChart(tuple(_f_beta_panel(name, metrics[name], found) for name, found in highest.items()), FOOT)
    return plotted(F_BETA, F_BETA_TITLE, f_beta_sentence(highest), drawing.sheet, too_large)


def _f_beta_panel(name: str, lines: Sequence[dict], highest: Peaks) -> Panel:
    return Panel(name, tuple(
        Curve(f"{coefficient.capitalize()} {number(value)} at {beta:g}", LINES[coefficient],
              tuple((one["beta"], one[coefficient]) for one in lines), (beta, value))
        for coefficient, (beta, value) in highest.items()
    ))  # fmt: skip


def peaks(lines: Sequence[dict]) -> Peaks:
    """Find the beta with the highest value of each correlation, and this value; of equal values the largest beta."""
    found = {}
    for coefficient in LINES:
        known = [(one[coefficient], one["beta"]) for one in lines if one[coefficient] is not None]
        if known:
            value, beta = max(known)
            found[coefficient] = (beta, value)
    return found


def f_beta_sentence(metrics: Mapping[str, Peaks]) -> str:
    sentences = []
    for name, highest in list(metrics.items())[:MOST_DESCRIBED]:
        at = [(kind.capitalize(), f"{beta:g} ({number(value)})") for kind, (beta, value) in highest.items()]
        (first, best), *others = at
        where = listed([f"{first} is highest at beta {best}", *(f"{other} at {where}" for other, where in others)])
        sentences.append(f"For {name} {where}.")
    return " ".join([*sentences, "A beta chosen on these systems may not suit others."])
