"""How the platform runs, for those who run it: what waits and what failed, and a way to queue it again or end it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from judgments.campaigns.access import check_operates
from judgments.jobs.attempts import cancel, queue_again
from judgments.judges import signing_in
from judgments.models import Work
from judgments.web.views.shared import in_english, refusals_as_messages
from ranking import operations, tasks


@require_safe
@login_required
@in_english
def operation(request: HttpRequest) -> HttpResponse:
    """Everything at a glance."""
    check_operates(request.user)
    now = timezone.now()
    queues, heard = operations.queue_lengths(), operations.heard()
    page = {
        "queues": queues,
        "unattended": heard.unattended(queues or {}, now),
        "workers": [(sign, sign.is_silent(now)) for sign in heard.workers],
        "beat": heard.beat,
        "beat_is_silent": heard.beat is not None and heard.beat.is_silent(now),
        "going_on": operations.going_on(now),
        "failed": operations.failed(now),
        "failed_lately": operations.FAILED_LATELY,
        "space": operations.space(),
        "held_up": signing_in.held_up(now),
        "versions": operations.versions(),
    }
    return render(request, "ranking/operation.html", page)


@require_POST
@login_required
@in_english
def queue_work_again(request: HttpRequest, kind: str, pk: int) -> HttpResponse:
    """Once more for what failed, or what nobody is at."""
    work = _work(request, kind, pk)
    with refusals_as_messages(request):
        queue_again(work)
        tasks.enqueue_any(work)
        messages.success(request, f"The {kind} is in the queue again.")
    return redirect("operation")


@require_POST
@login_required
@in_english
def give_up_work(request: HttpRequest, kind: str, pk: int) -> HttpResponse:
    """End what waits or goes on."""
    work = _work(request, kind, pk)
    with refusals_as_messages(request):
        if cancel(work):
            messages.success(request, f"The {kind} is given up; nothing of it was stored.")
        else:
            messages.error(request, "This was over already.")
    return redirect("operation")


def _work(request: HttpRequest, kind: str, pk: int) -> Work:
    check_operates(request.user)
    if kind not in operations.KINDS:
        raise Http404("There is no work of this kind.")
    return get_object_or_404(operations.KINDS[kind], pk=pk)
