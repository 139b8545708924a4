"""Importing judgments collected elsewhere: a file is uploaded, previewed, and stored."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from judgments.actions.importing import JUDGMENTS, CheckJudgments, ImportJudgments
from judgments.campaigns import access
from judgments.exchange.importers.importing import kind_for
from judgments.material.uploads import MOST_BYTES, too_large
from judgments.models import Campaign, Upload
from judgments.web.actions import carry_out
from judgments.web.views.shared import campaign_page, english_page, takes_files


@campaign_page("GET", "POST")
@takes_files(too_large)
def import_judgments(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    kind, form = kind_for(campaign), None
    if kind:
        given = {"data": request.POST, "files": request.FILES} if request.method == "POST" else {}
        form = ImportJudgments(campaign, user=request.user, **given)
        if done := carry_out(request, form):
            return done
    page = {
        "campaign": campaign,
        "kind": kind,
        "form": form,
        "uploads": Upload.objects.not_stored(campaign).filter(about=JUDGMENTS),
        "most_bytes": MOST_BYTES,
    }
    return render(request, "judgments/import_judgments.html", page)


@english_page("GET")
def judgments_upload(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the progress of the job, the preview, or what was stored."""
    upload = access.get_upload_or_404(request.user, slug, pk, about=JUDGMENTS)
    form = CheckJudgments(upload.campaign, upload)
    page = {"campaign": upload.campaign, "upload": upload, "form": form, "preview": upload.preview}
    return render(request, "judgments/judgments_upload.html", page)
