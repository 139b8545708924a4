"""Taking a campaign along: the formats, and each as a file."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from judgments import access, overview
from judgments.exports import EXPORTS, Wishes
from judgments.faults import Refused
from judgments.forms.exports import WishesForm
from judgments.models import Campaign
from judgments.views.english import in_english


@require_safe
@login_required
@in_english
def exports(request: HttpRequest, slug: str) -> HttpResponse:
    """All formats with a sentence each."""
    campaign = access.campaign_to_organise(request.user, slug)
    formats = [(export, export.fault(campaign)) for export in EXPORTS.values()]
    page = {"campaign": campaign, "formats": formats, "has_judgments": overview.has_judgments(campaign)}
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


def file_of(campaign: Campaign, name: str, wishes: Wishes) -> HttpResponseBase:
    """A file that is sent while it is made."""
    if name not in EXPORTS:
        raise Http404(f"There is no such format; there are {', '.join(EXPORTS)}.")
    chosen = EXPORTS[name]
    headers = {"Content-Disposition": f'attachment; filename="{chosen.file_name(campaign)}"'}
    return StreamingHttpResponse(chosen.blocks(campaign, wishes), content_type=chosen.content_type, headers=headers)
