"""Campaigns from bundles in the browser: handed in, checked and made by a worker, once, or cancelled."""

import io

from django.contrib.auth.models import User
from django.db import transaction

from judgments.archive import importing
from judgments.archive.importing import Restored
from judgments.jobs.attempts import Attempt, Overtaken
from judgments.material.uploads import MOST_BYTES
from judgments.models import Campaign, Import, ImportFile, Work
from judgments.models.journal import acting
from judgments.models.members import Visitor
from judgments.rules.errors import Refused

MISFIT = "Nothing was stored: this bundle cannot be taken."
CHECKING = "checking the bundle, then storing it"
LONGEST_NAME = 255


def too_large_a_bundle() -> str:
    """What is said of more than can be taken by the browser."""
    return f"The bundle is larger than {MOST_BYTES // 2**20} MB. Bring it in by: python manage.py import_campaign FILE"


@transaction.atomic
def hand_in(user: Visitor, name: str, content: bytes, slug: str) -> Import:
    """Keep a bundle until a worker has made a campaign of it."""
    if slug and Campaign.objects.filter(slug=slug).exists():
        raise Refused(f"There is a campaign {slug} already; choose another short name.")
    importer = User.objects.get(username=user.get_username())
    handed_in = Import.objects.create(imported_by=importer, file_name=name[:LONGEST_NAME], slug=slug)
    ImportFile.objects.create(bundle=handed_in, content=content)
    return handed_in


def run(import_id: int) -> None:
    """Make a campaign of a queued bundle; a second call for the same one, or a call too late, does nothing."""
    attempt = Attempt.begun(Import.objects.all(), import_id, MISFIT)
    if attempt is not None:
        with attempt.going_on():
            _make(import_id, attempt)
    ImportFile.objects.filter(bundle=import_id, bundle__state__in=Work.OVER).delete()


def _make(import_id: int, attempt: Attempt) -> None:
    attempt.step(CHECKING, 0.0)
    kept = ImportFile.objects.select_related("bundle__imported_by").filter(bundle=import_id).first()
    if kept is None:  # cancelled in this very moment
        raise Overtaken
    bundle, organiser = kept.bundle, kept.bundle.imported_by.get_username()

    def conclude(made: Restored) -> None:
        attempt.finish(campaign=made.campaign)

    with acting(lambda: organiser):
        importing.import_campaign(
            bundle.file_name, io.BytesIO(kept.content), bundle.slug or None, organiser,
            attempt.progress(0.0, 1.0), conclude,
        )  # fmt: skip
