"""How much a request may bring, and how long it may hold the database."""

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler


class BoundedUpload(FileUploadHandler):
    """Refuses oversized requests before any file is read, at every address."""

    def handle_raw_input(self, input_data: Any, META: Any, content_length: int, *args: Any) -> None:  # noqa: N803
        """Trust the length: no server reads further."""
        if content_length > settings.MOST_BYTES_OF_A_REQUEST:
            raise RequestDataTooBig("The files are larger than all that can be taken at once.")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        return raw_data

    def file_complete(self, file_size: int) -> None:
        pass


def bound_statements(connection: Any, **_: Any) -> None:
    """End statements after WEB_STATEMENT_TIMEOUT; each fetch of a stream counts on its own."""
    if connection.vendor == "postgresql" and settings.WEB_STATEMENT_TIMEOUT:
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = %s", [f"{settings.WEB_STATEMENT_TIMEOUT}s"])
