"""The material of a campaign: its systems, what is said of them, and files on their way in."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from judgments import access, intake, overview, systems
from judgments.faults import Refused
from judgments.forms.material import KINDS, MOST_BYTES, SystemForm, UploadForm
from judgments.models import Campaign
from judgments.views.english import in_english


@require_safe
@login_required
@in_english
def material(request: HttpRequest, slug: str) -> HttpResponse:
    """The systems, and the form for files."""
    return show_material(request, access.campaign_to_organise(request.user, slug), UploadForm())


def show_material(request: HttpRequest, campaign: Campaign, form: UploadForm) -> HttpResponse:
    """The page of the material, with its form empty or as it was filled in."""
    page = {
        "campaign": campaign,
        "progress": overview.progress(campaign),
        "systems": overview.systems(campaign),
        "uploads": overview.unfinished_uploads(campaign),
        "is_dealt": intake.is_dealt(campaign),
        "is_closed": campaign.state in (Campaign.State.CLOSED, Campaign.State.ARCHIVED),
        "form": form,
        "kinds": KINDS,
        "most_bytes": MOST_BYTES,
    }
    return render(request, "judgments/material.html", page)


@require_POST
@login_required
@in_english
def change_system(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Rename a system, say what it is, leave it out or take it in."""
    system = access.system_of(request.user, slug, pk)
    form = SystemForm(request.POST)
    if form.is_valid():
        try:
            changed = systems.change(system, **form.cleaned_data)
            messages.success(request, f"{changed.name} is changed.")
        except Refused as reason:
            messages.error(request, str(reason))
    else:
        faults = " ".join(str(error) for errors in form.errors.values() for error in errors)
        messages.error(request, f"{system.name} was not changed: {faults}")
    return redirect("material", slug)
