"""Reports on comparisons: all sections in the order in which they are made."""

from ranking.stats.analysis import StudyKind
from ranking.stats.comparisons import inputs
from ranking.stats.comparisons.parameters import PRESETS, Parameters
from ranking.stats.comparisons.sections import accuracy, judges, metric_correlations, metric_rankings, metrics, ranking
from ranking.stats.comparisons.study import Study

SECTIONS = {
    "distinct outputs": ranking.distinct_outputs,
    "judgments over time": ranking.judgments_over_time,
    "comparison counts": ranking.comparison_counts,
    "standings": ranking.standings,
    "uncertainty": ranking.side_by_side,
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
AT_A_GLANCE = {
    "judgments over time": ranking.judgments_over_time,
    "standings": ranking.standings,
    "pairs of systems": ranking.pairs,
    "agreement": judges.agreement_at_a_glance,
}

COMPARISONS = StudyKind(
    name=Study.kind,
    place="ranking.stats.comparisons.kind:COMPARISONS",
    parameters=Parameters,
    presets=PRESETS,
    sections=SECTIONS,
    written=inputs.written,
    read=inputs.read,
    at_a_glance=AT_A_GLANCE,
)
