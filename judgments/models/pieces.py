"""Uploaded files, kept until a worker has read them, in pieces: a large value costs a process many times its size, and
its connection to PostgreSQL keeps twice the size of the largest.
"""

from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import Any, BinaryIO

from django.db import models

BYTES = 2**20


class Piece(models.Model):
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        abstract = True

    @classmethod
    def keep(cls, file: BinaryIO, **of: Any) -> None:
        """Store a file; an empty one has one empty piece."""
        for number, content in enumerate(_read(file)):
            cls._base_manager.create(number=number, content=content, **of)

    @classmethod
    def kept(cls, **of: Any) -> BinaryIO | None:
        """The file that was kept, or None."""
        pieces = cls._base_manager.filter(**of).order_by("number").values_list("content", flat=True)
        found, file = False, TemporaryFile()  # noqa: SIM115 (for the caller)
        for content in pieces.iterator(chunk_size=1):
            found = True
            file.write(content)
        file.seek(0)
        return file if found else None


def _read(file: BinaryIO) -> Iterator[bytes]:
    content = file.read(BYTES)
    yield content
    while content := file.read(BYTES):
        yield content
