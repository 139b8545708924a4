"""Pages for what goes wrong around a view: a database that is away or too slow, a request that cannot be read."""

import logging
import sys
from collections.abc import Callable
from http import HTTPStatus

from django.contrib.sessions.exceptions import SessionInterrupted
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.defaults import bad_request

from appraise_gec import logs
from judgments.api.base.problems import answer_to_fault

CANCELLED = "57014"  # query_canceled, in the words of PostgreSQL
# What SQLite calls by the same name though it can only be a fault of ours, or a database that was never migrated.
NO_OUTAGE = ("no such table", "no such column")
SECONDS_TO_WAIT = 5

TOO_LONG = "This took the database too long and was stopped. Nothing was changed; try again later, or request less."
AWAY = "The database cannot be reached at the moment. Everything we confirmed as saved is safe; try again in a moment."

_LOG = logging.getLogger("appraise_gec.server.errors")


class Outages:
    """Middleware that answers database outages with a sentence."""

    def __init__(self, answer_to: Callable[[HttpRequest], HttpResponse]):
        self._answer_to = answer_to

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._answer_to(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return _answer(request, error)


def answer_to_any_fault(request: HttpRequest) -> HttpResponse:
    """Handle errors around a view, such as while the session is saved."""
    return _answer(request, sys.exc_info()[1]) or answer_to_fault(request)


def _answer(request: HttpRequest, error: BaseException | None) -> HttpResponse | None:
    if not isinstance(error, OperationalError | InterfaceError) or str(error).startswith(NO_OUTAGE):
        return None
    # Of the error only the first line: more may quote what somebody wrote.
    _LOG.error("%s: %s", logs.masked(request.path), str(error).split("\n", 1)[0])
    is_too_long = getattr(error.__cause__, "pgcode", None) == CANCELLED
    detail = TOO_LONG if is_too_long else AWAY
    answer = answer_to_fault(request, HTTPStatus.SERVICE_UNAVAILABLE, detail, is_too_long=is_too_long)
    answer["Retry-After"] = str(SECONDS_TO_WAIT)
    return answer


def answer_to_bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """After a double sign-in, go back to the page, which knows the user by now; else explain the bad request."""
    if isinstance(exception, SessionInterrupted) and request.method == "POST":
        return HttpResponseRedirect(request.path)
    return bad_request(request, exception)
