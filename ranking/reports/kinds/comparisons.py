"""Reports on comparisons: what is read, and what the page shows."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import numpy as np
from django import forms
from django.db.models import Count

from judgments.models import Campaign, System, SystemOutput
from judgments.protocols import protocol_of
from ranking.charts.agreement import agreement, comparison_counts, standings_by_judge
from ranking.charts.judged import distinct_outputs, judgments_over_time
from ranking.charts.lines import lines_of
from ranking.charts.metrics import (
    f_beta,
    meta_evaluation,
    metric_correlations,
    metric_scatter,
    metric_windows,
    williams,
)
from ranking.charts.rankings import accuracy, forests, head_to_head, uncertainty
from ranking.charts.shown_tables import OF_A_JUDGE, OF_A_METRIC, OF_A_METRIC_AND_SYSTEM, OF_A_PAIR
from ranking.models import Metric
from ranking.numbers.tables import StatisticsError, Table
from ranking.reports.ballots import Collected, collect, metrics_of
from ranking.reports.kinds.comparison_claims import answer
from ranking.reports.kinds.kind import UNCHANGED, Chapter, Extracted, ReportForm, ReportKind, SystemScore
from ranking.reports.rows import days_of
from ranking.reports.sentences.listing import pack_scores
from ranking.stats.comparisons import AT_A_GLANCE, SECTIONS
from ranking.stats.comparisons.study import ALL, ANY_TIME, JUDGED, PRESETS, ComparisonStudy, Covariates, Parameters
from ranking.stats.metaevaluation.correlations import drawn_sentences
from ranking.stats.rankings.mean_score import MEAN_SCORE
from ranking.stats.rankings.methods import METHODS
from ranking.stats.resampling import Unit


def extract(campaign: Campaign, chosen: Parameters) -> Extracted:
    found = collect(campaign, chosen.judged_by, chosen.answers, systems=chosen.systems)
    covariates, days = covariates_of(campaign, found, chosen), days_of(campaign, found.names.judges)
    are_ratings = protocol_of(campaign).has_scores
    study = ComparisonStudy(found.ballots, found.names, chosen, are_ratings, covariates, days)
    return Extracted(study, found.newest, found.judgments)


def covariates_of(campaign: Campaign, found: Collected, chosen: Parameters) -> Covariates:
    """Read the covariates, with systems and judges in the order of their names in the study."""
    names, judged, times = found.names, None, None
    if chosen.sentences == JUDGED:
        judged = np.flatnonzero(found.ballots.judged)
    if chosen.drawn is Unit.SENTENCE and Metric.objects.of(campaign).exclude(signature="").exists():
        with suppress(StatisticsError):
            draws = chosen.replicates, chosen.seed
            times = drawn_sentences(found.ballots, *draws, with_others=chosen.sentences == ALL)
    metrics, lacking = metrics_of(campaign, names.systems, found.ballots.segments, judged, times)
    outputs = SystemOutput.objects.filter(system__campaign=campaign, system__name__in=names.systems)
    counted = outputs.values("candidate__segment").annotate(distinct=Count("candidate", distinct=True))
    distinct = counted.order_by("candidate__segment").values_list("distinct", flat=True)
    return Covariates(np.fromiter(distinct, dtype=np.int64), metrics, lacking, found.weights)


RANKS = ("rank", "rank_low", "rank_high", "cluster", "p_best")


def system_scores(tables: Mapping[str, Table], parameters: Mapping[str, Any]) -> Iterator[SystemScore]:
    drawn = "confidence sequence" if parameters["looks"] == ANY_TIME else "bootstrap"
    for line in lines_of(tables, "standings"):
        method = METHODS[line["method"]]
        # The scale of ratings; methods keep their scores within `bounds`, which means of ratings never leave.
        bounds = (0.0, 2 * method.half_range) if method is MEAN_SCORE else method.bounds
        yield SystemScore(
            line["system"], method.name, method.label, bounds, line["score"], line["score_low"], line["score_high"],
            f"{'posterior' if method.is_posterior else drawn} ({line['unit']})", {name: line[name] for name in RANKS},
        )  # fmt: skip


class ComparisonsForm(ReportForm):
    cite = forms.ChoiceField(
        required=False,
        label="Method to cite",
        help_text="The method whose ranking is cited, chosen before you look; it is added to the methods.",
    )

    def __init__(self, kind: Any, campaign: Campaign, *given: Any, **named: Any) -> None:
        super().__init__(kind, campaign, *given, **named)
        labels = [(name, method.label) for name, method in METHODS.items() if self._suits(name)]
        self.fields["methods"].choices = labels  # type: ignore[attr-defined]
        names = System.objects.filter(campaign=campaign).judged().order_by("name").values_list("name", flat=True)
        self.fields["systems"].choices = [(name, name) for name in names]  # type: ignore[attr-defined]
        self.fields["cite"].choices = [UNCHANGED, *labels]  # type: ignore[attr-defined]
        self.order_fields(["preset", "methods", "cite"])

    def _suits(self, method: str) -> bool:
        return protocol_of(self.campaign).has_scores or not METHODS[method].for_ratings

    def presets(self) -> list[str]:
        return [name for name, chosen in self.kind.presets.items() if self._suits(chosen.methods[0])]

    def clean(self) -> dict[str, Any]:
        given = super().clean()
        if (cited := given.get("cite")) and "parameters" in given:
            chosen = given["parameters"]
            others = (name for name in chosen.methods if name != cited)
            given["parameters"] = chosen.with_changes(methods=(cited, *others))
        return given


COMPARISONS = ReportKind(
    study=ComparisonStudy,
    presets=PRESETS,
    presets_say={
        "recommended": "Recommended: other sentences, and other judges from 5 on",
        "grundkiewicz2015": "As Grundkiewicz et al. (2015): resample single comparisons",
        "kobayashi2024": "As Kobayashi et al. (2024): metrics against rankings",
        "napoles2019": "As Napoles et al. (2019): ratings",
    },
    sections=SECTIONS,
    at_a_glance=AT_A_GLANCE,
    does="ranks the systems by the judgments",
    headline="standings",
    answer=answer,
    extract=extract,
    form=ComparisonsForm,
    charts=(
        forests, uncertainty, head_to_head, meta_evaluation, metric_correlations, metric_scatter, williams, f_beta,
        metric_windows, agreement, standings_by_judge, distinct_outputs, judgments_over_time, comparison_counts,
        accuracy,
    ),
    chapters=(
        Chapter(
            "methods", "Other methods",
            "Expected Wins averages the share of comparisons won over all opponents alike. Bradley-Terry and TrueSkill "
            "fit one strength per system, so that a win against a strong one counts more; the hierarchical model also "
            "allows for judges and texts. Cite the ranking that was chosen beforehand.",
            (), ("methods_compared",), has_other_rankings=True,
        ),
        Chapter(
            "uncertainty", "How certain the ranking is",
            "Resampling shows how far each system might move; the unit resampled decides how certain a ranking looks. "
            "If in doubt, trust the wider ranges.",
            ("uncertainty",), ("questions", "precision", "fragility", "leave_out", "weighted_standings"),
            ("uncertainty",),
        ),
        Chapter(
            "head-to-head", "Head to head",
            "Tests of pairs decide whether one system beats another; overlapping intervals do not. Shares and p-values "
            "of single squares are about these judges.",
            ("head_to_head",), ("pairs", "simultaneous"), sentences="pairs",
        ),
        Chapter(
            "metrics", "Metrics against people",
            "A correlation of 1 means that a metric agrees with people about the systems, 0 that it is unrelated, and "
            "below 0 that it contradicts them.",
            ("meta_evaluation", "metric_correlations", "metric_scatter", "williams", "f_beta", "metric_windows"),
            ("human_ceiling", "metric_leave_out", "metric_rankings"), sentences="metrics",
        ),
        Chapter(
            "judges", "Agreement and judges",
            "Kappa is the agreement beyond chance: 1 is perfect, and 0 is as good as chance. Experts who ranked "
            "corrections reached 0.29 between them and 0.46 with themselves (Grundkiewicz et al. 2015).",
            ("agreement", "standings_by_judge"),
            ("reliability", "judge_correlations", "judges"),
            ("agreement", "judges"), sentences="judges",
        ),
        Chapter(
            "judged", "What was judged", "", ("distinct_outputs", "judgments_over_time", "comparison_counts")
        ),
        Chapter(
            "accuracy", "Accuracy",
            "How well a ranking from some judgments predicts others; compare it with the baselines.",
            ("accuracy",),
        ),
    ),
    titles={
        "questions": "Who may be the best and the last, who beats the source, where the order breaks",
        "precision": "What more judges or sentences would buy",
        "fragility": "How few judges, sentences or judgments decide the first place",
        "leave_out": "Without one judge, system or document",
        "weighted_standings": "With weights, about the collection; without, about the sentences drawn",
        "human_ceiling": "Agreement between two halves of the judges",
        "metric_leave_out": "Correlations without one system",
        "metric_rankings": "Rankings by metrics and by people",
        "reliability": "Reliability",
        "judge_correlations": "Correlation of rankings by single judges",
        "judges": "The judges",
        "pairs": "All pairs",
        "methods_compared": "Pairs on which another method concludes something else",
        "simultaneous": "Intervals and ranks that hold for all systems at once",
    },
    links={
        "pairs": OF_A_PAIR,
        "head_to_head": OF_A_PAIR,
        "judges": OF_A_JUDGE,
        "metric_correlations": OF_A_METRIC,
        "metric_scatter": OF_A_METRIC_AND_SYSTEM,
    },
    output_scores=pack_scores,
    system_scores=system_scores,
    for_papers=(
        "counts", "standings", "questions", "pairs", "head_to_head", "agreement", "reliability", "judge_correlations",
        "meta_evaluation", "metric_correlations",
    ),
    is_splittable=True,
    is_comparable=True,
)  # fmt: skip
