"""Reports on comparisons: their sections in order."""

from ranking.stats.analysis import Sections, counts, judgments_over_time, needs_independent_answers
from ranking.stats.comparisons import compared, judges, leave_out, metrics, standings
from ranking.stats.comparisons.study import ComparisonStudy as ComparisonStudy

# What answers first comes first, and what takes longest last: a page shows each while the rest is computed.
SECTIONS: Sections = {
    "counts": counts,
    "standings": standings.standings,
    "questions": standings.questions,
    "precision": standings.precision,
    "pairs of systems": standings.pairs,
    "agreement": needs_independent_answers(judges.agreement),
    "distinct outputs": compared.distinct_outputs,
    "judgments over time": judgments_over_time,
    "comparison counts": compared.comparison_counts,
    "uncertainty": standings.side_by_side,
    "weights": standings.weighted_standings,
    "head to head": compared.head_to_head,
    "judge correlations": needs_independent_answers(judges.correlations_of_judges),
    "rankings by single judges": standings.standings_by_judge,
    "reliability": needs_independent_answers(judges.reliability),
    "judges": needs_independent_answers(judges.judges),
    "leaving out": leave_out.rankings_without,
    "fragility": leave_out.fragility,
    "metrics": metrics.metric_correlations,
    "metrics and people in one table": metrics.meta_evaluation,
    "F-beta": metrics.f_beta,
    "metrics ranked as people": metrics.metric_rankings,
    "halves of people": metrics.human_ceiling,
    "accuracy": compared.accuracy,
}
# These take seconds; the full report takes minutes.
AT_A_GLANCE: Sections = {
    "judgments over time": judgments_over_time,
    "standings": standings.standings,
    "questions": standings.questions,
    "pairs of systems": standings.pairs,
    "agreement": judges.agreement_at_a_glance,
}
