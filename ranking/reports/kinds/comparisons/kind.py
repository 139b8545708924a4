"""Reports on comparisons: the choices of an organiser, charts and chapters, and the object that owns them."""

from typing import ClassVar

from django import forms

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
from ranking.reports.kinds.form import UNCHANGED, ReportForm
from ranking.reports.kinds.kind import ChapterPlan, ReportKind
from ranking.stats.comparisons import kind as pure
from ranking.stats.comparisons.parameters import CORRELATIONS, FOLDINGS, SCORES, TESTS
from ranking.stats.rankings.methods import METHODS
from ranking.stats.rankings.ranges import RULES
from ranking.stats.resampling import Unit


class ComparisonsForm(ReportForm):
    study = pure.COMPARISONS
    preset_labels: ClassVar[dict[str, str]] = {
        "recommended": "Recommended: sentences are drawn, clusters never overlap",
        "grundkiewicz2015": "As Grundkiewicz et al. (2015): single comparisons are drawn",
        "napoles2019": "As Napoles et al. (2019): ratings",
    }
    field_order = (
        "preset", "methods", "unit", "replicates", "level", "clusters", "test", "folds", "scores", "correlations",
        "judged_by", "seed",
    )  # fmt: skip

    methods = forms.MultipleChoiceField(
        required=False,
        choices=[(name, method.label) for name, method in METHODS.items()],
        widget=forms.CheckboxSelectMultiple,
        help_text="None: those of the preset.",
    )
    unit = forms.ChoiceField(
        required=False,
        choices=[UNCHANGED, *((unit.value, unit.value) for unit in Unit)],
        help_text="What is drawn again and again to see how sure the ranking is.",
    )
    clusters = forms.ChoiceField(required=False, choices=[UNCHANGED, *((name, name) for name in RULES)])
    test = forms.ChoiceField(
        required=False,
        choices=[UNCHANGED, *((name, name) for name in TESTS)],
        help_text="The unit of tests between two systems: each sentence, or each comparison (sign).",
    )
    folds = forms.ChoiceField(
        required=False,
        choices=[UNCHANGED, *((name, name) for name in FOLDINGS)],
        help_text="Which judgments are predicted for accuracy; none leaves accuracy out, which is much faster.",
    )
    scores = forms.ChoiceField(
        required=False,
        choices=[UNCHANGED, *((name, name) for name in SCORES)],
        help_text="Whether a score is that of the judgments themselves, or the mean of all replicates as in 2015.",
    )
    correlations = forms.ChoiceField(
        required=False,
        choices=[UNCHANGED, *((name, name) for name in CORRELATIONS)],
        help_text="Of metrics with people: plain, or as in 2015, from three decimals and without shared ranks.",
    )


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
        "head-to-head", "Head to head", "This decides whether one system beats another; overlapping intervals do not.",
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
    "pairs": "Pairs separated",
    "weighted_agreement": "Agreement by distance",
    "judge_correlation_intervals": "Rankings by single judges, with intervals",
    "sign": "Sign test of distances",
}

COMPARISONS = ReportKind(
    study=pure.COMPARISONS,
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
