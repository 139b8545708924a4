"""What an organiser chooses for a report, and the file of a metric."""

from dataclasses import fields
from typing import Any

from django import forms

from ranking.stats.parameters import LARGEST_SEED, MOST_REPLICATES, PRESETS, Parameters, ParametersError
from ranking.stats.rankings.clusters import RULES
from ranking.stats.rankings.methods import METHODS
from ranking.stats.resampling import Unit

PRESET_LABELS = {
    "recommended": "Recommended: sentences are drawn, clusters never overlap",
    "grundkiewicz2015": "As Grundkiewicz et al. (2015): single comparisons are drawn",
    "napoles2019": "As Napoles et al. (2019): ratings",
}


class ReportForm(forms.Form):
    """A preset, and what should be otherwise; empty fields stay as the preset has them."""

    preset = forms.ChoiceField(
        required=False, choices=[(name, PRESET_LABELS[name]) for name in PRESETS], initial="recommended"
    )
    methods = forms.MultipleChoiceField(
        required=False,
        choices=[(name, method.label) for name, method in METHODS.items()],
        widget=forms.CheckboxSelectMultiple,
        help_text="None: those of the preset.",
    )
    unit = forms.ChoiceField(
        required=False,
        choices=[("", "as the preset"), *((unit.value, unit.value) for unit in Unit)],
        help_text="What is drawn again and again to see how sure the ranking is.",
    )
    replicates = forms.IntegerField(
        required=False, min_value=1, max_value=MOST_REPLICATES, help_text="How often; empty: 1000."
    )
    level = forms.FloatField(required=False, min_value=0.5, max_value=0.9999, help_text="Such as 0.95.")
    clusters = forms.ChoiceField(required=False, choices=[("", "as the preset"), *((name, name) for name in RULES)])
    seed = forms.IntegerField(
        required=False, min_value=0, max_value=LARGEST_SEED, help_text="The same seed gives the same numbers."
    )

    def clean(self) -> dict[str, Any]:
        """Parameters, from the preset and what was changed."""
        given = super().clean() or {}
        if self.errors:
            return given
        given["preset"] = given["preset"] or "recommended"
        names = {field.name for field in fields(Parameters)}
        changes = {name: value for name, value in given.items() if name in names and value not in (None, "", [])}
        try:
            given["parameters"] = PRESETS[given["preset"]].changed(**changes)
        except ParametersError as reason:
            raise forms.ValidationError(str(reason)) from reason
        return given


class MetricForm(forms.Form):
    """A file of scores, and what its columns are called."""

    file = forms.FileField(
        label="File of scores",
        help_text="Lines of a system and its score, or a table with a column for each system and a row for each "
        "sentence. Every system that takes part needs a score.",
    )
    columns = forms.CharField(
        required=False,
        max_length=1000,
        label="Names of the scores on a line",
        help_text="Only for files that do not name them: separated by spaces, such as F P R. Precision and recall, "
        "called P and R, give the curve of F over many betas.",
    )

    def clean_columns(self) -> tuple[str, ...]:
        """The names one by one."""
        return tuple(self.cleaned_data["columns"].split())
