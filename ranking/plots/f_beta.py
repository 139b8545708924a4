"""How the weight of precision and recall changes what F says: its correlation with people over beta."""

from collections.abc import Mapping, Sequence

from judgments.web.charts.chart import NO_PICTURE, Plot
from judgments.web.charts.drawing import frame
from judgments.web.charts.numbers import listed, number
from ranking.plots.panels import Curve, Panel, Picture
from ranking.stats.metaevaluation.correlations import Coefficient
from ranking.stats.tables import Table

NAME, TITLE = "f_beta", "F with other weights"
FOOT = "beta: under 1, precision counts more"
LINES = {Coefficient.PEARSON: "curve", Coefficient.SPEARMAN: "curve dashed", Coefficient.KENDALL: "curve dotted"}
MOST, MOST_TOLD = 12, 3
Lines = dict[str, list[dict]]


def f_beta(tables: Mapping[str, Table]) -> list[Plot]:
    """The plot, if precision and recall of a metric are known (Figure 3 of Grundkiewicz et al. 2015)."""
    if NAME not in tables:
        return []
    metrics = _metrics(tables[NAME])
    if not metrics:
        return []
    told = sentence(metrics)
    if len(metrics) > MOST:
        told += f" With {len(metrics)} metrics there are too many curves for a picture; the numbers have them all."
        return [Plot(NAME, TITLE, told, NO_PICTURE, (NAME,))]
    picture = Picture(tuple(_panel(name, lines) for name, lines in metrics.items()), FOOT)
    return [Plot(NAME, TITLE, told, frame(NAME, TITLE, told, *picture.whole, picture.parts()), (NAME,))]


def _metrics(table: Table) -> Lines:
    """The lines of every metric that has a correlation at all, from the smallest beta on."""
    found: Lines = {}
    lines: list[dict] = [one for one in table.dicts() if one["beta"] is not None]
    for one in sorted(lines, key=lambda one: one["beta"]):
        found.setdefault(str(one["metric"]), []).append(one)
    return {name: found[name] for name in sorted(found) if peaks(found[name])}


def _panel(name: str, lines: Sequence[dict]) -> Panel:
    highest = peaks(lines)
    return Panel(name, tuple(
        Curve(f"{_of(coefficient)} {number(value)} at {beta:g}", LINES[coefficient],
              tuple((one["beta"], one[coefficient]) for one in lines), (beta, value))
        for coefficient, (beta, value) in highest.items()
    ))  # fmt: skip


def peaks(lines: Sequence[dict]) -> dict[Coefficient, tuple[float, float]]:
    """At which beta each correlation is highest, and how high; of equal ones the largest beta, as in the sweep."""
    found = {}
    for coefficient in LINES:
        known = [(one[coefficient], one["beta"]) for one in lines if one[coefficient] is not None]
        if known:
            value, beta = max(known)
            found[coefficient] = (beta, value)
    return found


def _of(coefficient: Coefficient) -> str:
    return coefficient.capitalize()


def sentence(metrics: Lines) -> str:
    """At which beta each correlation is highest, and what such a beta is worth."""
    told = [f"For {name} {_told(lines)}." for name, lines in list(metrics.items())[:MOST_TOLD]]
    return " ".join([*told, "A beta that is chosen on the same systems fits them, and need not suit others."])


def _told(lines: Sequence[dict]) -> str:
    at = [(_of(coefficient), f"{beta:g} ({number(value)})") for coefficient, (beta, value) in peaks(lines).items()]
    (first, best), *others = at
    return listed([f"{first} is highest at beta {best}", *(f"{other} at {where}" for other, where in others)])
