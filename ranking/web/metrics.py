"""Metrics in the browser: score outputs, add or remove scores, download them."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render

from judgments.exchange.downloads import streamed
from judgments.models import Campaign
from judgments.protocols import protocol_of
from judgments.web.views.shared import campaign_page, refusals_as_errors, refusals_as_messages
from ranking.models import Metric, ScoringJob
from ranking.scores import board
from ranking.scores.board import blocks_of
from ranking.scores.stored import add_metrics, cancel_scoring, remove_metric, request_scoring
from ranking.web.forms import MetricForm, ScoringForm


@campaign_page("GET", "POST")
def metrics(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show the metrics of a campaign, and the forms for more."""
    form = MetricForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        with refusals_as_errors(form, "file"):
            added = add_metrics(campaign, given["file"].name, given["file"].read(), given["columns"], request.user)
            messages.success(request, f"Added scores by {', '.join(metric.name for metric in added)}.")
            return redirect("metrics", campaign.slug)
    return page_of(request, campaign, form=form)


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
        "form": form or MetricForm(),
        "scoring": scoring or ScoringForm(campaign),
    }
    return render(request, "ranking/metrics.html", page)


@campaign_page("POST")
def remove(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    if not remove_metric(campaign, pk):
        messages.error(request, "These scores have already been removed.")
    return redirect("metrics", campaign.slug)


@campaign_page("POST")
def score_outputs(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Have workers score the outputs."""
    form = ScoringForm(campaign, request.POST)
    if not form.is_valid():
        messages.error(request, "Nothing was scored. Correct the choice of metrics below.")
        return page_of(request, campaign, scoring=form)
    with refusals_as_messages(request):
        request_scoring(campaign, form.cleaned_data["chosen"], request.user)
    return redirect("metrics", campaign.slug)


@campaign_page("GET")
def scorings_state(request: HttpRequest, campaign: Campaign) -> JsonResponse:
    """The progress of all jobs together, as JSON for the page."""
    return JsonResponse(board.progress_of(ScoringJob.objects.of(campaign).defer("tables")))


@campaign_page("POST")
def cancel_scorings(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Cancel all unfinished jobs."""
    with refusals_as_messages(request):
        cancel_scoring(campaign)
    return redirect("metrics", campaign.slug)


@campaign_page("GET")
def metric_file(request: HttpRequest, campaign: Campaign, name: str) -> HttpResponseBase:
    """Download one table as CSV."""
    with refusals_as_messages(request):
        return file_of(campaign, name)
    return redirect("metrics", campaign.slug)


def file_of(campaign: Campaign, name: str) -> HttpResponseBase:
    blocks = blocks_of(campaign, name)
    if blocks is None:
        raise Http404("There is no such file; the metrics page lists all files.")
    return streamed(blocks, "text/csv; charset=utf-8", f"{campaign.slug}-{name}")
