"""Forms to score outputs, upload scores, and compare reports."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.formats import date_format
from django.utils.timezone import localtime

from judgments.models import Campaign
from ranking.metrics.catalogue import METRICS, metrics_of
from ranking.metrics.material import MetricError
from ranking.models import Report
from ranking.scores.files import UNSPACED
from ranking.scores.texts import has_spaces, known_metrics, usual_metrics

MOST_BYTES = 10 * 2**20


class ScoringForm(forms.Form):
    """Choose the platform's own metrics to score the outputs."""

    metrics = forms.MultipleChoiceField(
        required=False, widget=forms.CheckboxSelectMultiple, label="Score the outputs by"
    )
    others = forms.CharField(
        required=False,
        max_length=1000,
        label="Other metrics, or with settings",
        help_text="Separated by commas, with settings after a colon, such as m2:beta=0.2, bleu. "
        "docs/metrics.md lists them all.",
    )

    def __init__(self, campaign: Campaign, given: Mapping[str, Any] | None = None) -> None:
        super().__init__(given, initial={"metrics": usual_metrics(campaign)})
        abouts = {name: METRICS[name.partition(":")[0]].about for name in known_metrics(campaign)}
        choices = [(name, about) for name, about in abouts.items() if about]
        self.fields["metrics"].choices = choices  # type: ignore[attr-defined]
        if not has_spaces(campaign):
            self.fields["metrics"].help_text = f"Metrics of words: {UNSPACED}"

    def clean_others(self) -> list[str]:
        others = self.cleaned_data["others"]
        try:
            return list(metrics_of(others)) if others.strip() else []
        except MetricError as reason:
            raise forms.ValidationError(str(reason)) from reason

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not self.errors:
            given["chosen"] = list(dict.fromkeys([*given["metrics"], *given["others"]]))
            if not given["chosen"]:
                raise forms.ValidationError("Choose one metric or more.")
        return given


class MetricForm(forms.Form):
    """Upload a file of scores, and the names of its columns."""

    file = forms.FileField(
        label="File of scores",
        help_text="Lines of a system and its score, or a table with a column for each system and a row for each "
        "sentence. Every system that takes part needs a score.",
    )
    columns = forms.CharField(
        required=False,
        max_length=1000,
        label="Names of the score columns",
        help_text="Only for files without a header. Separate names by spaces, such as F P R. Precision and recall, "
        "named P and R, also give the curve of F over beta.",
    )

    def clean_file(self) -> UploadedFile:
        """Refuse files too large to read while the user waits."""
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > MOST_BYTES:
            raise forms.ValidationError(
                f"The file is larger than {MOST_BYTES // 2**20} MB. Upload fewer metrics at once, or have it imported "
                "with: python manage.py add_metric_scores"
            )
        return file

    def clean_columns(self) -> tuple[str, ...]:
        return tuple(self.cleaned_data["columns"].split())


class ComparisonForm(forms.Form):
    """Two of the finished reports on a campaign; initially the two newest."""

    one = forms.TypedChoiceField(coerce=int, label="Report")
    other = forms.TypedChoiceField(coerce=int, label="Compared with")

    def __init__(self, finished: Sequence[Report], given: Mapping[str, Any] | None = None) -> None:
        super().__init__(given, initial={"one": finished[1].pk, "other": finished[0].pk} if len(finished) > 1 else {})
        choices = [(report.pk, _label(report)) for report in finished]
        for name in ("one", "other"):
            self.fields[name].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Refuse the same report twice."""
        given = super().clean() or {}
        if not self.errors and given["one"] == given["other"]:
            raise forms.ValidationError("Both are the same report; choose another one to compare it with.")
        return given


def _label(report: Report) -> str:
    made = date_format(localtime(report.created_at), "j M Y H:i e")
    return f"{report.pk}: {made}, {report.preset or 'own choices'}, {report.judgments} judgments"
