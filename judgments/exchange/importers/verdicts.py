"""Verdicts that others collected: each becomes an assignment with a judgment and what was found."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from uuid import UUID, uuid5

from django.db import transaction

from judgments.exchange.importers.rules.verdicts_csv import RecordedVerdict, read_verdicts_csv
from judgments.exchange.importers.writing import (
    AssignmentWriter,
    Filled,
    known_keys,
    note_import,
    recorded_screens,
    refuse_archived,
    refuse_other_answers,
)
from judgments.material.storing_usages import refuse_other_material
from judgments.models import Campaign, Screen, Usage, Verdict
from judgments.rules.errors import Refused
from judgments.rules.progress import Progress, no_progress

AT_ONCE = 500
SAME_VERDICTS = UUID("6b0f3a1e-70a1-4d3c-9a55-0e6a2c1f4d87")
# A usage by name, and whether it was asked about as a control.
Place = tuple[str, bool]


class ImportedVerdicts(NamedTuple):
    """What a file brought: new verdicts and how many the campaign had already, and what the whole file holds.

    Rows of excluded judges and of programs were left out.
    """

    added: int
    known: int
    judges: int
    skipped: int
    usages: int
    left_out: int


@transaction.atomic
def record_verdicts(
    campaign: Campaign, file: str, content: bytes, progress: Progress = no_progress
) -> ImportedVerdicts:
    """Store the verdicts of a file that are not there yet; refuse a file about other usages."""
    refuse_other_material(campaign)
    refuse_other_answers(campaign, Verdict, "verdicts")
    refuse_archived(campaign)
    usages = {usage.name: usage for usage in Usage.objects.filter(campaign=campaign)}
    if not usages:
        raise Refused(f"{campaign.slug} has no usages yet; bring them in first, then the verdicts on them.")
    recorded, left_out = read_verdicts_csv(file, content, usages)
    there = known_keys(campaign)
    keyed = [(key, one) for key, one in _keyed(recorded, campaign.slug) if key not in there]
    screens = _screens(campaign, {(one.usage, one.is_control): usages[one.usage] for _, one in keyed})
    writer = AssignmentWriter(campaign)
    writer.find_judges(one.judge for _, one in keyed)
    for start in range(0, len(keyed), AT_ONCE):
        part = keyed[start : start + AT_ONCE]
        _write(writer, part, screens)
        progress(start + len(part), len(keyed))
    note_import(campaign, f"{len(keyed)} verdicts", file)
    return ImportedVerdicts(
        added=len(keyed),
        known=len(recorded) - len(keyed),
        judges=len({one.judge for one in recorded}),
        skipped=sum(bool(one.skip_reason) for one in recorded),
        usages=len({one.usage for one in recorded}),
        left_out=left_out,
    )


def _keyed(recorded: Sequence[RecordedVerdict], campaign: str) -> list[tuple[UUID, RecordedVerdict]]:
    """A key for each, the same whenever the same comes in; equal ones are told apart by their count."""
    seen: Counter[str] = Counter()
    keyed = []
    for one in recorded:
        identity = repr((campaign, one.judge, one.usage, one.finding, one.skip_reason, one.is_control))
        keyed.append((uuid5(SAME_VERDICTS, f"{identity}#{seen[identity]}"), one))
        seen[identity] += 1
    return keyed


def _screens(campaign: Campaign, wanted: Mapping[Place, Usage]) -> dict[Place, Screen]:
    """A screen for each usage, and another for it as a control, shared by all who judged it."""
    there = recorded_screens(campaign).select_related("usage").order_by("-pk")
    screens = {(screen.usage.name, screen.has_control): screen for screen in there if screen.usage}
    new = {place: usage for place, usage in wanted.items() if place not in screens}
    made = Screen.objects.bulk_create(
        Screen(campaign=campaign, segment_id=usage.segment_id, usage=usage, has_control=is_control)
        for (_, is_control), usage in new.items()
    )
    return screens | dict(zip(new, made, strict=True))


def _write(
    writer: AssignmentWriter, part: Sequence[tuple[UUID, RecordedVerdict]], screens: dict[Place, Screen]
) -> None:
    judgments = writer.write(
        [
            Filled(
                key,
                one.judge,
                screens[one.usage, one.is_control],
                skip_reason=one.skip_reason,
                seconds=one.seconds,
            )
            for key, one in part
        ]
    )
    Verdict.objects.bulk_create(
        Verdict(judgment=judgment, finding=one.finding)
        for judgment, (_, one) in zip(judgments, part, strict=True)
        if one.finding
    )
