"""Cursor pagination."""

import re
from typing import Any

from django.conf import settings
from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request


class Pages(CursorPagination):
    """Newest first; a page stays the same while rows are added."""

    page_size = 50
    page_size_query_param = "per_page"
    max_page_size = 1000
    ordering: str = "-pk"

    def decode_cursor(self, request: Request) -> Cursor | None:
        """Refuse a position that is not the number of a row."""
        cursor = super().decode_cursor(request)
        if cursor and not re.fullmatch(r"[0-9]{0,18}", cursor.position or ""):
            raise NotFound(self.invalid_cursor_message)
        return cursor

    def encode_cursor(self, cursor: Cursor) -> str:
        """The address of another page, from SITE_URL and never from the Host header."""
        self.base_url = settings.SITE_URL + self.request.get_full_path()
        return super().encode_cursor(cursor)

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """OpenAPI 3.1 does not know `nullable`, which the framework writes."""
        described = super().get_paginated_response_schema(schema)
        for name in ("next", "previous"):
            del described["properties"][name]["nullable"]
            described["properties"][name]["type"] = ["string", "null"]
        return described


class InOrder(Pages):
    ordering = "pk"
