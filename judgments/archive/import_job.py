"""Importing bundles that were uploaded in the browser, in a worker."""

from typing import BinaryIO

from django.contrib.auth.models import User
from django.db import transaction

from judgments.archive import importing
from judgments.campaigns import short_names
from judgments.jobs.attempts import Attempt, Overtaken
from judgments.jobs.tasks import enqueue
from judgments.material.uploads import MOST_BYTES
from judgments.models import ImportJob, ImportPiece
from judgments.models.members import Visitor

CHECKING = "checking the bundle, then storing it"
LONGEST_NAME = 255


def too_large_a_bundle() -> str:
    return f"The bundle is larger than {MOST_BYTES // 2**20} MB. Import it with: python manage.py import_campaign FILE"


@transaction.atomic
def request(user: Visitor, name: str, bundle: BinaryIO, slug: str) -> ImportJob:
    short_names.wanted(slug, user.get_username())  # refuses at once what the job would refuse
    importer = User.objects.get(username=user.get_username())
    job = ImportJob.objects.create(requested_by=importer, file_name=name[:LONGEST_NAME], slug=slug)
    ImportPiece.keep(bundle, job=job)
    return enqueue(job)


def create_campaign(job: ImportJob, attempt: Attempt) -> None:
    attempt.step(CHECKING, 0.0)
    bundle = ImportPiece.kept(job=job)
    if bundle is None:  # cancelled in the meantime
        raise Overtaken
    with bundle:
        importing.import_campaign(
            job.file_name, bundle, job.slug or None, job.requested_by.get_username(),
            attempt.progress(0.0, 1.0), lambda imported: attempt.finish(campaign=imported.campaign),
        )  # fmt: skip
