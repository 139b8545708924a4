"""A campaign from a bundle: hand it in, see how far it is, go to the campaign."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from judgments import tasks
from judgments.archive import import_job
from judgments.archive.import_job import too_large_a_bundle
from judgments.campaigns import access
from judgments.jobs import attempts
from judgments.material.uploads import MOST_BYTES
from judgments.rules.errors import Refused
from judgments.web.forms.campaigns import BundleForm
from judgments.web.views.shared import in_english, is_too_much, refusals_as_messages


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
            bundle = import_job.hand_in(request.user, given["bundle"].name, given["bundle"].read(), given["slug"])
        except Refused as reason:
            form.add_error("slug", str(reason))
        else:
            tasks.enqueue(bundle)
            return redirect("show_import", bundle.pk)
    return render(request, "judgments/new_import.html", {"form": form, "most_bytes": MOST_BYTES})


@require_safe
@login_required
@in_english
def show_import(request: HttpRequest, pk: int) -> HttpResponse:
    """How far it is, what was wrong, or the campaign that was made."""
    bundle = access.import_of(request.user, pk)
    if bundle.state == bundle.State.DONE and bundle.campaign:
        messages.success(request, f"{bundle.campaign.slug} is there. Invite its judges anew; they have no links here.")
        return redirect("organise", bundle.campaign.slug)
    return render(request, "judgments/show_import.html", {"bundle": bundle})


@require_safe
@login_required
def import_state(request: HttpRequest, pk: int) -> JsonResponse:
    """How far the work is, for the page that waits."""
    return JsonResponse(access.import_of(request.user, pk).told())


@require_POST
@login_required
@in_english
def cancel_import(request: HttpRequest, pk: int) -> HttpResponse:
    """Stop the import."""
    bundle = access.import_of(request.user, pk)
    with refusals_as_messages(request):
        if not attempts.cancel(bundle):
            messages.error(request, "This was over already.")
    return redirect("show_import", pk)
