"""Verdicts that others collected: each becomes a seat with a judgment and what was found."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from uuid import UUID, uuid5

from django.db import transaction

from judgments.exchange.importers.rules.verdicts_csv import RecordedVerdict, read_verdicts_csv
from judgments.exchange.importers.writing import (
    Filled,
    SeatWriter,
    known_keys,
    note_import,
    recorded_screens,
    refuse_archived,
)
from judgments.material.storing_usages import refuse_other_protocols
from judgments.models import Campaign, Instance, Screen, Verdict
from judgments.rules.errors import Refused
from judgments.rules.progress import Progress, no_progress

AT_ONCE = 500
SAME_VERDICTS = UUID("6b0f3a1e-70a1-4d3c-9a55-0e6a2c1f4d87")
# An instance by name, and whether it was asked about as a control.
Place = tuple[str, bool]


class ImportedVerdicts(NamedTuple):
    """What a file brought: new verdicts and how many the campaign had already, and what the whole file holds.

    Rows of excluded judges and of programs were left out.
    """

    added: int
    known: int
    judges: int
    skipped: int
    instances: int
    left_out: int


@transaction.atomic
def record_verdicts(
    campaign: Campaign, file: str, content: bytes, progress: Progress = no_progress
) -> ImportedVerdicts:
    """Store the verdicts of a file that are not there yet; refuse a file about other instances."""
    refuse_other_protocols(campaign)
    refuse_archived(campaign)
    instances = {instance.name: instance for instance in Instance.objects.filter(campaign=campaign)}
    if not instances:
        raise Refused(f"{campaign.slug} has no instances yet; bring them in first, then the verdicts on them.")
    recorded, left_out = read_verdicts_csv(file, content, instances)
    there = known_keys(campaign)
    keyed = [(key, one) for key, one in _keyed(recorded, campaign.slug) if key not in there]
    screens = _screens(campaign, {(one.instance, one.is_control): instances[one.instance] for _, one in keyed})
    writer = SeatWriter(campaign)
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
        instances=len({one.instance for one in recorded}),
        left_out=left_out,
    )


def _keyed(recorded: Sequence[RecordedVerdict], campaign: str) -> list[tuple[UUID, RecordedVerdict]]:
    """A key for each, the same whenever the same comes in; equal ones are told apart by their count."""
    seen: Counter[str] = Counter()
    keyed = []
    for one in recorded:
        identity = repr((campaign, one.judge, one.instance, one.finding, one.skip_reason, one.is_control))
        keyed.append((uuid5(SAME_VERDICTS, f"{identity}#{seen[identity]}"), one))
        seen[identity] += 1
    return keyed


def _screens(campaign: Campaign, wanted: Mapping[Place, Instance]) -> dict[Place, Screen]:
    """A screen for each instance, and another for it as a control, shared by all who judged it."""
    there = recorded_screens(campaign).select_related("instance").order_by("-pk")
    screens = {(screen.instance.name, screen.has_control): screen for screen in there if screen.instance}
    new = {place: instance for place, instance in wanted.items() if place not in screens}
    made = Screen.objects.bulk_create(
        Screen(campaign=campaign, segment_id=instance.segment_id, instance=instance, has_control=is_control)
        for (_, is_control), instance in new.items()
    )
    return screens | dict(zip(new, made, strict=True))


def _write(writer: SeatWriter, part: Sequence[tuple[UUID, RecordedVerdict]], screens: dict[Place, Screen]) -> None:
    judgments = writer.write(
        [
            Filled(
                key,
                one.judge,
                screens[one.instance, one.is_control],
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
