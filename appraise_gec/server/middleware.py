"""Middleware for every answer: request ids, logs and metrics, the acting user, caching, and help for wrong methods."""

import logging
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.template.loader import render_to_string
from django.utils.cache import add_never_cache_headers
from prometheus_client import Histogram

from appraise_gec import logs
from judgments.models.journal import acting

REQUESTS = logging.getLogger("appraise_gec.requests")


def noted(answer_to: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Give every request an id, log one line about it, and count it."""

    def answer(request: HttpRequest) -> HttpResponse:
        number = logs.request_id_of(request.META.get("HTTP_X_REQUEST_ID", ""))
        request.META["REQUEST_ID"] = number
        # Stays until the next request of this thread: what is streamed after us is about this one too.
        logs.request_id.set(number)
        begun = time.perf_counter()
        response = answer_to(request)
        seconds = time.perf_counter() - begun
        response["X-Request-ID"] = number
        fields = _described(request, response, seconds)
        REQUESTS.info("%(method)s %(path)s %(status)s in %(ms)s ms", fields, extra={"fields": fields})
        count(request, response, seconds)
        return response

    return answer


def _described(request: HttpRequest, response: HttpResponse, seconds: float) -> dict[str, Any]:
    """Describe a request for the log, without query strings and tokens."""
    fields = {
        "method": request.method,
        "path": logs.masked(request.path),
        "status": response.status_code,
        "ms": round(1000 * seconds),
        "bytes": None if response.streaming else len(response.content),
        # Only if somebody asked who it is: the line alone is no reason to ask the database.
        "user": getattr(getattr(request, "_cached_user", None), "pk", None),
    }
    return {name: value for name, value in fields.items() if value is not None}


def acted(answer_to: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Attribute everything done during the request to the user who is signed in."""

    def answer(request: HttpRequest) -> HttpResponse:
        with acting(lambda: request.user.get_username()):
            return answer_to(request)

    return answer


def legible(answer_to: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Drop cookies with a NUL: they are not ours, and PostgreSQL could not look them up."""

    def answer(request: HttpRequest) -> HttpResponse:
        for name in [name for name, value in request.COOKIES.items() if "\0" in value]:
            del request.COOKIES[name]
        return answer_to(request)

    return answer


def bounded(answer_to: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Refuse oversized requests before any file is read. No server reads beyond the length that a request states."""

    def answer(request: HttpRequest) -> HttpResponse:
        try:
            length = int(request.META.get("CONTENT_LENGTH") or 0)
        except ValueError:
            length = 0  # as Django reads it
        if length > settings.MOST_BYTES_OF_A_REQUEST:
            raise RequestDataTooBig("The files are larger than all that can be uploaded at once.")
        return answer_to(request)

    return answer


def explained(answer_to: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Show a page, not an empty answer, to people who follow a link to the address of a form."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = answer_to(request)
        if isinstance(response, HttpResponseNotAllowed) and not response.content:
            response.content = render_to_string("405.html", request=request)
        return response

    return answer


def never_kept(answer_to: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Forbid caching: pages hold links that let people in, and change all the time."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = answer_to(request)
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response

    return answer


VERBS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
# Judges feel a tenth of a second; after half a minute proxies give up.
SECONDS = Histogram(
    "appraise_request_seconds",
    "Requests and how long they took until their answer began, by the name of their address.",
    ["route", "method", "status"],
    buckets=(0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)


def count(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    """Label by our own names only, so that strangers cannot create new rows."""
    found = request.resolver_match
    route = (found.url_name or found.view_name) if found else "none"
    method = request.method if request.method in VERBS else "other"
    SECONDS.labels(route, method, f"{response.status_code // 100}xx").observe(seconds)
