"""Corrections that others collected: each becomes an assignment with a judgment and its edits."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID, uuid5

from django.db import transaction

from judgments.exchange.importers.rules import CORRECTIONS
from judgments.exchange.importers.rules.corrections import RecordedCorrection, Sentences
from judgments.exchange.importers.writing import (
    AssignmentWriter,
    Filled,
    known_keys,
    note_import,
    recorded_screens,
    refuse_archived,
    refuse_other_answers,
)
from judgments.models import Campaign, Edit, Screen, Segment
from judgments.rules.errors import Refused
from judgments.rules.progress import Progress, no_progress

AT_ONCE = 500
SAME_CORRECTIONS = UUID("2d9f4a70-6f9c-4c59-8a37-90a2f6c8b3d5")
Keyed = tuple[UUID, RecordedCorrection]


class ImportedCorrections(NamedTuple):
    """What a file brought: new corrections and how many the campaign had already, and what the whole file holds."""

    added: int
    known: int
    judges: int
    skipped: int
    sentences: int
    edits: int


@transaction.atomic
def record_corrections(
    campaign: Campaign,
    file: str,
    content: bytes,
    file_format: str,
    judges: Sequence[str] = (),
    progress: Progress = no_progress,
) -> ImportedCorrections:
    """Store the corrections of a file that are not there yet; refuse a file about other sentences.

    Judges who have only a number in the file get these names, in their order, or `judge-0` and so on.
    """
    refuse_other_answers(campaign, Edit, "corrections")
    refuse_archived(campaign)
    segments = list(Segment.objects.filter(campaign=campaign, text__isnull=False).order_by("position"))
    if not segments:
        raise Refused(f"{campaign.slug} has no sentences yet; bring in the source first, then the corrections of it.")
    sentences = Sentences(
        tuple(segment.position for segment in segments), tuple(segment.text or "" for segment in segments)
    )
    recorded = CORRECTIONS[file_format](file, content, sentences, judges)
    there = known_keys(campaign)
    keyed = [(key, one) for key, one in _keyed(recorded, campaign.slug, sentences) if key not in there]
    _Recorder(campaign, segments).write(keyed, progress)
    note_import(campaign, f"{len(keyed)} corrections", file)
    return ImportedCorrections(
        added=len(keyed),
        known=len(recorded) - len(keyed),
        judges=len({one.judge for one in recorded}),
        skipped=sum(bool(one.skip_reason) for one in recorded),
        sentences=len({one.sentence for one in recorded}),
        edits=sum(len(one.edits) for one in recorded),
    )


def _keyed(recorded: Sequence[RecordedCorrection], campaign: str, sentences: Sentences) -> list[Keyed]:
    """A key for each, the same whenever the same comes in; equal ones are told apart by their count."""
    seen: Counter[str] = Counter()
    keyed = []
    for one in recorded:
        identity = repr((campaign, one.judge, sentences.positions[one.sentence], one.edits, one.skip_reason))
        keyed.append((uuid5(SAME_CORRECTIONS, f"{identity}#{seen[identity]}"), one))
        seen[identity] += 1
    return keyed


class _Recorder:
    """Writes corrections; a screen a sentence is shared."""

    def __init__(self, campaign: Campaign, segments: Sequence[Segment]):
        self.campaign, self.segments = campaign, segments
        self.screens = {screen.segment_id: screen for screen in recorded_screens(campaign).order_by("-pk")}
        self.assignments = AssignmentWriter(campaign)

    def write(self, keyed: Sequence[Keyed], progress: Progress) -> None:
        self.assignments.find_judges(one.judge for _, one in keyed)
        self._make_screens({self.segments[one.sentence].pk for _, one in keyed})
        for start in range(0, len(keyed), AT_ONCE):
            part = keyed[start : start + AT_ONCE]
            self._write(part)
            progress(start + len(part), len(keyed))

    def _make_screens(self, segments: set[int]) -> None:
        new = [Screen(campaign=self.campaign, segment_id=pk) for pk in sorted(segments - self.screens.keys())]
        self.screens |= {screen.segment_id: screen for screen in Screen.objects.bulk_create(new)}

    def _write(self, part: Sequence[Keyed]) -> None:
        judgments = self.assignments.write(
            [
                Filled(
                    key,
                    one.judge,
                    self.screens[self.segments[one.sentence].pk],
                    skip_reason=one.skip_reason,
                    seconds=one.seconds,
                )
                for key, one in part
            ]
        )
        Edit.objects.bulk_create(
            Edit(judgment=judgment, position=position, **edit._asdict())
            for judgment, (_, one) in zip(judgments, part, strict=True)
            for position, edit in enumerate(one.edits)
        )
