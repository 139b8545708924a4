"""Running a campaign: where it stands and what to do next, opening and closing."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from judgments.campaigns import access, overview, states
from judgments.protocols import protocol_of
from judgments.web.charts.progress_curve import progress_chart
from judgments.web.forms.campaigns import StateForm
from judgments.web.views.shared import in_english, refusals_as_messages


@require_safe
@login_required
@in_english
def organise(request: HttpRequest, slug: str) -> HttpResponse:
    """Where the campaign stands, and the next step."""
    campaign = access.campaign_to_organise(request.user, slug)
    progress = overview.progress(campaign)
    page = {
        "campaign": campaign,
        "has_outputs": protocol_of(campaign).has_outputs,
        "progress": progress,
        "next_step": overview.next_step(campaign, progress),
        "plot": progress_chart(campaign, progress),
    }
    return render(request, "judgments/organise.html", page)


@require_POST
@login_required
def change_state(request: HttpRequest, slug: str) -> HttpResponse:
    """Open or close a campaign."""
    campaign = access.campaign_to_organise(request.user, slug)
    form = StateForm(request.POST)
    if form.is_valid():
        with refusals_as_messages(request):
            states.CHANGES[form.cleaned_data["state"]](campaign)
    return redirect("organise", slug)
