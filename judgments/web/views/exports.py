"""Exports: the list of formats, and the files."""

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from judgments.campaigns import overview
from judgments.exchange import references
from judgments.exchange.downloads import ExportOptionsForm, file_of
from judgments.exchange.exporters import EXPORTS
from judgments.exchange.exporters.corrections import has_corrections
from judgments.models import Campaign
from judgments.protocols import protocol_of
from judgments.web.views.shared import campaign_page, refusals_as_messages


@campaign_page("GET")
def exports(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    has_references = has_corrections(protocol_of(campaign))
    page = {
        "campaign": campaign,
        "formats": [export for export in EXPORTS.values() if not export.fault(campaign)],
        "others": [export.name for export in EXPORTS.values() if export.fault(campaign)],
        "has_judgments": overview.has_judgments(campaign),
        "has_references": has_references,
        "matching": references.matching_campaigns(request.user, campaign) if has_references else [],
    }
    return render(request, "judgments/exports.html", page)


@campaign_page("GET")
def export(request: HttpRequest, campaign: Campaign, name: str) -> HttpResponseBase:
    with refusals_as_messages(request):
        return file_of(campaign, name, ExportOptionsForm(request.GET).options())
    return redirect("exports", campaign.slug)
