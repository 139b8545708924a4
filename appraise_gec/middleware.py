"""What every answer of the platform has in common."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.template.loader import render_to_string
from django.utils.cache import add_never_cache_headers

from judgments.journal import acting


def acted(answer_to: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """What is done while answering is done by whoever is signed in."""

    def answer(request: HttpRequest) -> HttpResponse:
        with acting(lambda: request.user.get_username()):
            return answer_to(request)

    return answer


def legible(answer_to: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """A cookie with a NUL is none of ours, and not every database could even look for it."""

    def answer(request: HttpRequest) -> HttpResponse:
        for name in [name for name, value in request.COOKIES.items() if "\0" in value]:
            del request.COOKIES[name]
        return answer_to(request)

    return answer


def explained(answer_to: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Who comes to the address of a button by a link, or goes back to it, is told so and not shown an empty page."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = answer_to(request)
        if isinstance(response, HttpResponseNotAllowed) and not response.content:
            response.content = render_to_string("405.html", request=request)
        return response

    return answer


def never_kept(answer_to: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """No page stays behind in a browser or on the way: they hold links that let people in, and change all the time."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = answer_to(request)
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response

    return answer
