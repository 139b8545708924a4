"""Helpers of several pages: where a judge goes next, refusals as messages, pages in English."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import translation

from judgments.assignment import claiming
from judgments.judges.onboarding import NotPrepared
from judgments.models import Membership
from judgments.rules.errors import Refused


def in_english(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Render the page in English whatever the reader's language, rather than in a mixture."""

    @wraps(view)
    def show(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        with translation.override("en"):
            answer = view(request, *args, **kwargs)
        answer.headers["Content-Language"] = "en"
        return answer

    return show


def go_on(request: HttpRequest, judge: Membership) -> HttpResponse:
    """Redirect to the next assignment, or to the page that explains why there is none."""
    try:
        assignment = claiming.claim_next(judge)
    except NotPrepared as missing:
        return redirect(missing.step.value, judge.campaign.slug)
    except Refused as reason:
        messages.error(request, str(reason))
        return redirect("campaign", judge.campaign.slug)
    if assignment:
        return redirect("assignment", assignment.pk)
    claiming.finish_batch(judge)
    return redirect("thanks", judge.campaign.slug)


@contextmanager
def refusals_as_messages(request: HttpRequest) -> Iterator[None]:
    """Show refusals raised inside as messages."""
    try:
        yield
    except Refused as reason:
        messages.error(request, str(reason))


BESIDES = 2**20  # what a request holds besides the files
AT_ONCE = 2**16


def is_too_much(request: HttpRequest, most_bytes: int) -> bool:
    """Whether the request is too large; it is then read to its end, as browsers show no answer before."""
    length = request.META.get("CONTENT_LENGTH") or ""
    if not (length.isascii() and length.isdigit()) or int(length) <= most_bytes + BESIDES:
        return False
    while request.read(AT_ONCE):
        pass
    return True
