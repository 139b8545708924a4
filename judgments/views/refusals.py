"""What a verb refuses becomes a sentence on the next page."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.http import HttpRequest

from judgments.faults import Refused


@contextmanager
def refusals_told(request: HttpRequest) -> Iterator[None]:
    """Whatever is refused inside is told, and what comes after it inside is left out."""
    try:
        yield
    except Refused as reason:
        messages.error(request, str(reason))
