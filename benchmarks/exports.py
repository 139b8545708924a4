"""Exports of a campaign that is judged to its end, as they are streamed to a file.

The reference is what SQLite alone needs to read the answers in the order of their judgments. The same file is measured
when a tenth of the judgments is there: memory that does not grow with them is what a stream promises.
"""

import sqlite3
from collections.abc import Iterator
from time import perf_counter
from typing import NamedTuple

from benchmarks.campaign import SLUG
from benchmarks.installation import Installation, fresh_installation
from benchmarks.maker import SEED, write_material
from benchmarks.processes import Measured, apart
from benchmarks.table import Row

SYSTEMS, ROUNDS, JUDGES_A_ROUND, AT_ONCE = 10, 10, 20, 2000
SENTENCES, SCREENS = 5_000, 20_000
SMALL_SENTENCES, SMALL_SCREENS = 20, 40
SETTINGS = {"redundancy": ROUNDS, "batch_size": 20, "repeat_share": 0.0, "seed": SEED}
FIRST = "judgments.csv"
OTHERS = ("pairs-expanded.csv", "pairs-unexpanded.csv", "appraise.xml", "everything.jsonl", "campaign.zip")


class Written(NamedTuple):
    """How many lines and bytes an export has, and how long it took without the start of its process."""

    lines: int
    size: int
    seconds: float


def measure(small: bool) -> list[Row]:
    """Fill a round and export, fill the others and export in every format, then import the bundle elsewhere."""
    sentences, screens = (SMALL_SENTENCES, SMALL_SCREENS) if small else (SENTENCES, SCREENS)
    with fresh_installation() as platform, fresh_installation() as other:
        texts = platform.folder / "texts"
        write_material(texts, sentences, SYSTEMS)
        platform.manage("import_outputs", SLUG, texts)
        apart(assign, platform, screens)
        early = _exported(platform, FIRST, apart(fill, platform, range(1)).value)
        judgments = apart(fill, platform, range(1, ROUNDS)).value
        bare = apart(read_bare, platform).value
        rows = [
            early,
            Row("reference: bare answers", f"{bare.lines:,} rows", bare.seconds, 0, 1),
            *(_exported(platform, name, judgments, bare.seconds) for name in (FIRST, *OTHERS)),
        ]
        bundle = platform.folder / "campaign.zip"
        brought = other.manage("import_campaign", bundle)
        rows.append(Row("manage.py import_campaign", f"{judgments:,} judgments", brought.seconds, brought.megabytes))
    return rows


def _exported(platform: Installation, name: str, judgments: int, reference: float | None = None) -> Row:
    found: Measured[Written] = apart(export, platform, name)
    lines, size, seconds = found.value
    told = f"{judgments:,} judgments, " + (f"{lines:,} lines" if lines else f"{size:,} bytes")
    return Row(name, told, seconds, found.megabytes, seconds / reference if reference else None)


def assign(platform: Installation, screens: int) -> int:
    """Deal screens for several judges each."""
    platform.enter()
    # The platform's modules want its settings first.
    from judgments.assignment import assigning
    from judgments.campaigns import settings, states

    campaign = settings.configure(settings.find_or_prepare(SLUG), **SETTINGS)
    assigned = assigning.assign(campaign, screens)
    states.open_campaign(campaign)
    return assigned.assignments


def fill(platform: Installation, rounds: range) -> int:
    """Have judges submit from every assignment of some rounds; how many judgments there are."""
    platform.enter()
    from django.utils import timezone

    from judgments.models import Assignment, Campaign, Judgment, Membership

    campaign, now = Campaign.objects.get(slug=SLUG), timezone.now()
    for number in rounds:
        judges = [
            Membership.objects.create(
                campaign=campaign, role=Membership.Role.JUDGE, pseudonym=f"judge-{number}-{place}"
            )
            for place in range(JUDGES_A_ROUND)
        ]
        assignments = Assignment.objects.filter(campaign=campaign, round=number).order_by("pk")
        for place, part in enumerate(_parts(assignments)):
            judge = judges[place % JUDGES_A_ROUND]
            first, last = part[0].pk, part[-1].pk
            Assignment.objects.filter(campaign=campaign, round=number, pk__range=(first, last)).update(
                judge=judge, claimed_at=now, submitted_at=now
            )
            _rank(part)
    return Judgment.objects.count()


def _parts(assignments) -> Iterator[list]:
    there = list(assignments)
    for start in range(0, len(there), AT_ONCE):
        yield there[start : start + AT_ONCE]


def _rank(assignments: list) -> None:
    """Rankings in the order shown."""
    from judgments.models import Judgment, Placement, Slot

    slots: dict[int, list[int]] = {}
    screens = {assignment.screen_id for assignment in assignments}
    for screen, candidate in (
        Slot.objects.filter(screen__in=screens).order_by("screen", "position").values_list("screen", "candidate")
    ):
        slots.setdefault(screen, []).append(candidate)
    judgments = Judgment.objects.bulk_create(
        Judgment(assignment=assignment, screen_id=assignment.screen_id, wall_seconds=31.25, active_seconds=17.5)
        for assignment in assignments
    )
    Placement.objects.bulk_create(
        Placement(
            judgment=judgment,
            screen_id=judgment.screen_id,
            candidate_id=slots[judgment.screen_id][place],
            rank=(judgment.pk + place) % len(slots[judgment.screen_id]) + 1,
        )
        for judgment, assignment in zip(judgments, assignments, strict=True)
        for place in assignment.shown_positions()
    )


def export(platform: Installation, name: str, slug: str = SLUG) -> Written:
    """Write one format into a file."""
    platform.enter()
    from judgments.exchange.exporters import EXPORTS
    from judgments.models import Campaign

    campaign = Campaign.objects.get(slug=slug)
    lines = size = 0
    start = perf_counter()
    with (platform.folder / name).open("wb") as file:
        for block in EXPORTS[name].blocks(campaign):
            file.write(block)
            size += len(block)
            lines += block.count(b"\n")
    seconds = perf_counter() - start
    return Written(0 if name.endswith(".zip") else lines, size, seconds)


def read_bare(platform: Installation) -> Written:
    """Read the answers with nothing in between."""
    query = "SELECT judgment_id, candidate_id, rank FROM judgments_placement ORDER BY judgment_id, id"
    with sqlite3.connect(platform.folder / "appraise.sqlite3") as database:
        start = perf_counter()
        rows = sum(1 for _ in database.execute(query))
        return Written(rows, 0, perf_counter() - start)
