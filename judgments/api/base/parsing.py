"""The format of requests and responses: JSON in UTF-8."""

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

from judgments.rules.files.values import refuse_constant


class TooLarge(APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE


class LengthRequired(APIException):
    """A body without Content-Length, which Django would read as empty."""

    status_code = status.HTTP_411_LENGTH_REQUIRED
    default_detail = "Send a Content-Length header; chunked requests are not accepted."


class JsonParser(BaseParser):
    """Parses JSON in UTF-8 of limited size; an empty body is an empty object."""

    media_type = "application/json"

    def parse(self, stream: BinaryIO, media_type: str | None = None, parser_context: Any = None) -> Any:
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        text = stream.read(most + 1)
        if len(text) > most:
            raise TooLarge(f"The request is larger than {most} bytes; send less at a time.")
        try:
            content = json.loads(text.decode(), parse_constant=refuse_constant) if text.strip() else {}
            json.dumps(content, ensure_ascii=False).encode()  # refuses lone surrogates
            return content
        except (ValueError, RecursionError) as error:
            raise ParseError(f"The request is not valid JSON: {error}.") from error


class OnlyJson(DefaultContentNegotiation):
    """Ignores the Accept header, because there is only one format; files are sent as they are."""

    def select_renderer(
        self, request: Request, renderers: Sequence[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        return renderers[0], renderers[0].media_type
