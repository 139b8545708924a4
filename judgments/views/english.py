"""Pages that are not translated yet."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import translation


def in_english(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """The whole page in English, whatever the reader would like better: a mixture helps nobody."""

    @wraps(view)
    def show(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        with translation.override("en"):
            answer = view(request, *args, **kwargs)
        answer.headers["Content-Language"] = "en"
        return answer

    return show
