"""Scoring outputs by metrics in the browser: ask, watch, cancel, and take the numbers along."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from judgments.campaigns.access import campaign_to_organise
from judgments.exchange.downloads import streamed
from judgments.models import Campaign
from judgments.web.views.shared import in_english, refusals_as_messages
from ranking import scoreboard, scorings, tasks
from ranking.forms import ScoringForm
from ranking.metric_files import blocks_of
from ranking.models import Scoring
from ranking.views.metrics import page_of


@require_POST
@login_required
@in_english
def score_outputs(request: HttpRequest, slug: str) -> HttpResponse:
    """Have a worker score the outputs."""
    campaign = campaign_to_organise(request.user, slug)
    form = ScoringForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Nothing was scored, as something in the wish is not possible; see below.")
        return page_of(request, campaign, scoring=form)
    with refusals_as_messages(request):
        for scoring in scorings.ask(campaign, form.cleaned_data["chosen"], request.user):
            tasks.enqueue(scoring)
    return redirect("metrics", slug)


@require_safe
@login_required
def scorings_state(request: HttpRequest, slug: str) -> JsonResponse:
    """How far the work is, for the page that waits."""
    campaign = campaign_to_organise(request.user, slug)
    return JsonResponse(scoreboard.state_of(Scoring.objects.of(campaign).defer("tables")))


@require_POST
@login_required
@in_english
def cancel_scorings(request: HttpRequest, slug: str) -> HttpResponse:
    """Stop all scorings that are not over."""
    campaign = campaign_to_organise(request.user, slug)
    with refusals_as_messages(request):
        if not scorings.cancel_all(campaign):
            messages.error(request, "This was over already.")
    return redirect("metrics", slug)


@require_safe
@login_required
def metric_file(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    """One table as CSV."""
    campaign = campaign_to_organise(request.user, slug)
    with refusals_as_messages(request):
        return file_of(campaign, name)
    return redirect("metrics", slug)


def file_of(campaign: Campaign, name: str) -> HttpResponseBase:
    """A file that is sent while it is made."""
    blocks = blocks_of(campaign, name)
    if blocks is None:
        raise Http404("There is no such file; the page of metrics lists those there are.")
    return streamed(blocks, "text/csv; charset=utf-8", f"{campaign.slug}-{name}")
