"""Reading the judgments of a large campaign from SQLite into the columns that statistics take.

The reference has SQLite read the same rows, joined in the same way, with nothing done about them. Every run checks that
the ballots that come out are those that were written.
"""

import sqlite3
from contextlib import closing
from dataclasses import fields
from pathlib import Path

import numpy as np

from benchmarks.ballots import Shape, made_ballots
from benchmarks.installation import Installation, fresh_installation
from benchmarks.judged import SLUG, fill
from benchmarks.processes import Measured, apart, timed
from benchmarks.table import Row
from ranking.stats.ballots import Ballots

SIZES, SMALL_SIZES = (100_000, 1_000_000), (200, 400)
SYSTEMS, JUDGES = 13, 50
BARE = """
    SELECT judgment.id, assignment.judge_id, screen.segment_id, judgment.wall_seconds, placement.candidate_id,
    placement.rank FROM judgments_judgment AS judgment JOIN judgments_assignment AS assignment ON assignment.id =
    judgment.assignment_id JOIN judgments_screen AS screen ON screen.id = judgment.screen_id JOIN judgments_placement AS
    placement ON placement.judgment_id = judgment.id WHERE judgment.current ORDER BY judgment.id, placement.id
"""


def measure(small: bool) -> list[Row]:
    """Fill a platform, read its rows bare, collect them."""
    return [row for rankings in (SMALL_SIZES if small else SIZES) for row in _rows(Shape(rankings, SYSTEMS, JUDGES))]


def _rows(shape: Shape) -> list[Row]:
    with fresh_installation() as platform:
        filled = apart(fill, platform, shape)
        bare = apart(read_bare, platform)
        found = apart(collect, platform).value
    _agree(found.value, made_ballots(shape))
    size = f"{filled.value:,} placements"
    return [
        Row("write the rows", size, filled.seconds, filled.megabytes),
        Row("reference: read them bare", size, bare.seconds, bare.megabytes, 1),
        Row("collect ballots", size, found.seconds, found.megabytes, found.seconds / bare.seconds),
    ]


def read_bare(platform: Installation) -> int:
    """Read every row and forget it; how many there were."""
    with closing(sqlite3.connect(_file(platform))) as database:
        return sum(1 for _ in database.execute(BARE))


def collect(platform: Installation) -> Measured[Ballots]:
    """What a report does first."""
    platform.enter()
    from ranking.extract import ballots

    from judgments.models import Campaign

    campaign = Campaign.objects.get(slug=SLUG)
    return timed(lambda: ballots.collect(campaign).ballots)


def _file(platform: Installation) -> Path:
    return next(platform.folder.glob("*.sqlite3"))


def _agree(found: Ballots, made: Ballots) -> None:
    """A fast way to other ballots would be worth nothing."""
    for field in fields(Ballots):
        one, other = getattr(found, field.name), getattr(made, field.name)
        pairs = [(one.starts, other.starts), (one.members, other.members)] if field.name == "candidates" else []
        if not all(np.array_equal(*both) for both in pairs or [(one, other)]):
            raise SystemExit(f"Reading gives another {field.name} than was written.")
