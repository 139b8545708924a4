"""Campaigns from bundles in the browser: handed in, checked and made by a worker, once, or cancelled."""

import io
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from judgments import restoration
from judgments.access import Visitor
from judgments.attempts import Attempt, Overtaken
from judgments.faults import Refused
from judgments.journal import acting
from judgments.models import Campaign, Import, ImportFile, Work
from judgments.restoration import Restored

MISFIT = "Nothing was stored: this bundle cannot be taken."
CHECKING = "checking the bundle, then storing it"
LONGEST_NAME = 255


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


def forget(now: datetime) -> None:
    """Imports that were over long ago leave nothing behind but their campaigns."""
    Import.objects.forgotten(now).delete()


def _make(import_id: int, attempt: Attempt) -> None:
    attempt.step(CHECKING, 0.0)
    kept = ImportFile.objects.select_related("bundle__imported_by").filter(bundle=import_id).first()
    if kept is None:  # cancelled in this very moment
        raise Overtaken
    bundle, organiser = kept.bundle, kept.bundle.imported_by.get_username()

    def conclude(made: Restored) -> None:
        attempt.finish(campaign=made.campaign)

    with acting(lambda: organiser):
        restoration.import_campaign(
            bundle.file_name, io.BytesIO(kept.content), bundle.slug or None, organiser,
            attempt.progress(0.0, 1.0), conclude,
        )  # fmt: skip
