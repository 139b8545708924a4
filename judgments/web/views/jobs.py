"""Jobs of every kind: their progress, for the waiting page, and cancelling."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from judgments.campaigns import access
from judgments.jobs.control import cancel_or_refuse
from judgments.web.views.shared import in_english, refusals_as_messages


@require_safe
@login_required
def job_state(request: HttpRequest, kind: str, pk: int) -> JsonResponse:
    return JsonResponse(access.job_of(request.user, kind, pk).progress_now())


@require_POST
@login_required
@in_english
def cancel_job(request: HttpRequest, kind: str, pk: int) -> HttpResponse:
    job = access.job_of(request.user, kind, pk)
    with refusals_as_messages(request):
        cancel_or_refuse(job)
    return redirect(job)
