"""Refusals for machines, as problem details (RFC 9457): one sentence, and where in the request each fault lies."""

from collections.abc import Iterator
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

from judgments.api.base.asked import MOST_FAULTS
from judgments.rules.errors import Busy, Refused
from judgments.rules.files.problems import Problems

SECONDS_UNTIL_FREE = 60
MEDIA_TYPE = "application/problem+json"
# How Django ends what it says of a row that is not there, or not for this user.
NO_ROW = "matches the given query."
NOTHING_HERE = "There is nothing here for you; check the address, and whose token you show."

Fault = dict[str, str]


class Conflict(APIException):
    """The wish was understood and does not fit with what is there."""

    status_code = status.HTTP_409_CONFLICT


def answer_with_problem(error: Exception, context: dict[str, Any]) -> Response | None:
    """The answer to what a view raised; nothing where the fault is the program's."""
    answer = exception_handler(_known(error), context)
    if answer is None:
        return None
    faults = list(islice(_faults(answer.data), MOST_FAULTS + 1))
    if len(faults) > MOST_FAULTS:
        faults[MOST_FAULTS:] = [{"detail": "There is more of it; mend this first.", "pointer": "#"}]
    answer.data = {
        "type": "about:blank",
        "title": HTTPStatus(answer.status_code).phrase,
        "status": answer.status_code,
        "detail": " ".join(_told(fault) for fault in faults),
    }
    if answer.status_code == status.HTTP_400_BAD_REQUEST:
        answer.data["errors"] = faults
    answer.content_type = MEDIA_TYPE
    return answer


def answer_to_fault(request: HttpRequest) -> HttpResponse:
    """What is said where the program itself is at fault: to a program a problem, to a person a page."""
    return _own_fault(
        request,
        HTTPStatus.INTERNAL_SERVER_ERROR,
        "Something broke here, and the error was noted. Nothing was changed; try again in a moment.",
    )


def answer_to_outage(request: HttpRequest, detail: str, is_too_long: bool) -> HttpResponse:
    """What is said where the database is away or took too long."""
    return _own_fault(request, HTTPStatus.SERVICE_UNAVAILABLE, detail, is_too_long=is_too_long)


def _own_fault(request: HttpRequest, status: HTTPStatus, detail: str, **told_besides: bool) -> HttpResponse:
    """With the id of the request, by which those who run the platform find what was noted."""
    number = request.META.get("REQUEST_ID", "")
    if not request.path.startswith("/api/"):
        # Without the request: whatever else a page asks for may be what is broken.
        page = render_to_string(f"{status.value}.html", {"request_id": number, **told_besides})
        return HttpResponse(page, status=status)
    told = {
        "type": "about:blank",
        "title": status.phrase,
        "status": status,
        "detail": detail,
        "request": number,
    }
    return JsonResponse(told, status=status, content_type=MEDIA_TYPE)


def _known(error: Exception) -> Exception:
    """What the rest of the platform raises, in the words of HTTP."""
    if isinstance(error, Busy):
        return Throttled(SECONDS_UNTIL_FREE, str(error))
    if isinstance(error, Refused):
        return Conflict(str(error))
    if isinstance(error, Problems):
        return ValidationError([str(problem) for problem in error.problems])
    if isinstance(error, IntegrityError):
        return Conflict("Something else was done here at the same time. Look at what is there, then ask again.")
    return ParseError(f"The request cannot be read: {error}") if isinstance(error, SuspiciousOperation) else error


def _faults(detail: Any, pointer: str = "#") -> Iterator[Fault]:
    """Every sentence, with a JSON pointer to the part of the request that it is about."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            about_all = name in ("detail", api_settings.NON_FIELD_ERRORS_KEY)
            yield from _faults(inner, pointer if about_all else f"{pointer}/{name}")
    elif isinstance(detail, list):
        for inner in detail:
            yield from _faults(inner, pointer)
    else:
        yield {"detail": NOTHING_HERE if detail.endswith(NO_ROW) else str(detail), "pointer": pointer}


def _told(fault: Fault) -> str:
    about = fault["pointer"].removeprefix("#").removeprefix("/")
    return f"{about}: {fault['detail']}" if about else fault["detail"]
