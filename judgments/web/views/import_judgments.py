"""Importing judgments collected elsewhere: a file is uploaded, previewed, and stored."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from judgments.campaigns import access, overview
from judgments.exchange.importers.importing import BY_FORMAT, kind_for
from judgments.exchange.importers.rules.recorded import ImportOptions
from judgments.material import uploads
from judgments.material.uploads import MOST_BYTES, too_large
from judgments.models import Campaign, Upload
from judgments.rules.request_sizes import is_too_much
from judgments.web.forms.import_judgments import JudgmentsForm, OptionsForm
from judgments.web.views.shared import (
    campaign_page,
    english_page,
    refusals_as_errors,
    refusals_as_messages,
)

JUDGMENTS = Upload.Purpose.JUDGMENTS


@csrf_exempt  # checking the token reads the whole request, so `_take_file` checks it after the size
@campaign_page("GET", "POST")
def import_judgments(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    if request.method == "POST" and is_too_much(request.META, MOST_BYTES):
        messages.error(request, too_large())
        return redirect("import_judgments", campaign.slug)
    return _take_file(request, campaign)


@csrf_protect
def _take_file(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    kind, form = kind_for(campaign), None
    if kind:
        given = (request.POST, request.FILES) if request.method == "POST" else ()
        form = JudgmentsForm(*given, kind=kind, has_outputs=overview.has_outputs(campaign))
        if form.is_valid():
            with refusals_as_errors(form):
                files = [form.file_sent()]
                return redirect(uploads.upload_files(campaign, request.user, files, form.options(), JUDGMENTS))
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
    return _show(request, upload, _options_form(upload))


def _options_form(upload: Upload, *given: object) -> OptionsForm:
    options, has_outputs = ImportOptions.read(upload.options), overview.has_outputs(upload.campaign)
    kind, initial = BY_FORMAT[options.file_format], OptionsForm.initial_of(options)
    return OptionsForm(*given, kind=kind, has_outputs=has_outputs, initial=initial)


def _show(request: HttpRequest, upload: Upload, form: OptionsForm) -> HttpResponse:
    page = {"campaign": upload.campaign, "upload": upload, "form": form, "preview": upload.preview}
    return render(request, "judgments/judgments_upload.html", page)


@english_page("POST")
def check_judgments(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Read the file again in another way."""
    upload = access.get_upload_or_404(request.user, slug, pk, about=JUDGMENTS)
    form = _options_form(upload, request.POST)
    if not form.is_valid():
        return _show(request, upload, form)
    with refusals_as_messages(request):
        uploads.check_again(upload, form.options())
    return redirect(upload)
