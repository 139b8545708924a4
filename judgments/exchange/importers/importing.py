"""Importing a file of judgments in any format: what it holds for a campaign, and storing that once."""

from django.db import transaction

from judgments.exchange.importers import candidates, corrections, edits, essays, verdicts
from judgments.exchange.importers.kinds import Found, Imported, JudgmentKind, refuse_other_members
from judgments.exchange.importers.rules.recorded import Options
from judgments.models import Campaign
from judgments.models.journal import note
from judgments.rules.errors import Refused
from judgments.rules.files.text_files import UploadedFile
from judgments.rules.progress import Progress, no_progress

KINDS: tuple[JudgmentKind, ...] = (*candidates.KINDS, corrections.KIND, verdicts.KIND, edits.KIND, essays.KIND)
BY_FORMAT = {file_format: kind for kind in KINDS for file_format in kind.formats}


def find(campaign: Campaign, file: UploadedFile, options: Options) -> Found:
    """Read a file and compare it with the campaign, without changing anything; raise what does not fit."""
    kind = BY_FORMAT[options.file_format]
    kind.check(campaign)
    if options.fault:
        raise Refused(options.fault)
    found = kind.read(campaign, file, options)
    refuse_other_members(campaign, found.imported.by_judge)
    return found


@transaction.atomic
def import_judgments(
    campaign: Campaign, file: UploadedFile, options: Options, progress: Progress = no_progress
) -> Imported:
    """Store the new judgments of a file; importing it again adds nothing."""
    found, kind = find(campaign, file, options), BY_FORMAT[options.file_format]
    kind.store(campaign, found, progress)
    note(campaign, f"imported {len(found.new)} {kind.what} from {file.name}")
    return found.imported
