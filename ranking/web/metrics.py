"""Metrics in the browser: score outputs, add or remove scores, download them."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render

from judgments.exchange.downloads import stream_response
from judgments.models import Campaign
from judgments.protocols import protocol_of
from judgments.web.actions import carry_out
from judgments.web.views.shared import campaign_page, refusals_as_messages
from ranking.actions import AddMetrics, ScoreOutputs
from ranking.metrics.catalogue import METRICS, metrics_of
from ranking.metrics.material import MetricError
from ranking.models import Metric, ScoringJob
from ranking.scores import board
from ranking.scores.files import UNSPACED
from ranking.scores.texts import has_spaces, metrics_in_language, usual_metrics

MOST_BYTES = 10 * 2**20


class ScoringForm(ScoreOutputs):
    """Metrics to tick, and others to name."""

    metrics = forms.MultipleChoiceField(  # type: ignore[assignment]
        required=False, widget=forms.CheckboxSelectMultiple, label="Score the outputs by"
    )
    others = forms.CharField(
        required=False,
        max_length=1000,
        label="Other metrics, or other settings",
        help_text="Separated by commas, with settings after a colon, such as m2:beta=0.2, bleu.",
    )

    def __init__(self, campaign: Campaign, *given: Any, **named: Any) -> None:
        super().__init__(campaign, *given, initial={"metrics": usual_metrics(campaign)}, **named)
        abouts = {name: METRICS[name.partition(":")[0]].about for name in metrics_in_language(campaign, METRICS)}
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
            given["metrics"] = list(dict.fromkeys([*given["metrics"], *given["others"]]))
            if not given["metrics"]:
                raise forms.ValidationError("Choose one metric or more.")
        return given


class MetricForm(AddMetrics):
    def clean_files(self) -> list[UploadedFile]:
        """Refuse files that would take long to read while the user waits."""
        files: list[UploadedFile] = self.cleaned_data["files"]
        if sum(file.size or 0 for file in files) > MOST_BYTES:
            raise forms.ValidationError(
                f"The files are larger than {MOST_BYTES // 2**20} MB. Upload fewer metrics at once, or have them "
                f"imported with: python manage.py act {self.campaign.slug} add-metrics"
            )
        return files


@campaign_page("GET", "POST")
def metrics(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show the metrics of a campaign, and the forms for more."""
    form = MetricForm(campaign, None, request.user, data=request.POST or None, files=request.FILES or None)
    return carry_out(request, form) or page_of(request, campaign, form=form)


def page_of(
    request: HttpRequest, campaign: Campaign, form: MetricForm | None = None, scoring: ScoringForm | None = None
) -> HttpResponse:
    jobs = list(ScoringJob.objects.of(campaign))
    tables = board.tables_of(jobs)
    page = {
        "campaign": campaign,
        "has_outputs": protocol_of(campaign).has_outputs,
        "metrics": Metric.objects.of(campaign).defer("scores"),
        "board": board.board_of(campaign, tables),
        "files": board.file_names(tables),
        "figures": board.figures_of(tables),
        "job": board.progress_of(jobs),
        "failed": [job for job in jobs if job.state == job.State.FAILED],
        "form": form or MetricForm(campaign),
        "scoring": scoring or ScoringForm(campaign),
    }
    return render(request, "ranking/metrics.html", page)


@campaign_page("POST")
def score_outputs(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    form = ScoringForm(campaign, None, request.user, data=request.POST)
    if done := carry_out(request, form):
        return done
    messages.error(request, "Nothing is scored yet: correct the choice of metrics below.")
    return page_of(request, campaign, scoring=form)


@campaign_page("GET")
def scorings_state(request: HttpRequest, campaign: Campaign) -> JsonResponse:
    """The progress of all jobs together, as JSON for the page."""
    return JsonResponse(board.progress_of(ScoringJob.objects.of(campaign).defer("tables")))


@campaign_page("GET")
def metric_file(request: HttpRequest, campaign: Campaign, name: str) -> HttpResponseBase:
    with refusals_as_messages(request):
        return file_of(campaign, name)
    return redirect("metrics", campaign.slug)


def file_of(campaign: Campaign, name: str) -> HttpResponseBase:
    blocks = board.blocks_of(campaign, name)
    if blocks is None:
        raise Http404("There is no such file; the metrics page lists all files.")
    return stream_response(blocks, "text/csv; charset=utf-8", f"{campaign.slug}-{name}")
