"""Exports: the list of formats, and the files."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from judgments.campaigns import overview
from judgments.exchange import references
from judgments.exchange.downloads import OptionsForm, file_of
from judgments.exchange.exporters import EXPORTS
from judgments.exchange.exporters.corrections import has_corrections
from judgments.models import Campaign
from judgments.protocols import protocol_of
from judgments.web.forms.campaigns import ReferencesForm
from judgments.web.views.shared import campaign_page, refusals_as_messages


@campaign_page("GET")
def exports(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    form = (
        ReferencesForm(references.matching_campaigns(request.user, campaign))
        if has_corrections(protocol_of(campaign))
        else None
    )
    page = {
        "campaign": campaign,
        "formats": [export for export in EXPORTS.values() if not export.fault(campaign)],
        "others": [export.name for export in EXPORTS.values() if export.fault(campaign)],
        "has_judgments": overview.has_judgments(campaign),
        "references": form,
    }
    return render(request, "judgments/exports.html", page)


@campaign_page("GET")
def export(request: HttpRequest, campaign: Campaign, name: str) -> HttpResponseBase:
    with refusals_as_messages(request):
        return file_of(campaign, name, OptionsForm(request.GET).options())
    return redirect("exports", campaign.slug)


@campaign_page("POST")
def use_corrections(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Use the corrections as references in another campaign."""
    form = ReferencesForm(references.matching_campaigns(request.user, campaign), request.POST)
    if not form.is_valid():
        messages.error(request, "Choose a campaign with the same sentences that is not closed.")
        return redirect("exports", campaign.slug)
    to = form.cleaned_data["to"]
    with refusals_as_messages(request):
        made = ", ".join(references.use_corrections(campaign, to).references)
        messages.success(request, f"{to} has the references {made}; metrics use them from now on.")
        return redirect("material", to.slug)
    return redirect("exports", campaign.slug)
