"""Importing material, and the probabilities with which sentences are drawn."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import combinations
from math import isclose
from pathlib import Path

from benchmarks.ballots import PUBLISHED
from benchmarks.harness import Row, apart, must_agree
from benchmarks.platforms import Installation, fresh_installation, on_servers
from judgments.assignment.rules.sampling import chances
from tests.services.texts import multiplicities

SYSTEMS = (5, 10)
SCREEN_SIZE = 5
# Sentences whose sets the reference of `sampling` lists.
LISTED = 100
# The published file that lacks a line has an empty output there.
OF_PUBLISHED = ("--source-takes-part", "--empty-lines", "output", "--guidance", "none")


def import_outputs(small: bool) -> list[Row]:
    """Import outputs by one command each, in seconds of its CPU; the reference writes bare rows into SQLite."""
    sentences = 100 if small else 100_000
    with fresh_installation() as platform:
        bare = apart(write_bare_rows, platform.folder / "bare.sqlite3", sentences, SYSTEMS[-1])
        rows = [Row.of("reference: bare rows", f"{sentences:,} x {SYSTEMS[-1]}", bare, bare.seconds)]
        rows += _imported(platform, "SQLite", sentences, bare.seconds)
    with on_servers() as (platform, _):
        return [*rows, *_imported(platform, "PostgreSQL", sentences, bare.seconds)]


def _imported(platform: Installation, database: str, sentences: int, bare: float) -> Iterator[Row]:
    taken = {f"{sentences:,} x {many}": platform.bring_in(f"of-{many}", sentences, many) for many in SYSTEMS}
    if (published := PUBLISHED.parent / "outputs").exists():
        taken["1,312 x 13"] = platform.manage("import_outputs", "published", published, *OF_PUBLISHED)
    for size, measured in taken.items():
        yield Row.of(f"import_outputs, {database}", size, measured._replace(seconds=measured.computed), bare)


def write_bare_rows(file: Path, sentences: int, systems: int) -> None:
    """Write one row per output under the platform's pragmas and unique index."""
    rows = ((system, segment, segment * systems + system) for segment in range(sentences) for system in range(systems))
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=NORMAL")
        database.execute("CREATE TABLE output (id INTEGER PRIMARY KEY AUTOINCREMENT, system, segment, candidate)")
        database.execute("CREATE UNIQUE INDEX one_output_per_system_and_segment ON output (system, segment)")
        database.executemany("INSERT INTO output (system, segment, candidate) VALUES (?, ?, ?)", rows)


def sampling(small: bool) -> list[Row]:
    """Compute the chances of sentences; the reference lists every set of outputs that fits on a screen."""
    rows = []
    for sentences, systems in ((100, 6), (200, 8)) if small else ((1312, 13), (10_000, 30)):
        material = multiplicities(sentences, systems)
        found = apart(chances, material, SCREEN_SIZE)
        # Evenly spaced sentences, which are like the rest.
        few = material[:: sentences // LISTED][:LISTED]
        listed = apart(chances_by_listing, few, SCREEN_SIZE)
        must_agree(all(map(isclose, listed.value, chances(few, SCREEN_SIZE))), "chances of sentences")
        listed = listed.for_all(sentences / len(few))
        size, patterns = f"{sentences:,} x {systems}", len({tuple(sorted(of)) for of in material})
        rows += [
            Row.of(f"reference: listing sets, from {len(few)} sentences", size, listed, listed.seconds),
            Row.of(f"p of {patterns:,} patterns", size, found, listed.seconds),
        ]
    return rows


def chances_by_listing(multiplicities: Sequence[Sequence[int]], screen: int) -> list[float]:
    """Compute p' by definition: from every set of outputs that fits on a screen and covers enough systems."""
    found = []
    for of in multiplicities:
        size = min(screen, sum(of))
        sets = (sum(chosen) for count in range(1, size + 1) for chosen in combinations(of, count))
        covered = [systems for systems in sets if systems >= size]
        cover = sum(covered) / len(covered)
        found.append(size * (size - 1) / (cover * (cover - 1)))
    return found
