"""The one format of requests and responses: JSON in UTF-8."""

import json
from collections.abc import Sequence
from typing import Any, BinaryIO

from django.conf import settings
from rest_framework import status
from rest_framework.exceptions import APIException, ParseError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

BESIDES = 2**20  # bytes of a request besides the files


class TooLarge(APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE


class LengthRequired(APIException):
    """A body without Content-Length, which would be taken for an empty one."""

    status_code = status.HTTP_411_LENGTH_REQUIRED
    default_detail = "Give the length of the request as Content-Length; it may not come in chunks."


def refuse_too_much(request: Request, most_bytes: int, message: str) -> None:
    """Refuse a request by its Content-Length, before reading it."""
    length = request.META.get("CONTENT_LENGTH") or ""
    if length.isascii() and length.isdigit() and int(length) > most_bytes + BESIDES:
        raise TooLarge(message)


class Json(BaseParser):
    """JSON in UTF-8, of bounded size; an empty body is an empty object."""

    media_type = "application/json"

    def parse(self, stream: BinaryIO, media_type: str | None = None, parser_context: Any = None) -> Any:
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        text = stream.read(most + 1)
        if len(text) > most:
            raise TooLarge(f"The request is larger than {most} bytes; send less at a time.")
        try:
            content = json.loads(text.decode(), parse_constant=_refuse) if text.strip() else {}
            json.dumps(content, ensure_ascii=False).encode()  # half of a surrogate pair is no text
            return content
        except (ValueError, RecursionError) as error:
            raise ParseError(f"The request is no JSON that can be read: {error}.") from error


def _refuse(constant: str) -> None:
    """JSON has no such numbers, though Python accepts them."""
    raise ValueError(f"{constant} is no number")


class OnlyJson(DefaultContentNegotiation):
    """Refuses no request for its Accept header, as there is one format; files come as they are."""

    def select_renderer(
        self, request: Request, renderers: Sequence[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        return renderers[0], renderers[0].media_type
