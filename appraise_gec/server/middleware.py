"""Middleware: request ids, logs and metrics, the acting user, cookies, sizes, caching, and a page for wrong methods."""

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
from judgments.rules.request_sizes import declared_length
from judgments.rules.tracing import request_id

REQUESTS = logging.getLogger("appraise_gec.requests")
GetResponse = Callable[[HttpRequest], HttpResponse]


def log_requests(get_response: GetResponse) -> GetResponse:
    """Give every request an id, log one line about it, and count it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        number = logs.request_id_of(request.META.get("HTTP_X_REQUEST_ID", ""))
        request.META["REQUEST_ID"] = number
        # Not reset afterwards, so that it also marks log lines written while a response is streamed.
        request_id.set(number)
        begun = time.perf_counter()
        response = get_response(request)
        seconds = time.perf_counter() - begun
        response["X-Request-ID"] = number
        fields = _described(request, response, seconds)
        REQUESTS.info("%(method)s %(path)s %(status)s in %(ms)s ms", fields, extra={"fields": fields})
        count(request, response, seconds)
        return response

    return middleware


def _described(request: HttpRequest, response: HttpResponse, seconds: float) -> dict[str, Any]:
    """Describe a request for the log, without query strings and tokens."""
    fields = {
        "method": request.method,
        "path": logs.mask_secrets(request.path),
        "status": response.status_code,
        "ms": round(1000 * seconds),
        "bytes": None if response.streaming else len(response.content),
        # Only if a view loaded the user: the log line is not worth a query.
        "user": getattr(getattr(request, "_cached_user", None), "pk", None),
    }
    return {name: value for name, value in fields.items() if value is not None}


def attribute_actions(get_response: GetResponse) -> GetResponse:
    """Attribute everything done during a request to the signed-in user."""

    def middleware(request: HttpRequest) -> HttpResponse:
        with acting(lambda: request.user.get_username()):
            return get_response(request)

    return middleware


def drop_nul_cookies(get_response: GetResponse) -> GetResponse:
    """Drop cookies with a NUL, which the platform never sets and PostgreSQL cannot look up."""

    def middleware(request: HttpRequest) -> HttpResponse:
        for name in [name for name, value in request.COOKIES.items() if "\0" in value]:
            del request.COOKIES[name]
        return get_response(request)

    return middleware


def limit_request_size(get_response: GetResponse) -> GetResponse:
    """Refuse oversized requests before any file is read; no server reads beyond the declared length."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if declared_length(request.META) > settings.MOST_BYTES_OF_A_REQUEST:
            raise RequestDataTooBig("The files are too large for one request.")
        return get_response(request)

    return middleware


def explain_wrong_methods(get_response: GetResponse) -> GetResponse:
    """Show a page, not an empty response, to people who open the address of a form."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if isinstance(response, HttpResponseNotAllowed) and not response.content:
            response.content = render_to_string("405.html", request=request)
        return response

    return middleware


def forbid_caching(get_response: GetResponse) -> GetResponse:
    """Forbid caching: pages contain links that admit without a password, and change all the time."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response

    return middleware


VERBS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
# Judges notice a tenth of a second; proxies give up after half a minute.
SECONDS = Histogram(
    "appraise_request_seconds",
    "Seconds until the response began, by route.",
    ["route", "method", "status"],
    buckets=(0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)


def count(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    """Use only known labels, so that clients cannot create new time series."""
    found = request.resolver_match
    route = (found.url_name or found.view_name) if found else "none"
    method = request.method if request.method in VERBS else "other"
    SECONDS.labels(route, method, f"{response.status_code // 100}xx").observe(seconds)
