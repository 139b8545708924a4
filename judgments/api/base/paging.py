"""Long lists, a page at a time."""

import re

from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request


class Pages(CursorPagination):
    """The newest first; a page stays the same page while rows are added."""

    page_size = 50
    page_size_query_param = "per_page"
    max_page_size = 1000
    ordering: str = "-pk"

    def decode_cursor(self, request: Request) -> Cursor | None:
        """The place to go on from, which is the number of a row unless somebody made it up."""
        cursor = super().decode_cursor(request)
        if cursor and not re.fullmatch(r"[0-9]{0,18}", cursor.position or ""):
            raise NotFound(self.invalid_cursor_message)
        return cursor


class InOrder(Pages):
    """In the order in which they were made."""

    ordering = "pk"
