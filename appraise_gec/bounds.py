"""How much one request may bring."""

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler


class BoundedUpload(FileUploadHandler):
    """Refuses files before any of them is read, whoever sends them to whatever address."""

    def handle_raw_input(self, input_data: Any, META: Any, content_length: int, *args: Any) -> None:  # noqa: N803
        """Believe the length: no server reads further."""
        if content_length > settings.MOST_BYTES_OF_A_REQUEST:
            raise RequestDataTooBig("The files are larger than all that can be taken at once.")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        """Whoever comes next keeps the file."""
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """The file is somebody else's."""
