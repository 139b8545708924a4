"""An application that answers with the size of the request, or with as many bytes as asked for, to test the server."""

from collections.abc import Callable, Iterable
from typing import Any


def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """A body of the length that the query names, or the length of the request's; like Django, none without a length."""
    if wanted := int(environ["QUERY_STRING"] or 0):
        start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(wanted))])
        return (b"a" * 10_000 for _ in range(wanted // 10_000))
    if "CONTENT_LENGTH" not in environ and "HTTP_TRANSFER_ENCODING" in environ:
        start_response("411 Length Required", [("Content-Length", "0")])
        return []
    length = str(len(environ["wsgi.input"].read())).encode()
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(length)))])
    return [length]
