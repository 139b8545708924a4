"""What an organiser chooses for a report, which reports to compare, and the file of a metric."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.formats import date_format
from django.utils.timezone import localtime

from ranking.metrics.catalogue import USUAL, metrics_of
from ranking.metrics.material import MetricError
from ranking.models import Report
from ranking.stats.parameters import (
    CORRELATIONS,
    FOLDINGS,
    JUDGED_BY,
    LARGEST_SEED,
    MOST_REPLICATES,
    PEOPLE,
    PRESETS,
    SCORES,
    TESTS,
    Parameters,
    ParametersError,
)
from ranking.stats.rankings.clusters import RULES
from ranking.stats.rankings.methods import METHODS
from ranking.stats.resampling import Unit

MOST_BYTES = 10 * 2**20
METRIC_LABELS = {
    "m2": "M2: edits that a reference has too, F0.5",
    "gleu": "GLEU: n-grams of references, less those of the source",
    "chargleu": "charGLEU: the same with characters",
    "i-measure": "I-measure: better or worse than leaving all as it is",
    "bleu": "BLEU",
    "chrf++": "chrF++",
    "meteor": "METEOR",
    "errant": "ERRANT: edits by the kind of error, F0.5; slower, as every text is parsed",
}
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
    test = forms.ChoiceField(
        required=False,
        choices=[("", "as the preset"), *((name, name) for name in TESTS)],
        help_text="By which two systems are told apart: what each sentence says, or every comparison by itself (sign).",
    )
    folds = forms.ChoiceField(
        required=False,
        choices=[("", "as the preset"), *((name, name) for name in FOLDINGS)],
        help_text="Which judgments are foretold for accuracy; none leaves accuracy out, which is much faster.",
    )
    scores = forms.ChoiceField(
        required=False,
        choices=[("", "as the preset"), *((name, name) for name in SCORES)],
        help_text="Whether a score is that of the judgments themselves, or the mean of all replicates as in 2015.",
    )
    correlations = forms.ChoiceField(
        required=False,
        choices=[("", "as the preset"), *((name, name) for name in CORRELATIONS)],
        help_text="Of metrics with people: plain, or as in 2015, from three decimals and without shared ranks.",
    )
    judged_by = forms.ChoiceField(
        required=False,
        choices=[("", "people"), *((name, name) for name in JUDGED_BY if name != PEOPLE)],
        help_text="Whose judgments count; programs that judge are never mixed with people unless you say so.",
    )
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


class ScoringForm(forms.Form):
    """Metrics of the platform's own, to score the outputs by."""

    metrics = forms.MultipleChoiceField(
        required=False,
        choices=lambda: list(METRIC_LABELS.items()),
        initial=lambda: list(USUAL),
        widget=forms.CheckboxSelectMultiple,
        label="Score the outputs by",
    )
    others = forms.CharField(
        required=False,
        max_length=1000,
        label="Others, or with settings",
        help_text="Separated by commas, with settings behind colons, such as m2:beta=0.2, bleu. "
        "docs/metrics.md lists them all.",
    )

    def clean_others(self) -> list[str]:
        """Each by the name it is asked for."""
        told = self.cleaned_data["others"]
        try:
            return list(metrics_of(told)) if told.strip() else []
        except MetricError as reason:
            raise forms.ValidationError(str(reason)) from reason

    def clean(self) -> dict[str, Any]:
        """At least one."""
        given = super().clean() or {}
        if not self.errors:
            given["chosen"] = list(dict.fromkeys([*given["metrics"], *given["others"]]))
            if not given["chosen"]:
                raise forms.ValidationError("Choose one metric or more.")
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

    def clean_file(self) -> UploadedFile:
        """No more than can be read while somebody waits."""
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > MOST_BYTES:
            raise forms.ValidationError(
                f"The file is larger than {MOST_BYTES // 2**20} MB. Bring in fewer metrics at once, or have it brought "
                "in by: python manage.py add_metric_scores"
            )
        return file

    def clean_columns(self) -> tuple[str, ...]:
        """The names one by one."""
        return tuple(self.cleaned_data["columns"].split())


class ComparisonForm(forms.Form):
    """Two of the finished reports on a campaign; at first the two newest."""

    one = forms.TypedChoiceField(coerce=int, label="Report")
    other = forms.TypedChoiceField(coerce=int, label="Compared with")

    def __init__(self, finished: Sequence[Report], given: Mapping[str, Any] | None = None) -> None:
        """The newest report comes first."""
        super().__init__(given, initial={"one": finished[1].pk, "other": finished[0].pk} if len(finished) > 1 else {})
        choices = [(report.pk, _known_by(report)) for report in finished]
        for name in ("one", "other"):
            self.fields[name].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Two different ones."""
        given = super().clean() or {}
        if not self.errors and given["one"] == given["other"]:
            raise forms.ValidationError("This is twice the same report; choose another one to compare it with.")
        return given


def _known_by(report: Report) -> str:
    made = date_format(localtime(report.created_at), "j M Y H:i e")
    return f"{report.pk}: {made}, {report.preset or 'own choices'}, {report.judgments} judgments"
