"""Uploads: send files, preview them, set roles, store or discard them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST, require_safe

from judgments.campaigns import access
from judgments.material import uploads
from judgments.material.rules.preview import Preview
from judgments.material.rules.reading import Roles
from judgments.material.upload_handlers import handler_for
from judgments.material.uploads import MOST_BYTES, too_large, too_many
from judgments.models import Campaign, Upload
from judgments.protocols import protocol_of
from judgments.rules.errors import Refused
from judgments.web.charts.distinct_outputs import distinct_outputs
from judgments.web.forms.material import RolesForm, StoreForm
from judgments.web.views.material import show_material, upload_form
from judgments.web.views.shared import in_english, is_too_much, refusals_as_messages


@csrf_exempt  # asking for the token would read the whole request; `_take_in` asks once its size is known
@require_POST
@login_required
@in_english
def new_upload(request: HttpRequest, slug: str) -> HttpResponse:
    """Accept files unless they are too large."""
    campaign = access.campaign_to_organise(request.user, slug)
    if is_too_much(request, MOST_BYTES):
        return _refuse(request, campaign, too_large())
    try:
        return _take_in(request, campaign)
    except TooManyFilesSent:
        return _refuse(request, campaign, too_many())


@csrf_protect
def _take_in(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    form = upload_form(campaign)(request.POST, request.FILES)
    if not form.is_valid():
        return show_material(request, campaign, form)
    try:
        upload = uploads.upload_files(campaign, request.user, form.handed_in(), form.roles())
    except Refused as reason:
        return _refuse(request, campaign, str(reason))
    return redirect(upload)


def _refuse(request: HttpRequest, campaign: Campaign, why: str) -> HttpResponse:
    messages.error(request, why)
    return show_material(request, campaign, upload_form(campaign)())


@require_safe
@login_required
@in_english
def upload(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the progress of the job, the preview, or what was stored."""
    upload = access.upload_of(request.user, slug, pk)
    return _show(request, upload, RolesForm(names=upload.names, roles=Roles.read(upload.roles)))


def _show(request: HttpRequest, upload: Upload, form: RolesForm) -> HttpResponse:
    kind = handler_for(upload.campaign)
    preview = kind.read_preview(upload.preview) if upload.preview and not upload.is_stored else None
    page = {
        "campaign": upload.campaign,
        "upload": upload,
        "preview": preview,
        "has_roles": kind.has_roles,
        "compares": protocol_of(upload.campaign).has_candidates,
        "distinct": distinct_outputs(dict(preview.distinct)) if isinstance(preview, Preview) else None,
        "form": form,
    }
    return render(request, "judgments/upload.html", page)


@require_POST
@login_required
@in_english
def check_upload(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Check the files again with new roles."""
    upload = access.upload_of(request.user, slug, pk)
    form = RolesForm(request.POST, names=upload.names, roles=Roles.read(upload.roles))
    if not form.is_valid():
        return _show(request, upload, form)
    with refusals_as_messages(request):
        uploads.check_again(upload, form.roles())
    return redirect("upload", slug, pk)


@require_POST
@login_required
@in_english
def store_upload(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Store the files as material."""
    upload = access.upload_of(request.user, slug, pk)
    form = StoreForm(request.POST)
    if form.is_valid():
        with refusals_as_messages(request):
            uploads.request_storing(upload, form.cleaned_data["asked"])
    return redirect("upload", slug, pk)


@require_POST
@login_required
@in_english
def throw_away_upload(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    campaign = access.campaign_to_organise(request.user, slug)
    try:
        uploads.discard(campaign, pk)
    except Refused as reason:
        messages.error(request, str(reason))
        return redirect("upload", slug, pk)
    messages.success(request, "The files are thrown away. Nothing was stored.")
    return redirect("material", slug)
