"""Ballots from rows of what judges said, wherever these come from."""

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from ranking.stats.ballots import BallotCandidates, Ballots, starts_of


class BallotVersion(NamedTuple):
    """What a judge said of one version: the systems that wrote it, and its merit, the higher the better.

    `ballot` is the judge, the sentence, and what tells their judgments of it apart.
    """

    ballot: tuple[str, Any, str]
    document: str
    systems: tuple[str, ...]
    merit: float


# With the names of systems and judges behind their numbers.
NumberedBallots = tuple[Ballots, tuple[str, ...], tuple[str, ...]]


def number_ballots(rows: Sequence[BallotVersion], sentences: Sequence[Any] | None = None) -> NumberedBallots:
    """Number everything in the order of its names, so that the order of rows changes no number.

    `sentences` are all in order, judged or not; without them, those that were judged.
    """
    by_ballot = attrgetter("ballot")
    ballots = [(key, list(group)) for key, group in groupby(sorted(rows, key=by_ballot), by_ballot)]
    judges = sorted({judge for (judge, _, _), _ in ballots})
    sentences = sorted({sentence for (_, sentence, _), _ in ballots}) if sentences is None else sentences
    systems = sorted({system for row in rows for system in row.systems})
    versions = sorted({(row.ballot[1], row.systems) for row in rows})
    document_of = {row.ballot[1]: row.document or row.ballot[1] for row in rows}
    documents = sorted({document_of.get(sentence, sentence) for sentence in sentences})
    number = {name: place for place, name in enumerate(systems)}
    candidate = {version: place for place, version in enumerate(versions)}
    found = Ballots(
        systems=len(systems),
        judges=len(judges),
        documents=len(documents),
        judge=np.searchsorted(judges, [judge for (judge, _, _), _ in ballots]),
        segment=np.searchsorted(sentences, [sentence for (_, sentence, _), _ in ballots]),
        seconds=np.full(len(ballots), -1.0),
        starts=starts_of([len(group) for _, group in ballots]),
        candidate=np.array([candidate[row.ballot[1], row.systems] for _, group in ballots for row in group]),
        merit=np.array([row.merit for _, group in ballots for row in group]),
        candidates=BallotCandidates(
            starts_of([len(names) for _, names in versions]),
            np.array([number[name] for _, names in versions for name in names], dtype=np.int32),
        ),
        document_of=np.searchsorted(documents, [document_of.get(sentence, sentence) for sentence in sentences]),
    )
    return found, tuple(systems), tuple(judges)
