"""Who runs a campaign: organisers, and observers who only see it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from judgments.actions.campaigns import AddOrganiser
from judgments.actions.links import InviteObservers
from judgments.judges import people as services
from judgments.models import Campaign
from judgments.web.views.shared import campaign_page


@campaign_page("GET", observers=False)
def organisers(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    page = {
        "campaign": campaign,
        "members": services.organisers(campaign),
        "links": services.unused_links(campaign),
        "adding": AddOrganiser(campaign),
        "inviting": InviteObservers(campaign),
    }
    return render(request, "judgments/organisers.html", page)
