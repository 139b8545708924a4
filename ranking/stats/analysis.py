"""A report's numbers, all of them, from ballots and parameters: pure, so that anybody can make them again.

Each section makes one or more tables. A section that cannot be made leaves a gap with its reason, and the others are
made all the same.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from ranking.stats.ballots import StatisticsError
from ranking.stats.sections import (
    accuracy,
    collecting,
    judges,
    metric_correlations,
    metric_rankings,
    metrics,
    ranking,
    uncertainty,
)
from ranking.stats.study import Study
from ranking.stats.tables import Gap, Table

Step = Callable[[str, float], None]

Sections = Mapping[str, Callable[[Study], Iterator[Table | Gap]]]

SECTIONS: Sections = {
    "distinct outputs": collecting.distinct_outputs,
    "judgments over time": collecting.judgments_over_time,
    "comparison counts": ranking.comparison_counts,
    "standings": ranking.standings,
    "uncertainty": uncertainty.side_by_side,
    "head to head": ranking.head_to_head,
    "pairs of systems": ranking.pairs,
    "agreement": judges.agreement,
    "judge correlations": judges.correlations_of_judges,
    "reliability": judges.reliability,
    "judges": judges.judges,
    "leaving out": judges.left_out,
    "accuracy": accuracy.accuracy,
    "metrics": metric_correlations.metric_correlations,
    "Williams' tests": metrics.williams,
    "windows of metrics": metrics.metric_windows,
    "calibration of ties": metrics.tie_calibration,
    "F-beta": metrics.f_beta,
    "metrics without each system": metrics.metric_leave_out,
    "metrics ranked as people": metric_rankings.metric_rankings,
    "halves of people": metric_rankings.human_ceiling,
    "systems by metrics and people": metrics.metric_scatter,
}
# What takes seconds where the whole takes minutes.
AT_A_GLANCE: Sections = {
    "judgments over time": collecting.judgments_over_time,
    "standings": ranking.standings,
    "pairs of systems": ranking.pairs,
    "agreement": judges.agreement_at_a_glance,
}


@dataclass
class Analysis:
    """The tables of a report, and why some of them are missing."""

    tables: dict[str, Table] = field(default_factory=dict)
    gaps: dict[str, str] = field(default_factory=dict)


def analyse(study: Study, step: Step = lambda name, done: None, sections: Sections = SECTIONS) -> Analysis:
    """Make every section, saying which one and how far."""
    if not len(study.ballots):
        raise StatisticsError("There are no judgments yet. Judge some screens, then make the report again.")
    if study.ballots.systems < 2:
        raise StatisticsError("There is only one system, so there is nothing to compare it with.")
    analysis = Analysis()
    for place, (name, section) in enumerate(sections.items()):
        step(name, place / len(sections))
        try:
            for part in section(study):
                if isinstance(part, Gap):
                    analysis.gaps[part.name] = part.reason
                else:
                    analysis.tables[part.name] = part
        except StatisticsError as reason:
            analysis.gaps[name] = str(reason)
    return analysis
