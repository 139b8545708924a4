"""Bringing material in, the chances by which sentences are drawn, and claiming seats until a campaign is full."""

import random
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from itertools import combinations, cycle
from math import isclose
from pathlib import Path
from time import perf_counter
from typing import NamedTuple
from uuid import uuid4

from benchmarks.harness import SEED, Row, apart, must_agree
from benchmarks.platforms import Installation, fresh_installation
from benchmarks.texts import multiplicities
from judgments.rules.sampling import probabilities, weights

SYSTEMS = 10
SCREEN_SIZE = 5
# Sentences whose sets the reference of `sampling` lists.
LISTED = 100
# Two rounds in batches of 20, of which 2 are repeats.
SETTINGS = {"redundancy": 2, "batch_size": 20, "repeat_share": 0.1, "seed": SEED}
# The first seats pay for what a process does only once.
WARMING_UP = 10


def import_outputs(small: bool) -> list[Row]:
    """A million lines into an empty platform on SQLite; the reference is what the database alone needs for them."""
    sentences = 1_000 if small else 100_000
    size = f"{sentences:,} x {SYSTEMS}"
    with fresh_installation() as platform:
        bare = apart(write_bare_rows, platform.folder / "bare.sqlite3", sentences)
        made, imported = platform.bring_in("benchmark", sentences, SYSTEMS)
    return [
        Row.of("make the texts", size, made),
        Row.of("reference: bare rows", size, bare, bare.seconds),
        Row.of("manage.py import_outputs", size, imported, bare.seconds),
    ]


def write_bare_rows(file: Path, sentences: int) -> None:
    """Write one row an output under the platform's pragmas and unique index."""
    rows = ((system, segment, segment * SYSTEMS + system) for segment in range(sentences) for system in range(SYSTEMS))
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=NORMAL")
        database.execute("CREATE TABLE output (id INTEGER PRIMARY KEY AUTOINCREMENT, system, segment, candidate)")
        database.execute("CREATE UNIQUE INDEX one_output_per_system_and_segment ON output (system, segment)")
        database.executemany("INSERT INTO output (system, segment, candidate) VALUES (?, ?, ?)", rows)


def sampling(small: bool) -> list[Row]:
    """The chance that a draw takes a sentence; the reference lists every set of outputs that fits on a screen."""
    rows = []
    for sentences, systems in ((100, 6), (200, 8)) if small else ((1312, 13), (10_000, 30)):
        material = multiplicities(sentences, systems)
        found = apart(probabilities, material, SCREEN_SIZE)
        # Every so many sentences, so that the few are like the rest.
        few = material[:: sentences // LISTED][:LISTED]
        listed = apart(weights_by_listing, few, SCREEN_SIZE)
        must_agree(all(map(isclose, listed.value, weights(few, SCREEN_SIZE))), "weights of sentences")
        listed = listed._replace(seconds=listed.seconds * sentences / len(few))
        size, patterns = f"{sentences:,} x {systems}", len({tuple(sorted(of)) for of in material})
        rows += [
            Row.of(f"reference: listing sets, from {len(few)} sentences", size, listed, listed.seconds),
            Row.of(f"p of {patterns:,} patterns", size, found, listed.seconds),
        ]
    return rows


def weights_by_listing(multiplicities: Sequence[Sequence[int]], size: int) -> list[float]:
    """p' as the formula is written: from every set of outputs that fits and stands for `size` systems or more."""
    return [_weight_by_listing(of, min(size, sum(of))) for of in multiplicities]


def _weight_by_listing(of: Sequence[int], size: int) -> float:
    sets = (sum(chosen) for count in range(1, size + 1) for chosen in combinations(of, count))
    covered = [systems for systems in sets if systems >= size]
    cover = sum(covered) / len(covered)
    return size * (size - 1) / (cover * (cover - 1))


class Filled(NamedTuple):
    """How many seats were dealt in how many seconds, and the seconds of each seat that was filled."""

    seats: int
    dealing: float
    filling: list[float]


def claiming(small: bool) -> list[Row]:
    """Judges take turns until no seat is left; a ratio near 1 says that claiming does not slow down meanwhile."""
    sentences, screens, judges, stretch = (100, 90, 4, 20) if small else (3_000, 9_000, 8, 200)
    with fresh_installation() as platform:
        platform.bring_in("benchmark", sentences, SYSTEMS)
        filled = apart(fill, platform, screens, judges)
    seats, dealing, filling = filled.value
    first, last = sum(filling[WARMING_UP:][:stretch]), sum(filling[-stretch:])
    return [
        Row("deal", f"{seats:,} seats", dealing, filled.megabytes),
        Row("claim and submit: all", f"{len(filling):,} seats", sum(filling), filled.megabytes),
        Row("reference: the first", f"{stretch:,} seats", first, filled.megabytes, 1),
        Row("claim and submit: the last", f"{stretch:,} seats", last, filled.megabytes, last / first),
    ]


def fill(platform: Installation, screens: int, judges: int) -> Filled:
    """Deal screens, then let judges take turns, a seat each, until none of them finds another."""
    platform.enter()
    from judgments import campaigns, dealing, scheduling
    from judgments.models import Membership

    campaign = campaigns.configure(campaigns.find_or_prepare("benchmark"), **SETTINGS)
    start = perf_counter()
    dealt = dealing.deal(campaign, screens)
    seconds = perf_counter() - start
    scheduling.open_campaign(campaign)
    waiting = [
        Membership.objects.create(campaign=campaign, role=Membership.Role.JUDGE, pseudonym=f"judge-{number}")
        for number in range(1, judges + 1)
    ]
    return Filled(dealt.seats, seconds, _take_turns(waiting))


def _take_turns(waiting: list) -> list[float]:
    rng, gone, filling = random.Random(SEED), set(), []
    for judge in cycle(waiting):
        if len(gone) == len(waiting):
            break
        if judge.pk not in gone:
            start = perf_counter()
            if _judge_one(judge, rng):
                filling.append(perf_counter() - start)
            else:
                gone.add(judge.pk)
    return filling


def _judge_one(judge, rng: random.Random) -> bool:
    """Claim a seat and submit a ranking; False if there is no seat."""
    from judgments import scheduling, submission

    seat = scheduling.claim_straight_on(judge)
    if seat is not None:
        submission.submit(seat, key=uuid4(), answers=[rng.randint(1, len(seat.order)) for _ in seat.order])
    return seat is not None
