"""Reports on comparisons."""

from ranking.charts.accuracy import accuracy
from ranking.charts.agreement import agreement
from ranking.charts.f_curves import f_beta
from ranking.charts.forest import forests
from ranking.charts.judged import comparison_counts, distinct_outputs, judgments_over_time
from ranking.charts.matrices import head_to_head, williams
from ranking.charts.metric_correlations import metric_correlations, metric_windows
from ranking.charts.metric_scatter import metric_scatter
from ranking.charts.uncertainty import uncertainty
from ranking.reports.kinds.comparisons.extract import extract
from ranking.reports.kinds.comparisons.form import ComparisonsForm
from ranking.reports.kinds.kind import ChapterPlan, ReportKind
from ranking.stats.comparisons import kind as pure

CHARTS = (
    forests,
    uncertainty,
    head_to_head,
    metric_correlations,
    metric_scatter,
    williams,
    f_beta,
    metric_windows,
    agreement,
    distinct_outputs,
    judgments_over_time,
    comparison_counts,
    accuracy,
)
CHAPTERS = (
    ChapterPlan(
        "uncertainty", "How sure the ranking is",
        "Drawing judgments again shows how far each system might move; what is drawn decides how sure a ranking looks. "
        "If in doubt, believe the wider ranges.",
        ("uncertainty",), ("leave_out",), ("uncertainty",),
    ),
    ChapterPlan(
        "head-to-head", "Head to head", "Whether one system beats another is told here, not by their intervals.",
        ("head_to_head",), ("pairs",),
    ),
    ChapterPlan(
        "metrics", "Metrics against people",
        "A correlation of 1 means that a metric sees the systems as people do, 0 that it knows nothing of it, and "
        "below 0 that it says the opposite.",
        ("metric_correlations", "metric_scatter", "williams", "f_beta", "metric_windows"),
        ("human_ceiling", "metric_leave_out", "metric_rankings", "tie_calibration"),
    ),
    ChapterPlan(
        "judges", "Agreement and judges",
        "Kappa is the agreement beyond chance: 1 is perfect, and 0 is what chance gives.",
        ("agreement",),
        ("weighted_agreement", "reliability", "judge_correlations", "judge_correlation_intervals", "judges"),
        ("agreement", "weighted_agreement", "judges"),
    ),
    ChapterPlan(
        "judged", "What was judged", "", ("distinct_outputs", "judgments_over_time", "comparison_counts")
    ),
    ChapterPlan(
        "accuracy", "Accuracy",
        "A ranking made from some judgments predicts others; read it beside what needs no ranking.",
        ("accuracy",),
    ),
)  # fmt: skip
TITLES = {
    "leave_out": "Without one judge, system or document",
    "tie_calibration": "Ties of metrics",
    "human_ceiling": "Half of the people against the other half",
    "metric_leave_out": "Correlations without one system",
    "metric_rankings": "Metrics ranked as people are",
    "reliability": "Reliability",
    "judge_correlations": "Rankings by single judges",
    "judges": "The judges",
    "pairs": "Pairs told apart",
    "weighted_agreement": "Agreement by distance",
    "judge_correlation_intervals": "Rankings by single judges, with intervals",
    "sign": "Sign test of distances",
}

COMPARISONS = ReportKind(
    study=pure.COMPARISONS,
    protocols=("ranking", "rating"),
    does="ranks the systems by the judgments",
    headline="standings",
    extract=extract,
    form=ComparisonsForm,
    charts=CHARTS,
    chapters=CHAPTERS,
    titles=TITLES,
    is_splittable=True,
    is_comparable=True,
)
