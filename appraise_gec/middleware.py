"""What every answer of the platform has in common."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers

from judgments.journal import acting


def acted(answer_to: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """What is done while answering is done by whoever is signed in."""

    def answer(request: HttpRequest) -> HttpResponse:
        with acting(lambda: request.user.get_username()):
            return answer_to(request)

    return answer


def never_kept(answer_to: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """No page stays behind in a browser or on the way: they hold links that let people in, and change all the time."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = answer_to(request)
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response

    return answer
