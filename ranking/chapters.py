"""A report in the order in which a reader wants it: the verdict first, then chapters of plots and tables."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from judgments.web.charts.chart import Plot
from ranking.numbers_shown import Numbers
from ranking.plots.forest import forest_name
from ranking.stats.rankings.methods import METHODS
from ranking.stats.tables import Table


@dataclass(frozen=True)
class Plan:
    """What a chapter may hold: plots with their tables, and tables that have no plot.

    Its words stand there if any figure is there that they are about; without any named they are about all.
    """

    key: str
    title: str
    words: str
    plots: tuple[str, ...]
    tables: tuple[str, ...] = ()
    about: tuple[str, ...] = ()


PLANS = (
    Plan(
        "systems", "Systems against the crowd",
        "Every verdict of the crowd counts for what it is worth where measures are weighted; the majority alone where "
        "they are not. An interval says what other judges might have brought.",
        ("measures", "stability"), ("domains",), ("measures", "stability"),
    ),
    Plan(
        "agreement-bins", "Clear cases and contested ones",
        "A system need not do as well where people disagree. Within a bin the majority counts.",
        ("agreement_histogram", "bins", "bins_kappa"), (), ("bins", "bins_kappa"),
    ),
    Plan(
        "enough", "How many judgments are enough",
        "What a majority of a few judges is worth, against experts or gold.",
        ("enough",), ("experts",), ("enough",),
    ),
    Plan(
        "verdict-judges", "Agreement and judges of verdicts",
        "Alpha is the agreement beyond chance: 1 is perfect, and 0 is what chance gives.",
        ("verdict_judges",), ("verdict_agreement",), ("verdict_agreement",),
    ),
    Plan(
        "people-and-systems", "People and systems against people",
        "More than one correction can be right, so scores rise with every judge who counts as right. What people "
        "reach against one another is what a system can be measured by.",
        ("combinations", "ratios_to_people", "document_subsets"), ("one_by_one",), ("combinations",),
    ),
    Plan(
        "categories", "Categories",
        "Every judge is held against others with the edits of one category alone.",
        ("category_agreement", "edits_by_category"), (), ("category_agreement",),
    ),
    Plan(
        "correcting-judges", "Agreement and judges who correct",
        "Two judges may both be right and write two things, so what counts is whether somebody else wrote the same.",
        (), ("same_as_others", "different_corrections", "correction_pairs", "edits_by_judge", "labels"),
        ("same_as_others", "correction_pairs"),
    ),
    Plan(
        "uncertainty", "How sure the ranking is",
        "Drawing judgments again shows how far each system might move; what is drawn decides how sure a ranking looks. "
        "If in doubt, believe the wider ranges.",
        ("uncertainty",), ("leave_out",), ("uncertainty",),
    ),
    Plan(
        "head-to-head", "Head to head", "Whether one system beats another is told here, not by their intervals.",
        ("head_to_head",), ("pairs",),
    ),
    Plan(
        "metrics", "Metrics against people",
        "A correlation of 1 means that a metric sees the systems as people do, 0 that it knows nothing of it, and "
        "below 0 that it says the opposite.",
        ("metric_correlations", "metric_scatter", "williams", "f_beta", "metric_windows"),
        ("human_ceiling", "metric_leave_out", "metric_rankings", "tie_calibration"),
    ),
    Plan(
        "judges", "Agreement and judges",
        "Kappa is the agreement beyond chance: 1 is perfect, and 0 is what chance gives.",
        ("agreement",),
        ("weighted_agreement", "reliability", "judge_correlations", "judge_correlation_intervals", "judges"),
        ("agreement", "weighted_agreement", "judges"),
    ),
    Plan(
        "judged", "What was judged", "", ("distinct_outputs", "judgments_over_time", "comparison_counts"),
        ("crowd", "instances"),
    ),
    Plan(
        "accuracy", "Accuracy",
        "A ranking made from some judgments foretells others; read it beside what needs no ranking.",
        ("accuracy",),
    ),
)  # fmt: skip
OTHERS = Plan("others", "Other numbers", "", ())
RANKED = ("standings", "standings_refused")
TITLES = {
    "leave_out": "Without one judge, system or document", "tie_calibration": "Ties of metrics",
    "human_ceiling": "Half of the people against the other half", "metric_leave_out": "Correlations without one system",
    "metric_rankings": "Metrics ranked as people are",
    "reliability": "Reliability", "judge_correlations": "Rankings by single judges", "judges": "The judges",
    "pairs": "Pairs told apart", "weighted_agreement": "Agreement by distance",
    "domains": "By domain", "experts": "Experts among themselves", "verdict_agreement": "Agreement of all",
    "crowd": "The crowd", "instances": "Instance by instance",
    "one_by_one": "Against each judge alone", "same_as_others": "The same as one of others",
    "different_corrections": "Different corrections of a sentence", "correction_pairs": "Judges in pairs",
    "edits_by_judge": "Edits by judge", "labels": "Sentences left as they are",
    "judge_correlation_intervals": "Rankings by single judges, with intervals",
    "category_agreement": "People against people by category", "stability": "How far measures move with other judges",
    "sign": "Sign test of distances",
}  # fmt: skip


@dataclass(frozen=True)
class Ranking:
    """The lines of one method, best first, with its plot."""

    label: str
    lines: list[dict]
    plot: Plot


@dataclass(frozen=True)
class Figure:
    """A plot with its numbers, or numbers alone."""

    title: str
    plot: Plot | None
    numbers: tuple[Numbers, ...]


@dataclass(frozen=True)
class Chapter:
    """Figures about one question."""

    key: str
    title: str
    words: str
    figures: tuple[Figure, ...]


def rankings_of(tables: Mapping[str, Table], plots: Mapping[str, Plot]) -> list[Ranking]:
    """The verdict, by every method."""
    if "standings" not in tables:
        return []
    lines = tables["standings"].dicts()
    methods = dict.fromkeys(str(line["method"]) for line in lines)
    return [
        Ranking(METHODS[name].label, [line for line in lines if line["method"] == name], plots[forest_name(name)])
        for name in methods
    ]


def chapters_of(tables: Mapping[str, Table], plots: Mapping[str, Plot]) -> list[Chapter]:
    """All chapters in which there is anything; a table that none of them plans for stands in a last one."""
    made = [_chapter(plan, tables, plots) for plan in PLANS]
    shown = {numbers.name for chapter in made for figure in chapter.figures for numbers in figure.numbers}
    left = [_without_plot(table) for name, table in tables.items() if name not in {*shown, *RANKED}]
    made.append(Chapter(OTHERS.key, OTHERS.title, OTHERS.words, tuple(left)))
    return [chapter for chapter in made if chapter.figures]


def _chapter(plan: Plan, tables: Mapping[str, Table], plots: Mapping[str, Plot]) -> Chapter:
    told = not plan.about or any(name in plots or (name in plan.tables and name in tables) for name in plan.about)
    return Chapter(plan.key, plan.title, plan.words if told else "", tuple(_figures(plan, tables, plots)))


def missing_of(gaps: Mapping[str, str]) -> list[tuple[str, str]]:
    """What a report could not tell, by title, and why; every reason once, in an order that no database changes."""
    titles: dict[str, list[str]] = {}
    for name in sorted(gaps, key=title_of):
        titles.setdefault(gaps[name], []).append(title_of(name))
    return [(", ".join(named), reason) for reason, named in titles.items()]


def title_of(name: str) -> str:
    """What a table or a section is called."""
    return TITLES.get(name, name[:1].upper() + name[1:].replace("_", " "))


def _figures(plan: Plan, tables: Mapping[str, Table], plots: Mapping[str, Plot]) -> Iterator[Figure]:
    for name in plan.plots:
        if name in plots:
            plot = plots[name]
            yield Figure(plot.title, plot, tuple(Numbers.of(tables[table]) for table in plot.tables))
    yield from (_without_plot(tables[name]) for name in plan.tables if name in tables)


def _without_plot(table: Table) -> Figure:
    return Figure(title_of(table.name), None, (Numbers.of(table),))
