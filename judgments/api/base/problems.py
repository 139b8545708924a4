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
# What to do about refusals of the framework, which say only what is wrong.
ADVICE = {
    status.HTTP_401_UNAUTHORIZED: "Send the header Authorization: Token ... with a token that make_token printed.",
    status.HTTP_415_UNSUPPORTED_MEDIA_TYPE: "Send Content-Type: {view.parser_classes[0].media_type}.",
}
NO_STATIC_FILES = (
    "Pages cannot be shown, because their style sheets are missing. If you operate this site, run "
    "python manage.py collectstatic --no-input, then restart the web server. Nothing was lost.\n"
)

Fault = dict[str, str]


class Conflict(APIException):
    """The request is valid but conflicts with the current state."""

    status_code = status.HTTP_409_CONFLICT


def answer_with_problem(error: Exception, context: dict[str, Any]) -> Response | None:
    """The response to an exception of a view; None for internal errors."""
    known = next((make(error) for kind, make in API_EXCEPTIONS.items() if isinstance(error, kind)), error)
    if _is_taken(error):
        known = Conflict("Another request changed this at the same time. Reload it and try again.")
    response = exception_handler(known, context)
    if response is None:
        return None
    faults = list(islice(_faults(response.data), MOST_FAULTS + 1))
    if len(faults) > MOST_FAULTS:
        faults[MOST_FAULTS:] = [{"detail": "There are more errors; correct these first.", "pointer": "#"}]
    response.data = {
        "type": "about:blank",
        "title": HTTPStatus(response.status_code).phrase,
        "status": response.status_code,
        "detail": " ".join([*map(_sentence, faults), ADVICE.get(response.status_code, "").format(**context)]).rstrip(),
    }
    if response.status_code == status.HTTP_400_BAD_REQUEST:
        response.data["errors"] = faults
    response.content_type = MEDIA_TYPE
    return response


def error_response(
    request: HttpRequest,
    status: HTTPStatus = HTTPStatus.INTERNAL_SERVER_ERROR,
    detail: str = "Something went wrong here, and the error was logged. Nothing was changed; try again in a moment.",
    **context: bool,
) -> HttpResponse:
    """The response to an internal error or an outage: a problem for programs, a page for people.

    Both contain the id of the request, by which operators find it in the log.
    """
    number = request.META.get("REQUEST_ID", "")
    if not request.path.startswith("/api/"):
        # Rendered without the request, because context processors may fail too.
        try:
            page = render_to_string(f"{status.value}.html", {"request_id": number, **context})
        except ValueError:
            # Pages name their style sheet as the list of static files does, which is missing or of another version.
            return HttpResponse(NO_STATIC_FILES, status=status, content_type="text/plain; charset=utf-8")
        return HttpResponse(page, status=status)
    problem = {"type": "about:blank", "title": status.phrase, "status": status, "detail": detail, "request": number}
    return JsonResponse(problem, status=status, content_type=MEDIA_TYPE)


# The platform's exceptions as those of the API; the first that matches counts.
API_EXCEPTIONS: dict[type[Exception], Callable[[Any], APIException]] = {
    Busy: lambda error: Throttled(SECONDS_UNTIL_FREE, str(error)),
    Refused: lambda error: Conflict(str(error)),
    Problems: lambda error: ValidationError([str(problem) for problem in error.problems]),
    SuspiciousOperation: lambda error: ParseError(f"The request cannot be read: {error}"),
}


def _is_taken(error: Exception) -> bool:
    """Whether another row has a value that must be unique; any other broken constraint is an error of ours."""
    cause = error.__cause__ if isinstance(error, IntegrityError) else None
    name = getattr(cause, "sqlite_errorname", "") or type(cause).__name__
    return name in {"SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY", "UniqueViolation"}


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
