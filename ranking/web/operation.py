"""The operators' page: jobs, queues and processes, with buttons to queue jobs again or cancel them."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone

from judgments.campaigns.access import check_operates, jobs_named
from judgments.jobs.control import cancel_or_refuse, queue_again
from judgments.judges import signing_in
from judgments.models import Job, heartbeats
from judgments.web.views.shared import english_page, refusals_as_messages
from ranking import operations


@english_page("GET")
def operation(request: HttpRequest) -> HttpResponse:
    check_operates(request.user)
    now = timezone.now()
    queues, (workers, beat) = operations.queue_lengths(), operations.processes()
    page = {
        "queues": queues,
        # No live worker serves these.
        "unattended": sorted((queues or {}).keys() - heartbeats.queues_served(workers, now)),
        "workers": [(worker, worker.is_silent(now)) for worker in workers],
        "beat": beat,
        "beat_is_silent": beat is not None and beat.is_silent(now),
        "unfinished": operations.unfinished_jobs(now),
        "failed": operations.failed_jobs(now),
        "failed_lately": operations.FAILED_LATELY,
        "space": operations.space(),
        "held_up": signing_in.count_locked_out(now),
        "versions": operations.versions(),
    }
    return render(request, "ranking/operation.html", page)


@english_page("POST")
def queue_job_again(request: HttpRequest, kind: str, pk: int) -> HttpResponse:
    """Queue a failed or stuck job again."""
    return _act_on_job(request, kind, pk, queue_again, "is in the queue again")


@english_page("POST")
def give_up_job(request: HttpRequest, kind: str, pk: int) -> HttpResponse:
    """Cancel somebody else's job."""
    return _act_on_job(request, kind, pk, cancel_or_refuse, "was cancelled; none of its results were stored")


def _act_on_job(
    request: HttpRequest, kind: str, pk: int, act: Callable[[Job], object], what_happened: str
) -> HttpResponse:
    check_operates(request.user)
    job = get_object_or_404(jobs_named(kind), id=pk)
    with refusals_as_messages(request):
        act(job)
        messages.success(request, f"The {job._meta.verbose_name} {what_happened}.")
    return redirect("operation")
