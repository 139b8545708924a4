"""Jobs of every kind: their progress, for the waiting page, and cancelling."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect

from judgments.campaigns import access
from judgments.jobs.control import cancel_or_refuse
from judgments.web.views.shared import english_page, refusals_as_messages


@english_page("GET")
def job_state(request: HttpRequest, kind: str, pk: int) -> JsonResponse:
    return JsonResponse(access.job_of(request.user, kind, pk).progress_now())


@english_page("POST")
def cancel_job(request: HttpRequest, kind: str, pk: int) -> HttpResponse:
    job = access.job_of(request.user, kind, pk)
    with refusals_as_messages(request):
        cancel_or_refuse(job)
    return redirect(job)
