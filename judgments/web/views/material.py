"""The material of a campaign: its systems, what is said of them, and files on their way in."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from judgments.campaigns import access, overview
from judgments.material import storing, systems
from judgments.material.upload_handlers import handler_for
from judgments.models import Campaign
from judgments.protocols import protocol_of
from judgments.rules.errors import Refused
from judgments.web.charts.distinct_outputs import distinct_outputs
from judgments.web.forms.material import MOST_BYTES, FilesForm, SystemForm, UploadForm
from judgments.web.views.shared import in_english


@require_safe
@login_required
@in_english
def material(request: HttpRequest, slug: str) -> HttpResponse:
    """The systems, and the form for files."""
    campaign = access.campaign_to_organise(request.user, slug)
    return show_material(request, campaign, upload_form(campaign)())


def upload_form(campaign: Campaign) -> type[FilesForm]:
    """By which files are handed in."""
    return UploadForm if handler_for(campaign).has_roles else FilesForm


def show_material(request: HttpRequest, campaign: Campaign, form: FilesForm) -> HttpResponse:
    """The page of the material, with its form empty or as it was filled in."""
    page = {
        "campaign": campaign,
        "progress": overview.progress(campaign),
        "systems": overview.systems(campaign),
        "distinct": distinct_outputs(overview.distinct_outputs(campaign)),
        "uploads": overview.unfinished_uploads(campaign),
        "compares": protocol_of(campaign).has_candidates,
        "usages": overview.usages(campaign),
        "is_closed": campaign.state in (Campaign.State.CLOSED, Campaign.State.ARCHIVED),
        "form": form,
        "most_bytes": MOST_BYTES,
    }
    return render(request, "judgments/material.html", page)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@in_english
def system(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Rename a system, say what it is, leave it out or take it in."""
    system = access.system_of(request.user, slug, pk)
    has_screens = storing.has_screens(system.campaign)
    form = SystemForm(request.POST if request.method == "POST" else None, system=system, has_screens=has_screens)
    if form.is_valid():
        try:
            changed = systems.change(system, **form.wishes())
        except Refused as reason:
            form.add_error(None, str(reason))
        else:
            messages.success(request, f"{changed.name} is saved.")
            return redirect("material", slug)
    page = {"campaign": system.campaign, "system": system, "has_screens": has_screens, "form": form}
    return render(request, "judgments/system.html", page)
