"""Importing corrections collected outside the platform: each becomes an assignment with a judgment and its edits."""

from uuid import UUID

from judgments.exchange.importers.kinds import Found, JudgmentKind, not_yet_stored
from judgments.exchange.importers.rules import CORRECTIONS
from judgments.exchange.importers.rules.corrections import Sentences
from judgments.exchange.importers.rules.recorded import Options, keys_of
from judgments.exchange.importers.writing import AssignmentWriter, NewJudgment, chunks_of, recorded_screens
from judgments.models import Campaign, Edit, Screen, Segment
from judgments.rules.errors import Refused
from judgments.rules.files.text_files import UploadedFile
from judgments.rules.progress import Progress

SAME_CORRECTIONS = UUID("2d9f4a70-6f9c-4c59-8a37-90a2f6c8b3d5")
OUTCOME = (
    "{added} corrections added, {known} were already stored. The file contains {total} corrections of {subjects} "
    "sentences by {judges} judges, {skipped} of them skipped, with {details} edits."
)


def read_corrections(campaign: Campaign, file: UploadedFile, options: Options) -> Found:
    """Read a file about the sentences of the campaign; judges whom it only numbers get the organiser's names."""
    segments = _segments(campaign)
    if not segments:
        raise Refused(f"{campaign.slug} has no sentences yet; import the source first, then its corrections.")
    sentences = Sentences(tuple(segments), tuple(text for _, text in segments.values()))
    recorded = CORRECTIONS[options.file_format](*file, sentences, options.judges)
    identities = (
        (campaign.slug, one.judge, sentences.positions[one.sentence], one.edits, one.skip_reason) for one in recorded
    )
    new = not_yet_stored(campaign, keys_of(SAME_CORRECTIONS, identities), recorded)
    return Found.of(
        new,
        (one.judge for one in recorded),
        skipped=sum(bool(one.skip_reason) for one in recorded),
        subjects=len({one.sentence for one in recorded}),
        details=sum(len(one.edits) for one in recorded),
        sentence=OUTCOME,
    )


def store_corrections(campaign: Campaign, found: Found, progress: Progress) -> None:
    segments = [pk for pk, _ in _segments(campaign).values()]
    writer = AssignmentWriter(campaign, (one.judge for _, one in found.new))
    screens = _screens(campaign, {segments[one.sentence] for _, one in found.new})
    for part in chunks_of(found.new, progress):
        new_judgments = [
            NewJudgment(key, one.judge, screens[segments[one.sentence]], "", one.skip_reason, one.seconds)
            for key, one in part
        ]
        Edit.objects.bulk_create(
            Edit(judgment=judgment, position=position, **edit._asdict())
            for judgment, (_, one) in zip(writer.write(new_judgments), part, strict=True)
            for position, edit in enumerate(one.edits)
        )


def _segments(campaign: Campaign) -> dict[int, tuple[int, str]]:
    """Return the key and the text of each sentence, by line."""
    rows = Segment.objects.filter(campaign=campaign, text__isnull=False).order_by("position")
    return {position: (pk, text or "") for position, pk, text in rows.values_list("position", "pk", "text")}


def _screens(campaign: Campaign, segments: set[int]) -> dict[int, Screen]:
    """Return a screen for each sentence, which its judges share."""
    screens = {screen.segment_id: screen for screen in recorded_screens(campaign).order_by("-pk")}
    new = [Screen(campaign=campaign, segment_id=pk) for pk in sorted(segments - screens.keys())]
    return screens | {screen.segment_id: screen for screen in Screen.objects.bulk_create(new)}


KIND = JudgmentKind(
    "corrections",
    Edit,
    {
        "corrections-m2": "M2; each annotator becomes a judge, named judge-0 and so on unless names are given",
        "corrections-text": "corrected sentences of one judge, one per line; or a ZIP of them, like corrections.zip",
        "corrections-jsonl": "one object per judgment, like corrections.jsonl",
    },
    "its sentences (import_outputs with --protocol correction)",
    read_corrections,
    store_corrections,
    has_unnamed_judges=True,
)
