"""A campaign full of judgments, its rows written straight into an SQLite database, as millions of them must be."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import repeat
from typing import Any
from uuid import UUID

import numpy as np

from benchmarks.ballots import ON_A_SCREEN, Shape, made_judgments
from benchmarks.installation import Installation
from ranking.stats.ballots import Ballots

SLUG = "judged"
WHEN = "2015-09-17 12:00:00"


def fill(platform: Installation, shape: Shape) -> int:
    """Write made ballots as judgments; how many placements there are."""
    platform.enter()
    ballots, sentence_of = made_judgments(shape)
    campaign = _campaign(ballots)
    from django.conf import settings

    with closing(sqlite3.connect(settings.DATABASES["default"]["NAME"])) as database, database:
        for model, columns in {**_material(ballots, sentence_of, campaign), **_judgments(ballots, campaign)}.items():
            _insert(database, model, columns)
        database.execute("ANALYZE")
    return len(ballots.candidate)


def _campaign(ballots: Ballots) -> int:
    """The campaign, its systems and its judges, whose rows are few."""
    from judgments.models import Campaign, Membership, System

    campaign = Campaign.objects.create(slug=SLUG, name=SLUG)
    # Numbers of rows follow those of the ballots, and so do the names by which they are sorted.
    System.objects.bulk_create(
        System(pk=number + 1, campaign=campaign, name=f"system {number:04}") for number in range(ballots.systems)
    )
    Membership.objects.bulk_create(
        Membership(pk=number + 1, campaign=campaign, role=Membership.Role.JUDGE, pseudonym=f"judge {number:04}")
        for number in range(ballots.judges)
    )
    return campaign.pk


def _material(ballots: Ballots, sentence_of: np.ndarray, campaign: int) -> dict[type, dict[str, Iterable]]:
    """Documents, segments, candidates and outputs."""
    from judgments.models import Candidate, Document, Segment, SystemOutput

    candidate = np.repeat(np.arange(len(sentence_of)), ballots.candidates.sizes)
    documents, segments, candidates = range(ballots.documents), range(ballots.segments), range(len(sentence_of))
    return {
        Document: _rows(documents, campaign=campaign, name=map(str, documents), domain=""),
        Segment: _rows(
            segments, campaign=campaign, document=ballots.document_of + 1, position=segments, text="A sentence ."
        ),
        Candidate: _rows(
            candidates, segment=sentence_of + 1, text="A corrected sentence .", fingerprint=map(str, candidates)
        ),
        SystemOutput: _rows(
            candidate,
            system=ballots.candidates.members + 1,
            segment=sentence_of[candidate] + 1,
            candidate=candidate + 1,
            verbatim=None,
        ),
    }


def _judgments(ballots: Ballots, campaign: int) -> dict[type, dict[str, Iterable]]:
    """A screen, an assignment and a judgment for each ballot, and its placements."""
    from judgments.models import Assignment, Judgment, Placement, Screen, Slot

    each = range(len(ballots))
    place = np.arange(len(ballots.candidate)) - ballots.starts[ballots.ballot_of]
    order = ["".join(map(str, range(size))) for size in range(ON_A_SCREEN + 1)]
    on_screen = {"screen": ballots.ballot_of + 1, "candidate": ballots.candidate + 1}
    return {
        Screen: _rows(
            each, campaign=campaign, segment=ballots.segment + 1, batch=None, automatic=False, has_control=False,
            instance=None,
        ),
        Slot: _rows(place, **on_screen, position=place),
        Assignment: _rows(
            each, campaign=campaign, screen=np.arange(len(ballots)) + 1, batch=None, round=0, position=0,
            order=(order[size] for size in ballots.sizes.tolist()), repeats=None, judge=ballots.judge + 1,
            claimed_at=WHEN, leased_until=WHEN, submitted_at=WHEN,
        ),
        Judgment: _rows(
            each, assignment=np.arange(len(ballots)) + 1, screen=np.arange(len(ballots)) + 1,
            key=(UUID(int=number).hex for number in each), revision=1, current=True, skipped=False, skip_reason="",
            comment="", flagged=False, wall_seconds=ballots.seconds, active_seconds=None, submitted_at=WHEN,
        ),
        Placement: _rows(place, judgment=ballots.ballot_of + 1, **on_screen, rank=(-ballots.merit).astype(np.int64)),
    }  # fmt: skip


def _rows(like: Any, **columns: Any) -> dict[str, Iterable]:
    """Columns as long as something, numbered from 1; one value stands for a column of it."""
    return {"id": range(1, len(like) + 1), **{name: _values(column) for name, column in columns.items()}}


def _values(column: Any) -> Iterable:
    if isinstance(column, np.ndarray):
        return column.tolist()
    return column if isinstance(column, Iterator | range) else repeat(column)


def _insert(database: sqlite3.Connection, model: Any, columns: dict[str, Iterable]) -> None:
    names = ", ".join(f'"{model._meta.get_field(name).column}"' for name in columns)
    places = ", ".join("?" for _ in columns)
    database.executemany(
        f"INSERT INTO {model._meta.db_table} ({names}) VALUES ({places})",  # noqa: S608 (names of our own models)
        zip(*columns.values(), strict=False),
    )
