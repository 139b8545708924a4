"""Refusals as problem details (RFC 9457): a sentence, and a pointer to each fault in the request."""

from collections.abc import Callable, Iterator
from http import HTTPStatus
from itertools import islice
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from rest_framework import status
from rest_framework.exceptions import APIException, ParseError, Throttled, ValidationError
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.views import exception_handler

from judgments.api.base.inputs import MOST_FAULTS
from judgments.rules.errors import Busy, Refused
from judgments.rules.files.problems import Problems

SECONDS_UNTIL_FREE = 60
MEDIA_TYPE = "application/problem+json"
# The end of Django's message about a row that does not exist, or not for this user.
NO_ROW = "matches the given query."
NOTHING_HERE = "There is nothing here for you; check the address, and whose token you send."

Fault = dict[str, str]


class Conflict(APIException):
    """The request is valid but conflicts with the current state."""

    status_code = status.HTTP_409_CONFLICT


def answer_with_problem(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answer an exception of a view; None for internal errors."""
    answer = exception_handler(_of_http(error), context)
    if answer is None:
        return None
    faults = list(islice(_faults(answer.data), MOST_FAULTS + 1))
    if len(faults) > MOST_FAULTS:
        faults[MOST_FAULTS:] = [{"detail": "There are more faults; mend these first.", "pointer": "#"}]
    answer.data = {
        "type": "about:blank",
        "title": HTTPStatus(answer.status_code).phrase,
        "status": answer.status_code,
        "detail": " ".join(_sentence(fault) for fault in faults),
    }
    if answer.status_code == status.HTTP_400_BAD_REQUEST:
        answer.data["errors"] = faults
    answer.content_type = MEDIA_TYPE
    return answer


def error_response(
    request: HttpRequest,
    status: HTTPStatus = HTTPStatus.INTERNAL_SERVER_ERROR,
    detail: str = "Something went wrong here, and the error was noted. Nothing was changed; try again in a moment.",
    **context: bool,
) -> HttpResponse:
    """Answer an internal error or an outage: a problem for programs, a page for people.

    Both have the id of the request, by which operators find it in the log.
    """
    number = request.META.get("REQUEST_ID", "")
    if not request.path.startswith("/api/"):
        # Without the request: anything else that a page reads may be broken.
        page = render_to_string(f"{status.value}.html", {"request_id": number, **context})
        return HttpResponse(page, status=status)
    problem = {"type": "about:blank", "title": status.phrase, "status": status, "detail": detail, "request": number}
    return JsonResponse(problem, status=status, content_type=MEDIA_TYPE)


# The exceptions of the platform as those of HTTP; the first kind that fits counts.
OF_HTTP: dict[type[Exception], Callable[[Any], APIException]] = {
    Busy: lambda error: Throttled(SECONDS_UNTIL_FREE, str(error)),
    Refused: lambda error: Conflict(str(error)),
    Problems: lambda error: ValidationError([str(problem) for problem in error.problems]),
    IntegrityError: lambda error: Conflict("Something else was done here at the same time. Look at it and try again."),
    SuspiciousOperation: lambda error: ParseError(f"The request cannot be read: {error}"),
}


def _of_http(error: Exception) -> Exception:
    return next((make(error) for kind, make in OF_HTTP.items() if isinstance(error, kind)), error)


def _faults(detail: Any, pointer: str = "#") -> Iterator[Fault]:
    """Yield every message, with a JSON pointer to its part of the request."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            about_all = name in ("detail", api_settings.NON_FIELD_ERRORS_KEY)
            yield from _faults(inner, pointer if about_all else f"{pointer}/{name}")
    elif isinstance(detail, list):
        for inner in detail:
            yield from _faults(inner, pointer)
    else:
        yield {"detail": NOTHING_HERE if detail.endswith(NO_ROW) else str(detail), "pointer": pointer}


def _sentence(fault: Fault) -> str:
    about = fault["pointer"].removeprefix("#").removeprefix("/")
    return f"{about}: {fault['detail']}" if about else fault["detail"]
