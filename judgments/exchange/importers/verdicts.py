"""Importing verdicts collected outside the platform: each becomes an assignment with a judgment and its finding."""

from collections.abc import Mapping
from uuid import UUID

from judgments.exchange.importers.kinds import Found, JudgmentKind, not_yet_stored
from judgments.exchange.importers.rules import VERDICTS
from judgments.exchange.importers.rules.recorded import Options, keys_of
from judgments.exchange.importers.rules.verdicts_csv import read_verdicts_csv
from judgments.exchange.importers.writing import AssignmentWriter, NewJudgment, chunks_of, recorded_screens
from judgments.models import Campaign, Screen, Usage, Verdict
from judgments.rules.errors import Refused
from judgments.rules.files.text_files import UploadedFile
from judgments.rules.progress import Progress

SAME_VERDICTS = UUID("6b0f3a1e-70a1-4d3c-9a55-0e6a2c1f4d87")
OUTCOME = (
    "{added} verdicts added, {known} were already stored. The file contains {total} verdicts on {subjects} usages by "
    "{judges} judges, {skipped} of them skipped; {details} rows of excluded judges and programs were left out."
)
# A usage by name, and whether it was a control.
Place = tuple[str, bool]


def read_verdicts(campaign: Campaign, file: UploadedFile, options: Options) -> Found:
    """Read a file about the usages of the campaign."""
    usages = set(Usage.objects.filter(campaign=campaign).values_list("name", flat=True))
    if not usages:
        raise Refused(f"{campaign.slug} has no usages yet; import them first, then their verdicts.")
    recorded, left_out = read_verdicts_csv(*file, usages)
    identities = (
        (campaign.slug, one.judge, one.usage, one.finding, one.skip_reason, one.is_control) for one in recorded
    )
    new = not_yet_stored(campaign, keys_of(SAME_VERDICTS, identities), recorded)
    return Found.of(
        new,
        (one.judge for one in recorded),
        skipped=sum(bool(one.skip_reason) for one in recorded),
        subjects=len({one.usage for one in recorded}),
        details=left_out,
        sentence=OUTCOME,
    )


def store_verdicts(campaign: Campaign, found: Found, progress: Progress) -> None:
    usages = {usage.name: usage for usage in Usage.objects.filter(campaign=campaign)}
    screens = _screens(campaign, {(one.usage, one.is_control): usages[one.usage] for _, one in found.new})
    writer = AssignmentWriter(campaign, (one.judge for _, one in found.new))
    for part in chunks_of(found.new, progress):
        new_judgments = [
            NewJudgment(key, one.judge, screens[one.usage, one.is_control], "", one.skip_reason, one.seconds)
            for key, one in part
        ]
        Verdict.objects.bulk_create(
            Verdict(judgment=judgment, finding=one.finding)
            for judgment, (_, one) in zip(writer.write(new_judgments), part, strict=True)
            if one.finding
        )


def _screens(campaign: Campaign, usages: Mapping[Place, Usage]) -> dict[Place, Screen]:
    """Return a screen for each usage, and another one for it as a control; its judges share them."""
    earlier = recorded_screens(campaign).select_related("usage").order_by("-pk")
    screens = {(screen.usage.name, screen.has_control): screen for screen in earlier if screen.usage}
    new = {place: usage for place, usage in usages.items() if place not in screens}
    created = Screen.objects.bulk_create(
        Screen(campaign=campaign, segment_id=usage.segment_id, usage=usage, has_control=is_control)
        for (_, is_control), usage in new.items()
    )
    return screens | dict(zip(new, created, strict=True))


KIND = JudgmentKind(
    "verdicts",
    Verdict,
    {VERDICTS: "columns judge, usage, finding (error, ok, unknown; empty for a skip), like judgments.csv"},
    "its usages (import_outputs)",
    read_verdicts,
    store_verdicts,
    subject="usage",
)
