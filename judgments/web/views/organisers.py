"""Who runs a campaign: organisers, and observers who only see it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from judgments.campaigns import access, settings
from judgments.judges import invitations
from judgments.judges import organisers as services
from judgments.models import Campaign, Membership
from judgments.web.forms.judges import ObserverForm, OrganiserForm
from judgments.web.views.shared import campaign_page, refusals_as_errors, refusals_as_messages


@campaign_page("GET", observers=False)
def organisers(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    return _listed(request, campaign, OrganiserForm(), ObserverForm())


@campaign_page("POST")
def add_organiser(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    form = OrganiserForm(request.POST)
    if form.is_valid():
        with refusals_as_errors(form, "username"):
            member = settings.make_organiser(campaign, form.cleaned_data["username"])
            messages.success(request, f"{member.username} organises this campaign now.")
            return redirect("organisers", campaign.slug)
    return _listed(request, campaign, form, ObserverForm())


@campaign_page("POST")
def invite_observers(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    form = ObserverForm(request.POST)
    if form.is_valid():
        with refusals_as_errors(form, "pseudonyms"):
            made = invitations.invite(campaign, **form.cleaned_data, role=Membership.Role.OBSERVER)
            messages.success(request, f"{len(made)} invited. Give each observer the link below.")
            return redirect("organisers", campaign.slug)
    return _listed(request, campaign, OrganiserForm(), form)


@campaign_page("POST")
def remove_organiser(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    member = access.runner_of(campaign, pk)
    with refusals_as_messages(request):
        services.remove(member)
        messages.success(request, f"{member.pseudonym} was removed.")
    if access.is_organiser(request.user, campaign):
        return redirect("organisers", campaign.slug)
    return redirect("home")


def _listed(request: HttpRequest, campaign: Campaign, adding: OrganiserForm, inviting: ObserverForm) -> HttpResponse:
    page = {
        "campaign": campaign,
        "members": services.organisers(campaign),
        "links": services.unused_links(campaign),
        "adding": adding,
        "inviting": inviting,
    }
    return render(request, "judgments/organisers.html", page)
