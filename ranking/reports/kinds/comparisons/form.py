"""What an organiser chooses for a report on comparisons."""

from typing import ClassVar

from django import forms

from ranking.reports.kinds.form import UNCHANGED, ReportForm
from ranking.stats.comparisons.kind import COMPARISONS
from ranking.stats.comparisons.parameters import CORRELATIONS, FOLDINGS, SCORES, TESTS
from ranking.stats.rankings.clusters import RULES
from ranking.stats.rankings.methods import METHODS
from ranking.stats.resampling import Unit


class ComparisonsForm(ReportForm):
    """What a ranking is made by."""

    study = COMPARISONS
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
        help_text="By which two systems are told apart: what each sentence says, or every comparison by itself (sign).",
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
