"""Uploaded files, kept until a worker has read them, in pieces: a large value costs a process many times its size, and
its connection to PostgreSQL keeps twice the size of the largest.
"""

from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import BinaryIO

from django.db import models

from judgments.models.constraints import unique
from judgments.models.jobs import ImportJob, Job

BYTES = 2**20


class FilePiece(models.Model):
    job = models.ForeignKey(Job, models.CASCADE, db_index=False)
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        constraints = [unique("one_piece_per_job_and_number", "job", "number")]

    def __str__(self) -> str:
        return f"piece {self.number} of the files of {self.job}"

    @classmethod
    def keep(cls, job: Job, file: BinaryIO) -> None:
        """Store a file; an empty one has one empty piece."""
        for number, content in enumerate(_read(file)):
            cls.objects.create(job_id=job.pk, number=number, content=content)

    @classmethod
    def open(cls, job: Job) -> BinaryIO | None:
        """The file that was kept, or None."""
        pieces = cls.objects.filter(job=job.pk).order_by("number").values_list("content", flat=True)
        found, file = False, TemporaryFile()  # noqa: SIM115 (for the caller)
        for content in pieces.iterator(chunk_size=1):
            found = True
            file.write(content)
        file.seek(0)
        return file if found else None

    @classmethod
    def discard(cls, job: Job) -> None:
        """Delete the bundle of an import that is over; an upload keeps its files until they are stored or discarded."""
        if job.kind == ImportJob.KIND:
            cls.objects.filter(job=job.pk, job__state__in=Job.OVER).delete()


def _read(file: BinaryIO) -> Iterator[bytes]:
    content = file.read(BYTES)
    yield content
    while content := file.read(BYTES):
        yield content
