"""A campaign from a bundle: upload it, follow its import, go to the campaign."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_safe

from judgments.archive import import_job as importing
from judgments.archive.import_job import too_large_a_bundle
from judgments.campaigns import access
from judgments.material.uploads import MOST_BYTES
from judgments.models import ImportJob
from judgments.rules.errors import Refused
from judgments.web.forms.campaigns import BundleForm
from judgments.web.views.shared import in_english, is_too_much


@csrf_exempt  # asking for the token would read the whole request; `_take_in` asks once its size is known
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@in_english
def new_import(request: HttpRequest) -> HttpResponse:
    """The form for a bundle."""
    access.check_may_make_campaigns(request.user)
    if request.method == "POST" and is_too_much(request, MOST_BYTES):
        messages.error(request, too_large_a_bundle())
        return redirect("new_import")
    return _take_in(request)


@csrf_protect
def _take_in(request: HttpRequest) -> HttpResponse:
    form = BundleForm(request.POST, request.FILES) if request.method == "POST" else BundleForm()
    if form.is_valid():
        given = form.cleaned_data
        try:
            job = importing.request(request.user, given["bundle"].name, given["bundle"].read(), given["slug"])
        except Refused as reason:
            form.add_error("slug", str(reason))
        else:
            return redirect(job)
    return render(request, "judgments/new_import.html", {"form": form, "most_bytes": MOST_BYTES})


@require_safe
@login_required
@in_english
def import_job(request: HttpRequest, pk: int) -> HttpResponse:
    """How far the import is, what was wrong, or the campaign that was made."""
    job = access.job_of(request.user, ImportJob.kind, pk)
    if job.state == job.State.DONE and job.campaign:
        messages.success(
            request, f"{job.campaign.slug} was imported. Invite its judges anew; their links were not imported."
        )
        return redirect("organise", job.campaign.slug)
    return render(request, "judgments/import_job.html", {"job": job})
