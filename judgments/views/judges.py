"""The judges of a campaign: who they are, their links, and who may come in."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from judgments import access, invitations, overview
from judgments.faults import Refused
from judgments.forms.links import InvitationForm, RevokeForm, SharedLinkForm
from judgments.views.english import in_english


@require_safe
@login_required
@in_english
def judges(request: HttpRequest, slug: str) -> HttpResponse:
    """All judges, and the ways to invite more."""
    campaign = access.campaign_to_organise(request.user, slug)
    page = {
        "campaign": campaign,
        "judges": overview.judges(campaign),
        "invitations": overview.open_invitations(campaign),
        "shared_links": overview.shared_links(campaign),
        "invitation_form": InvitationForm(auto_id="invitation_%s"),
        "shared_link_form": SharedLinkForm(auto_id="shared_link_%s"),
    }
    return render(request, "judgments/judges.html", page)


@require_POST
@login_required
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Make personal links for new judges."""
    campaign = access.campaign_to_organise(request.user, slug)
    form = InvitationForm(request.POST)
    if form.is_valid():
        try:
            made = invitations.invite(campaign, **form.cleaned_data)
            messages.success(request, f"{len(made)} invited. Give each judge the link below.")
        except Refused as reason:
            messages.error(request, str(reason))
    else:
        messages.error(request, f"Nobody was invited: {_first_error(form)}")
    return redirect("judges", slug)


@require_POST
@login_required
def share(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a link by which many can join."""
    campaign = access.campaign_to_organise(request.user, slug)
    form = SharedLinkForm(request.POST)
    if form.is_valid():
        invitations.share(campaign, **form.cleaned_data)
        messages.success(request, "Here is the link, in the table below.")
    else:
        messages.error(request, f"No link was made: {_first_error(form)}")
    return redirect("judges", slug)


@require_POST
@login_required
def revoke(request: HttpRequest, slug: str) -> HttpResponse:
    """Let nobody in by a link any more."""
    campaign = access.campaign_to_organise(request.user, slug)
    form = RevokeForm(request.POST)
    if form.is_valid():
        invitations.revoke(access.link_to_revoke(campaign, form.cleaned_data["token"]))
        messages.success(request, "The link lets nobody in any more. What was judged by it stays.")
    return redirect("judges", slug)


def _first_error(form: Form) -> str:
    return " ".join(str(error) for errors in form.errors.values() for error in errors)
