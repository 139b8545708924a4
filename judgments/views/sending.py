"""Requests that bring files."""

from django.http import HttpRequest

BESIDES = 2**20  # what a request holds besides the files
AT_ONCE = 2**16


def is_too_much(request: HttpRequest, most_bytes: int) -> bool:
    """Whether a request says to bring more; then it is read to its end, as a browser shows no answer before."""
    told = request.META.get("CONTENT_LENGTH") or ""
    if not (told.isascii() and told.isdigit()) or int(told) <= most_bytes + BESIDES:
        return False
    while request.read(AT_ONCE):
        pass
    return True
