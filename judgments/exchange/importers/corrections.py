"""Importing corrections collected outside the platform: each becomes an assignment with a judgment and its edits."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction

from judgments.exchange.importers.rules import CORRECTIONS
from judgments.exchange.importers.rules.corrections import RecordedCorrection, Sentences
from judgments.exchange.importers.rules.rankings import keys_of
from judgments.exchange.importers.writing import (
    AssignmentWriter,
    Imported,
    NewJudgment,
    check_campaign,
    chunks_of,
    not_yet_stored,
    recorded_screens,
)
from judgments.models import Campaign, Edit, Screen, Segment
from judgments.models.journal import note
from judgments.rules.errors import Refused
from judgments.rules.progress import Progress, no_progress

SAME_CORRECTIONS = UUID("2d9f4a70-6f9c-4c59-8a37-90a2f6c8b3d5")
OUTCOME = (
    "{added} corrections added, {known} were already stored. The file contains {total} corrections of {subjects} "
    "sentences by {judges} judges, {skipped} of them skipped, with {details} edits."
)


@transaction.atomic
def record_corrections(
    campaign: Campaign,
    file: str,
    content: bytes,
    file_format: str,
    judges: Sequence[str] = (),
    progress: Progress = no_progress,
) -> Imported:
    """Store the new corrections of a file; refuse a file about other sentences.

    Judges whom the file only numbers get these names in order, or `judge-0` and so on.
    """
    check_campaign(campaign, Edit, "corrections")
    segments = list(Segment.objects.filter(campaign=campaign, text__isnull=False).order_by("position"))
    if not segments:
        raise Refused(f"{campaign.slug} has no sentences yet; import the source first, then its corrections.")
    positions = tuple(segment.position for segment in segments)
    sentences = Sentences(positions, tuple(segment.text or "" for segment in segments))
    recorded = CORRECTIONS[file_format](file, content, sentences, judges)
    identities = ((campaign.slug, one.judge, positions[one.sentence], one.edits, one.skip_reason) for one in recorded)
    new = not_yet_stored(campaign, keys_of(SAME_CORRECTIONS, identities), recorded)
    writer = AssignmentWriter(campaign, (one.judge for _, one in new))
    screens = _screens(campaign, {segments[one.sentence].pk for _, one in new})
    for part in chunks_of(new, progress):
        new_judgments = [
            NewJudgment(key, one.judge, screens[segments[one.sentence].pk], "", one.skip_reason, one.seconds)
            for key, one in part
        ]
        Edit.objects.bulk_create(
            Edit(judgment=judgment, position=position, **edit._asdict())
            for judgment, (_, one) in zip(writer.write(new_judgments), part, strict=True)
            for position, edit in enumerate(one.edits)
        )
    note(campaign, f"imported {len(new)} corrections from {file}")
    return _outcome(recorded, len(new))


def _outcome(recorded: Sequence[RecordedCorrection], added: int) -> Imported:
    return Imported(
        added=added,
        known=len(recorded) - added,
        judges=len({one.judge for one in recorded}),
        skipped=sum(bool(one.skip_reason) for one in recorded),
        subjects=len({one.sentence for one in recorded}),
        details=sum(len(one.edits) for one in recorded),
        sentence=OUTCOME,
    )


def _screens(campaign: Campaign, segments: set[int]) -> dict[int, Screen]:
    """Return a screen for each sentence, which its judges share."""
    screens = {screen.segment_id: screen for screen in recorded_screens(campaign).order_by("-pk")}
    new = [Screen(campaign=campaign, segment_id=pk) for pk in sorted(segments - screens.keys())]
    return screens | {screen.segment_id: screen for screen in Screen.objects.bulk_create(new)}
