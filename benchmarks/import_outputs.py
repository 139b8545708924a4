"""Bringing in 100,000 sentences of 10 systems, a million lines, into an empty platform on SQLite.

The reference writes as many bare rows (system, segment, candidate) under the same pragmas and unique index, without
texts, candidates, checks or foreign keys: what the database alone would cost.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from benchmarks.installation import fresh_installation
from benchmarks.maker import write_material
from benchmarks.processes import apart
from benchmarks.table import Row

SENTENCES, SYSTEMS = 100_000, 10
SMALL_SENTENCES = 1_000


def measure(small: bool) -> list[Row]:
    """Make the material, write the bare rows, import."""
    sentences = SMALL_SENTENCES if small else SENTENCES
    size = f"{sentences:,} x {SYSTEMS}"
    with fresh_installation() as platform:
        texts = platform.folder / "texts"
        made = apart(write_material, texts, sentences, SYSTEMS)
        bare = apart(write_bare_rows, platform.folder / "bare.sqlite3", sentences, SYSTEMS)
        imported = platform.manage("import_outputs", "benchmark", texts)
    return [
        Row("make the texts", size, made.seconds, made.megabytes),
        Row("reference: bare rows", size, bare.seconds, bare.megabytes, 1),
        Row("manage.py import_outputs", size, imported.seconds, imported.megabytes, imported.seconds / bare.seconds),
    ]


def write_bare_rows(file: Path, sentences: int, systems: int) -> None:
    """Write one row an output with nothing but the database's own work."""
    rows = ((system, segment, segment * systems + system) for segment in range(sentences) for system in range(systems))
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=NORMAL")
        database.execute("CREATE TABLE output (id INTEGER PRIMARY KEY AUTOINCREMENT, system, segment, candidate)")
        database.execute("CREATE UNIQUE INDEX one_output_per_system_and_segment ON output (system, segment)")
        database.executemany("INSERT INTO output (system, segment, candidate) VALUES (?, ?, ?)", rows)
