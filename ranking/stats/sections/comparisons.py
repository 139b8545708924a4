"""All sections of a report on comparisons, in the order in which they are made."""

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

SECTIONS = {
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
AT_A_GLANCE = {
    "judgments over time": collecting.judgments_over_time,
    "standings": ranking.standings,
    "pairs of systems": ranking.pairs,
    "agreement": judges.agreement_at_a_glance,
}
