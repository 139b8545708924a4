"""F of every system by beta, one panel a metric: where the order of systems depends on the weight of precision.

The second chart shows the correlation of F with people by beta.
"""

from collections.abc import Iterator, Mapping, Sequence

from judgments.web.charts.chart import NO_PICTURE
from judgments.web.charts.chart import Plot as Chart
from judgments.web.charts.lettering import shortened
from judgments.web.charts.numbers import counted, listed, number
from ranking.charts.drawing.framed import framed
from ranking.charts.drawing.panels import Curve, Panel, PanelChart
from ranking.numbers.tables import Table
from ranking.stats.metaevaluation.correlations import Coefficient

F_SCORES, F_SCORES_TITLE = "f_scores", "F for every beta"
F_SCORES_FOOT = "beta: under 1, precision counts more"
F_SCORES_MOST, MOST_METRICS = 20, 6
WIDE = 320
# Metric, system, and its F at each beta.
FScoresLines = dict[str, dict[str, dict[float, float]]]


def f_scores(tables: Mapping[str, Table]) -> list[Chart]:
    """The chart, if a metric with precision and recall scored the outputs."""
    if F_SCORES not in tables or not tables[F_SCORES].rows:
        return []
    found = _lines(tables[F_SCORES])
    text = f_scores_sentence(found)
    if len(found) > MOST_METRICS or max(map(len, found.values())) > F_SCORES_MOST:
        text += " There are too many curves for a chart; see the numbers below."
        return [Chart(F_SCORES, F_SCORES_TITLE, text, NO_PICTURE, (F_SCORES,))]
    drawing = PanelChart(
        tuple(_f_scores_panel(metric, systems) for metric, systems in found.items()), F_SCORES_FOOT, WIDE
    )
    return [framed(F_SCORES, F_SCORES_TITLE, text, drawing, (F_SCORES,))]


def _lines(table: Table) -> FScoresLines:
    found: FScoresLines = {}
    for row in table.dicts():
        if isinstance(row["beta"], float | int) and isinstance(row["f"], float | int):
            found.setdefault(str(row["metric"]), {}).setdefault(str(row["system"]), {})[row["beta"]] = row["f"]
    return found


def _f_scores_panel(metric: str, systems: Mapping[str, Mapping[float, float]]) -> Panel:
    styles = ("curve", "curve dashed", "curve dotted")
    order = sorted(systems, key=lambda system: -list(systems[system].values())[-1])
    return Panel(
        metric,
        tuple(
            Curve(shortened(system), styles[place % len(styles)], tuple(sorted(systems[system].items())))
            for place, system in enumerate(order)
        ),
    )


def f_scores_sentence(found: FScoresLines) -> str:
    """The best systems at both ends, and the number of pairs of systems that change places."""
    return " ".join(_f_scores_sentences(found))


def _f_scores_sentences(found: FScoresLines) -> Iterator[str]:
    for metric, systems in found.items():
        betas = sorted({beta for values in systems.values() for beta in values})
        low, high = betas[0], betas[-1]
        best = [max(systems, key=lambda system: systems[system].get(beta, 0.0)) for beta in (low, high)]
        names = list(systems)
        pairs = [(one, other) for place, one in enumerate(names) for other in names[place + 1 :]]
        turned = sum(
            (systems[one].get(low, 0.0) - systems[other].get(low, 0.0))
            * (systems[one].get(high, 0.0) - systems[other].get(high, 0.0))
            < 0
            for one, other in pairs
        )
        where = f"is best at beta {low:g} and {best[1]} at {high:g}"
        if best[0] == best[1]:
            where = f"is best both at beta {low:g} and at {high:g}"
        yield (
            f"By {metric} {best[0]} {where};"
            f" {turned} of {counted(len(pairs), 'pair')} of systems change places between."
        )


F_BETA, F_BETA_TITLE = "f_beta", "F with other weights"
F_BETA_FOOT = "beta: under 1, precision counts more"
LINES = {Coefficient.PEARSON: "curve", Coefficient.SPEARMAN: "curve dashed", Coefficient.KENDALL: "curve dotted"}
F_BETA_MOST, MOST_DESCRIBED = 12, 3
FBetaLines = dict[str, list[dict]]


def f_beta(tables: Mapping[str, Table]) -> list[Chart]:
    """The chart, if precision and recall of a metric are known (Figure 3 of Grundkiewicz et al. 2015)."""
    if F_BETA not in tables:
        return []
    metrics = _metrics(tables[F_BETA])
    if not metrics:
        return []
    text = f_beta_sentence(metrics)
    if len(metrics) > F_BETA_MOST:
        text += f" With {len(metrics)} metrics there are too many curves for a chart; see the numbers below."
        return [Chart(F_BETA, F_BETA_TITLE, text, NO_PICTURE, (F_BETA,))]
    drawing = PanelChart(tuple(_f_beta_panel(name, lines) for name, lines in metrics.items()), F_BETA_FOOT)
    return [framed(F_BETA, F_BETA_TITLE, text, drawing, (F_BETA,))]


def _metrics(table: Table) -> FBetaLines:
    """The lines of every metric with a correlation, by increasing beta."""
    found: FBetaLines = {}
    lines: list[dict] = [one for one in table.dicts() if one["beta"] is not None]
    for one in sorted(lines, key=lambda one: one["beta"]):
        found.setdefault(str(one["metric"]), []).append(one)
    return {name: found[name] for name in sorted(found) if peaks(found[name])}


def _f_beta_panel(name: str, lines: Sequence[dict]) -> Panel:
    highest = peaks(lines)
    return Panel(name, tuple(
        Curve(f"{_of(coefficient)} {number(value)} at {beta:g}", LINES[coefficient],
              tuple((one["beta"], one[coefficient]) for one in lines), (beta, value))
        for coefficient, (beta, value) in highest.items()
    ))  # fmt: skip


def peaks(lines: Sequence[dict]) -> dict[Coefficient, tuple[float, float]]:
    """The beta with the highest value of each correlation, and this value; of equal ones the largest beta, as in the
    sweep.
    """
    found = {}
    for coefficient in LINES:
        known = [(one[coefficient], one["beta"]) for one in lines if one[coefficient] is not None]
        if known:
            value, beta = max(known)
            found[coefficient] = (beta, value)
    return found


def _of(coefficient: Coefficient) -> str:
    return coefficient.capitalize()


def f_beta_sentence(metrics: FBetaLines) -> str:
    """The beta with the highest value of each correlation, with a warning."""
    sentences = [f"For {name} {_f_beta_peaks(lines)}." for name, lines in list(metrics.items())[:MOST_DESCRIBED]]
    return " ".join([*sentences, "A beta chosen on these systems may not suit others."])


def _f_beta_peaks(lines: Sequence[dict]) -> str:
    at = [(_of(coefficient), f"{beta:g} ({number(value)})") for coefficient, (beta, value) in peaks(lines).items()]
    (first, best), *others = at
    return listed([f"{first} is highest at beta {best}", *(f"{other} at {where}" for other, where in others)])
