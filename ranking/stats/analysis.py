"""A report's numbers, all of them, from ballots and parameters: pure, so that anybody can make them again.

Each section makes one or more tables. A section that cannot be made leaves a gap with its reason, and the others are
made all the same.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ranking.stats.ballots import StatisticsError
from ranking.stats.sections import accuracy, judges, ranking
from ranking.stats.study import Study
from ranking.stats.tables import Table

Step = Callable[[str, float], None]

SECTIONS: dict[str, Callable[[Study], Iterator[Table]]] = {
    "comparison counts": ranking.comparison_counts,
    "standings": ranking.standings,
    "head to head": ranking.head_to_head,
    "agreement": judges.agreement,
    "judge correlations": judges.correlations_of_judges,
    "reliability": judges.reliability,
    "judges": judges.judges,
    "leaving out": judges.left_out,
    "accuracy": accuracy.accuracy,
}


@dataclass
class Analysis:
    """The tables of a report, and why some of them are missing."""

    tables: dict[str, Table] = field(default_factory=dict)
    gaps: dict[str, str] = field(default_factory=dict)


def analyse(study: Study, step: Step = lambda name, done: None) -> Analysis:
    """Make every section, saying which one and how far."""
    if not len(study.ballots):
        raise StatisticsError("There are no judgments yet. Judge some screens, then make the report again.")
    if study.ballots.systems < 2:
        raise StatisticsError("There is only one system, so there is nothing to compare it with.")
    analysis = Analysis()
    for place, (name, section) in enumerate(SECTIONS.items()):
        step(name, place / len(SECTIONS))
        try:
            for table in section(study):
                analysis.tables[table.name] = table
        except StatisticsError as reason:
            analysis.gaps[name] = str(reason)
    return analysis
