"""What every answer of the platform has in common."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers


def never_kept(answer_to: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """No page stays behind in a browser or on the way: they hold links that let people in, and change all the time."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = answer_to(request)
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response

    return answer
