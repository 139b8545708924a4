"""Importing bundles that were uploaded in the browser, in a worker."""

from typing import BinaryIO

from django.contrib.auth.models import User
from django.db import transaction

from judgments.archive import importing
from judgments.campaigns.settings import choose_slug
from judgments.jobs.attempts import Attempt, StaleAttempt
from judgments.jobs.tasks import enqueue
from judgments.material.uploads import MOST_BYTES
from judgments.models import FilePiece, ImportJob
from judgments.models.members import Visitor
from judgments.rules.errors import Refused

CHECKING = "checking the bundle, then storing it"
LONGEST_NAME = 255


def too_large_a_bundle() -> str:
    return f"The bundle is larger than {MOST_BYTES // 2**20} MB. Import it with: python manage.py import_campaign FILE"


@transaction.atomic
def request(user: Visitor, name: str, bundle: BinaryIO, slug: str) -> ImportJob:
    choose_slug(slug, user.get_username())  # refuses at once what the job would refuse
    importer = User.objects.get(username=user.get_username())
    job = ImportJob.objects.create(requested_by=importer, about=name[:LONGEST_NAME], payload={"slug": slug})
    FilePiece.keep(job, bundle)
    return enqueue(job)


def create_campaign(job: ImportJob, attempt: Attempt) -> None:
    attempt.step(CHECKING, 0.0)
    bundle = FilePiece.kept(job)
    if bundle is None:  # cancelled in the meantime
        raise StaleAttempt
    if job.requested_by is None:
        raise Refused("The account that uploaded this bundle was deleted.")
    with bundle:
        importing.import_campaign(
            job.about, bundle, job.payload["slug"] or None, job.requested_by.get_username(),
            attempt.progress(0.0, 1.0), lambda imported: attempt.finish(campaign=imported.campaign),
        )  # fmt: skip
