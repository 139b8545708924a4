"""Somebody who came in twice in the same moment, as by a double click: the first time counts."""

from django.contrib.sessions.exceptions import SessionInterrupted
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.defaults import bad_request


def answer_to_bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The page from which they came knows them by now; whatever else cannot be read gets a sentence."""
    if isinstance(exception, SessionInterrupted) and request.method == "POST":
        return HttpResponseRedirect(request.path)
    return bad_request(request, exception)
