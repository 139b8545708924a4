"""Responses to errors outside views: the database is unavailable or too slow, a request is malformed."""

import logging
import sys
from collections.abc import Callable
from http import HTTPStatus

from django.contrib.sessions.exceptions import SessionInterrupted
from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.defaults import bad_request

from appraise_gec import logs
from judgments.api.base.problems import error_response

CANCELLED = "57014"  # PostgreSQL's query_canceled
# SQLite raises OperationalError for these too, but the cause is a bug or a missing migration, not an outage.
NOT_AN_OUTAGE = ("no such table", "no such column")
SECONDS_TO_WAIT = 5

TOO_LONG = "This took the database too long and was stopped. Nothing was changed; try again later, or request less."
UNAVAILABLE = (
    "The database cannot be reached at the moment. Everything we confirmed as saved is safe; try again in a moment."
)

_LOG = logging.getLogger("appraise_gec.server.errors")


class Outages:
    """Middleware that explains database outages."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]):
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return _outage_response(request, error)


def server_error(request: HttpRequest) -> HttpResponse:
    """Handle errors outside views too, for example while the session is saved."""
    return _outage_response(request, sys.exc_info()[1]) or error_response(request)


def _outage_response(request: HttpRequest, error: BaseException | None) -> HttpResponse | None:
    if not isinstance(error, OperationalError | InterfaceError) or str(error).startswith(NOT_AN_OUTAGE):
        return None
    # Only the first line of the error: the others may quote user input.
    _LOG.error("%s: %s", logs.mask_secrets(request.path), str(error).split("\n", 1)[0])
    is_too_long = getattr(error.__cause__, "pgcode", None) == CANCELLED
    detail = TOO_LONG if is_too_long else UNAVAILABLE
    response = error_response(request, HTTPStatus.SERVICE_UNAVAILABLE, detail, is_too_long=is_too_long)
    response["Retry-After"] = str(SECONDS_TO_WAIT)
    return response


def bad_request_or_redirect(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Redirect a double sign-in to the page, where the user is signed in by now; otherwise explain the bad request."""
    if isinstance(exception, RequestDataTooBig) and request.path.startswith("/api/"):
        return error_response(request, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, str(exception))
    if isinstance(exception, SessionInterrupted) and request.method == "POST":
        return HttpResponseRedirect(request.path)
    return bad_request(request, exception)
