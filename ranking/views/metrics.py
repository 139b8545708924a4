"""Scores of automatic metrics in the browser: bring in a file, see what is there, remove it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from judgments.campaigns.access import campaign_to_organise
from judgments.models import Campaign
from judgments.rules.files.problems import Problems
from judgments.web.views.shared import in_english
from ranking import metric_files, scoreboard
from ranking.forms import MetricForm, ScoringForm
from ranking.metric_scores import add_metrics, remove_metric
from ranking.models import Metric, Scoring


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@in_english
def metrics(request: HttpRequest, slug: str) -> HttpResponse:
    """The metrics of a campaign, and the forms for more."""
    campaign = campaign_to_organise(request.user, slug)
    form = MetricForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            added = add_metrics(campaign, given["file"].name, given["file"].read(), given["columns"], request.user)
        except Problems as found:
            form.add_error("file", [str(problem) for problem in found.problems])
        else:
            messages.success(request, f"Scores by {', '.join(metric.name for metric in added)} are there.")
            return redirect("metrics", slug)
    return page_of(request, campaign, form=form)


def page_of(
    request: HttpRequest, campaign: Campaign, form: MetricForm | None = None, scoring: ScoringForm | None = None
) -> HttpResponse:
    """The page with the forms as they are."""
    scorings = list(Scoring.objects.of(campaign))
    tables = scoreboard.tables_of(scorings)
    page = {
        "campaign": campaign,
        "has_outputs": campaign.protocol != Campaign.Protocol.VERDICT,
        "metrics": Metric.objects.of(campaign).defer("scores"),
        "board": scoreboard.board_of(campaign, tables),
        "files": metric_files.names_of(tables),
        "figures": scoreboard.figures_of(tables),
        "work": scoreboard.state_of(scorings),
        "failed": [scoring for scoring in scorings if scoring.state == Scoring.State.FAILED],
        "form": form or MetricForm(),
        "scoring": scoring or ScoringForm(),
    }
    return render(request, "ranking/metrics.html", page)


@require_POST
@login_required
@in_english
def remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Forget one metric."""
    campaign = campaign_to_organise(request.user, slug)
    if not remove_metric(campaign, pk):
        messages.error(request, "These scores were removed already.")
    return redirect("metrics", slug)
