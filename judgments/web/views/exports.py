"""Taking a campaign along: the formats, and each as a file."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from judgments.campaigns import access, overview
from judgments.exchange import references
from judgments.exchange.downloads import WishesForm, file_of
from judgments.exchange.exporters import EXPORTS
from judgments.exchange.exporters.corrected import are_corrected
from judgments.exchange.references import fitting
from judgments.protocols import protocol_of
from judgments.rules.errors import Refused
from judgments.web.forms.campaigns import ReferencesForm
from judgments.web.views.shared import in_english


@require_safe
@login_required
@in_english
def exports(request: HttpRequest, slug: str) -> HttpResponse:
    """All formats with a sentence each."""
    campaign = access.campaign_to_organise(request.user, slug)
    page = {
        "campaign": campaign,
        "formats": [export for export in EXPORTS.values() if not export.fault(campaign)],
        "others": [export.name for export in EXPORTS.values() if export.fault(campaign)],
        "has_judgments": overview.has_judgments(campaign),
        "references": ReferencesForm(fitting(request.user, campaign)) if are_corrected(protocol_of(campaign)) else None,
    }
    return render(request, "judgments/exports.html", page)


@require_safe
@login_required
def export(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    """One format as a file."""
    campaign = access.campaign_to_organise(request.user, slug)
    try:
        return file_of(campaign, name, WishesForm(request.GET).wishes())
    except Refused as reason:
        messages.error(request, str(reason))
        return redirect("exports", slug)


@require_POST
@login_required
@in_english
def use_corrections(request: HttpRequest, slug: str) -> HttpResponse:
    """Make the corrections references of another campaign."""
    campaign = access.campaign_to_organise(request.user, slug)
    form = ReferencesForm(fitting(request.user, campaign), request.POST)
    if not form.is_valid():
        messages.error(request, "Choose a campaign whose sentences are the same and that is not closed.")
        return redirect("exports", slug)
    try:
        used = references.use_corrections(campaign, form.cleaned_data["to"])
    except Refused as reason:
        messages.error(request, str(reason))
        return redirect("exports", slug)
    made = ", ".join(used.references)
    messages.success(request, f"{form.cleaned_data['to']} has the references {made}; metrics use them from now on.")
    return redirect("material", form.cleaned_data["to"].slug)
