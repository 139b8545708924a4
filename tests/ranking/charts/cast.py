"""Tables as a report has them, and what stands in a chart."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, permutations
from xml.etree.ElementTree import Element, fromstring

from judgments.charts.svg import to_svg
from ranking.numbers.tables import Table
from ranking.stats.comparisons.compared import COUNTED
from ranking.stats.comparisons.judges import AGREEMENT
from ranking.stats.comparisons.metrics import OF_REPORTS
from ranking.stats.comparisons.standings import BY_JUDGE as BY_JUDGE
from ranking.stats.comparisons.standings import STANDINGS, UNCERTAINTY
from ranking.stats.metaevaluation.correlations import SCATTER, WINDOWS

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>alert(\"1\")</script> & 'x' ]]>\x00\x0b\ufffe</desc>"
DISTINCT = ((1, 4, 0.091), (2, 30, 0.682), (3, 10, 0.227))
DAYS = (("2026-02-26", 40, 2), ("2026-02-27", 60, 3), ("2026-03-02", 23, 1))
MEETINGS = ("system", "opponent", "wins", "losses", "ties", "share", "p_value")


def standings(systems: Sequence[str], method: str = "expected-wins", clusters: Sequence[int] | None = None) -> list:
    """The first system is best; every one has a cluster of its own by default."""
    step = 1 / len(systems)
    return [
        (method, "sentence", clusters[place] if clusters else place + 1, place + 1, system, 1 - place * step,
         1 - (place + 0.4) * step, 1 - (place - 0.3) * step, place + 1, min(place + 2, len(systems)), 0.5)
        for place, system in enumerate(systems)
    ]  # fmt: skip


def meetings(systems: Sequence[str]) -> list:
    """The first of two systems wins three of four."""
    places = {system: place for place, system in enumerate(systems)}
    return [
        (one, other, *((30, 10) if places[one] < places[other] else (10, 30)), 5,
         0.75 if places[one] < places[other] else 0.25, 0.003)
        for one, other in permutations(systems, 2)
    ]  # fmt: skip


def kappas(judges: Sequence[str]) -> list:
    """Everybody agrees with everybody, and not always with themselves."""
    rows = [("intra", judge, judge, 0.55, 60, True) for judge in judges]
    rows += [("inter", one, other, 0.35, 80, True) for one, other in combinations(judges, 2)]
    rows += [("rest", judge, "the rest", 0.4, 200, True) for judge in judges]
    rows.append(("overall inter", "everybody", "everybody", 0.35, 900, True))
    return [
        (*names, weighting, kappa + more, kappa + more - 0.1, kappa + more + 0.1, *others)
        for weighting, more in (("nominal", 0), ("linear", 0.1)) for *names, kappa, compared, enough in rows
        for others in [(compared, enough)]
    ]  # fmt: skip


def by_judge(systems: Sequence[str], judges: Sequence[str]) -> list:
    """Every judge but the last ranks alike; the last one the other way round."""
    many = len(systems)
    return [
        (judge, "expected-wins", system, 1 - rank / many, 0, 1, rank, max(rank - 1, 1), min(rank + 1, many), 1)
        for judge in judges
        for place, system in enumerate(systems)
        for rank in (many - place if judge == judges[-1] else place + 1,)
    ]


def both_ways(systems: Sequence[str]) -> list:
    """As published every system is a cluster; by whole sentences all are one."""
    rows, many = [], len(systems)
    for way, unit, rule in (("published", "pair", "all-later"), ("recommended", "sentence", "never-overlapping")):
        for place, system in enumerate(systems, 1):
            cluster, ranks = (place, (place, place)) if unit == "pair" else (1, (1, many))
            rows.append((way, "expected-wins", unit, rule, system, 0.5, cluster, 0.4, 0.6, *ranks))
    return rows


def correlate(metrics: Sequence[str]) -> list:
    """The last metric is best, and the first is turned upside down; one system is an outlier."""
    return [
        (metric, level, coefficient, value, value - 0.05, value + 0.05, systems, value - 0.3, value + 0.3)
        for place, metric in enumerate(metrics)
        for level, systems in (("system", 13), ("system, without outliers", 12))
        for coefficient, value in (
            ("pearson", place / len(metrics) - 0.2), ("spearman", place / len(metrics) - 0.1),
            ("kendall", place / len(metrics) - 0.1),
        )
    ] + [(metric, "system", "pairwise accuracy", 0.6, 0.5, 0.7, 13, None, None) for metric in metrics]  # fmt: skip


def curves(metrics: Sequence[str]) -> list:
    """Pearson is highest at beta 0.5, Spearman and Kendall at 1."""
    return [
        (metric, beta, 0.8 - abs(beta - 0.5), 0.5 + beta / 10, 0.3 + beta / 10)
        for metric in metrics
        for beta in (1.0, 0.75, 0.5, 0.25)
    ]


def windows(metrics: Sequence[str]) -> list:
    """The metrics fare alike among the best, and the last one better over all."""
    return [
        ("EW", metric, kind, 1, last, coefficient, 0.1 * last + (place * 0.01 if last == 6 else -place * 0.01))
        for place, metric in enumerate(metrics)
        for kind in ("top", "window")
        for coefficient in ("pearson", "spearman")
        for last in (3, 4, 5, 6)
    ]


def points(metrics: Sequence[str], systems: Sequence[str]) -> list:
    """People's scores fall by even steps; the last metric says just the same, the others err on every other system."""
    return [
        (metric, "system", system, 1 - number / len(systems),
         40 - number - (number % 2) * 3 * (len(metrics) - place - 1))
        for place, metric in enumerate(metrics)
        for number, system in enumerate(systems)
    ]  # fmt: skip


METRICS = ("bleu", "gleu", "m2 F")


def tables_of_metrics(metrics: Sequence[str] = METRICS, systems: Sequence[str] = ()) -> list[Table]:
    tested = [
        (one, other, 2.0, 0.04) if metrics.index(one) > metrics.index(other) else (one, other, -2.0, 0.96)
        for one, other in permutations(metrics, 2)
    ]
    return [
        Table.of("metric_correlations", OF_REPORTS, correlate(metrics)),
        Table.of("williams", ("metric", "other", "t", "p_value"), tested),
        Table.of("f_beta", ("metric", "beta", "pearson", "spearman", "kendall"), curves(metrics)),
        Table.of("metric_windows", WINDOWS, windows(metrics)),
        Table.of("metric_scatter", SCATTER, points(metrics, systems)),
    ]  # fmt: skip


def tables(
    systems: Sequence[str] = ("Heron", "Wren", "source"),
    judges: Sequence[str] = ("ada", "ben", "eve"),
    metrics: Sequence[str] = METRICS,
) -> dict:
    counts = [(judge, 10, 0, 40 + place, 5, 60, 9) for place, judge in enumerate(judges)]
    total = ("total", *(sum(column) for column in list(zip(*counts, strict=True))[1:]))
    measured = [("expected-wins", "honest", 0.8, 0.6), ("always a tie", "honest", None, 0.2)]
    made = [
        Table.of("standings", STANDINGS, [*standings(systems), *standings(systems, "bradley-terry")]),
        Table.of("head_to_head", MEETINGS, meetings(systems)),
        Table.of("agreement", AGREEMENT, kappas(judges)),
        Table.of("comparison_counts", ("judge", *COUNTED), [*counts, total]),
        Table.of("standings_by_judge", BY_JUDGE, by_judge(systems, judges)),
        Table.of("uncertainty", UNCERTAINTY, both_ways(systems)),
        Table.of("distinct_outputs", ("distinct", "sentences", "share"), DISTINCT),
        Table.of("judgments_over_time", ("day", "judgments", "judges"), DAYS),
        *tables_of_metrics(metrics, systems),
        Table.of("accuracy", ("method", "folds", "total", "clustered"), measured),
    ]  # fmt: skip
    return {table.name: table for table in made}


def change_rows(made: dict, name: str, change) -> dict:
    """Tables of which one has other rows."""
    return made | {name: replace(made[name], rows=tuple(tuple(change(list(row))) for row in made[name].rows))}


def xml_of(chart) -> Element:
    """The chart, read as XML; so is the file, which must be well-formed too."""
    fromstring(to_svg(chart))  # noqa: S314 - our own text
    return fromstring(chart.svg)  # noqa: S314 - our own text


def texts(chart, class_: str | None = None) -> list[str]:
    """Texts of the chart, or those with a class."""
    found = xml_of(chart).iter(f"{SVG}text")
    return [text.text or "" for text in found if class_ is None or text.get("class") == class_]


def marks(chart, kind: str, class_: str) -> list[dict[str, float]]:
    """Where all marks of a kind and class stand, from the top down."""
    found = [mark for mark in xml_of(chart).iter(f"{SVG}{kind}") if (mark.get("class") or "").startswith(class_)]
    return [{key: float(value) for key, value in mark.items() if key != "class"} for mark in found]
