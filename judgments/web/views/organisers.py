"""Who runs a campaign: organisers, and observers who only see it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from judgments.actions.campaigns import AddOrganiser
from judgments.judges import invitations
from judgments.judges import people as services
from judgments.models import Campaign, Membership
from judgments.web.forms.judges import ObserverForm
from judgments.web.views.shared import campaign_page, refusals_as_errors


@campaign_page("GET", observers=False)
def organisers(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    return _listed(request, campaign, ObserverForm())


@campaign_page("POST")
def invite_observers(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    form = ObserverForm(request.POST)
    if form.is_valid():
        with refusals_as_errors(form, "pseudonyms"):
            made = invitations.invite(campaign, **form.cleaned_data, role=Membership.Role.OBSERVER)
            messages.success(request, f"{len(made)} invited. Give each observer the link below.")
            return redirect("organisers", campaign.slug)
    return _listed(request, campaign, form)


def _listed(request: HttpRequest, campaign: Campaign, inviting: ObserverForm) -> HttpResponse:
    page = {
        "campaign": campaign,
        "members": services.organisers(campaign),
        "links": services.unused_links(campaign),
        "adding": AddOrganiser(campaign),
        "inviting": inviting,
    }
    return render(request, "judgments/organisers.html", page)
