"""Ballots for tests: a few written by hand, any that there could be, and the published ones."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from ranking.stats.ballots import BallotCandidates, Ballots, starts_of
from ranking.stats.resampling import draw
from tests import published

MOST_SYSTEMS, MOST_JUDGES = 6, 8


class Group(NamedTuple):
    """Systems whose outputs were one candidate, and its merit: the higher the better, so rank r is merit -r."""

    systems: tuple[int, ...]
    merit: float


class Ballot(NamedTuple):
    """The judgment of one judge on one segment, in the order shown; a skipped one has no groups."""

    judge: int
    segment: int
    groups: tuple[Group, ...]
    seconds: float = float("nan")


def ballot(*groups: tuple[str, float], judge: int = 0, segment: int = 0) -> Ballot:
    """A ballot that ranks systems A, B, C ... as 0, 1, 2 ...: ballot(("AB", 1), ("C", 2))."""
    ranked = ((tuple(ord(name) - ord("A") for name in names), rank) for names, rank in groups)
    return Ballot(judge, segment, tuple(Group(systems, -rank) for systems, rank in ranked))


def columns(ballots: Sequence[Ballot], systems: int = MOST_SYSTEMS, judges: int = MOST_JUDGES) -> Ballots:
    """Ballots as statistics take them: each segment is a document, and equal groups of a segment are one candidate."""
    segments, segment = np.unique([one.segment for one in ballots], return_inverse=True)
    groups = [(one.segment, group) for one in ballots for group in one.groups]
    known: dict[tuple[int, tuple[int, ...]], int] = {}
    for place, group in groups:
        known.setdefault((place, group.systems), len(known))
    members = [behind for _, behind in known]
    return Ballots(
        systems=systems, judges=judges, documents=len(segments), segment=segment.astype(np.int32),
        judge=np.array([one.judge for one in ballots], dtype=np.int32),
        seconds=np.array([one.seconds for one in ballots], dtype=np.float64),
        starts=starts_of([len(one.groups) for one in ballots]),
        candidate=np.array([known[place, group.systems] for place, group in groups], dtype=np.int32),
        merit=np.array([group.merit for _, group in groups], dtype=np.float64),
        candidates=BallotCandidates(starts_of(list(map(len, members))), np.fromiter(chain(*members), dtype=np.int32)),
        document_of=np.arange(len(segments), dtype=np.int32),
    )  # fmt: skip


def without_system(ballots: Sequence[Ballot], system: int) -> list[Ballot]:
    """The ballots as if one system had not taken part; the others keep their order and are renumbered."""
    reduced = []
    for one in ballots:
        behind = ((tuple(other - (other > system) for other in group.systems if other != system), group.merit)
                  for group in one.groups)  # fmt: skip
        reduced.append(one._replace(groups=tuple(Group(systems, merit) for systems, merit in behind if systems)))
    return reduced


@st.composite
def any_ballot(draw) -> Ballot:
    """Some systems, distributed over candidates, ranked with ties and gaps; perhaps none at all."""
    shown = draw(st.lists(st.integers(0, MOST_SYSTEMS - 1), unique=True))
    candidates: dict[int, list[int]] = {}
    for system in shown:
        candidates.setdefault(draw(st.integers(0, 3)), []).append(system)
    groups = tuple(Group(tuple(systems), -draw(st.integers(1, 5))) for systems in candidates.values())
    return Ballot(draw(st.integers(0, 3)), draw(st.integers(0, 9)), groups)


any_ballots = st.lists(any_ballot(), max_size=8)


@cache
def published_ballots() -> list[Ballot]:
    """The rankings of Grundkiewicz et al. (2015) with judges and systems in order of their names."""
    judges = {name: number for number, name in enumerate(published.golden()["judges"])}
    systems = {name: number for number, name in enumerate(published.golden()["systems"])}
    return [
        Ballot(
            judges[row.judge],
            row.about,
            tuple(Group(tuple(systems[name] for name in group.systems.split()), -group.value) for group in row.groups),
        )
        for row in published.rankings()
    ]


@cache
def published_columns() -> Ballots:
    """The same as arithmetic takes them."""
    return columns(published_ballots(), len(published.golden()["systems"]), len(published.golden()["judges"]))


def really_drawn(replicates: int, seed: int) -> Iterator[Ballots]:
    """The published ballots of sentences that were drawn, a sentence drawn twice being two sentences."""
    by_sentence: dict[int, list[Ballot]] = {}
    for one in sorted(published_ballots(), key=lambda one: one.segment):
        if one.groups:
            by_sentence.setdefault(one.segment, []).append(one)
    for weights in draw(len(by_sentence), replicates, seed).T:
        copies = [
            one._replace(segment=number * 10 + copy)
            for number, ballots in enumerate(by_sentence.values())
            for copy in range(weights[number])
            for one in ballots
        ]
        yield columns(copies, len(published.golden()["systems"]), len(published.golden()["judges"]))


def rated(*merits: Sequence[float]) -> list[Ballot]:
    """Ratings of the only output of each of some sentences, judge by judge: rated((1, 3), (5, 7))."""
    return [
        Ballot(judge, segment, (Group((0,), float(merit)),))
        for segment, row in enumerate(merits)
        for judge, merit in enumerate(row)
    ]


def rating(judge: int, sentence: int, *merits: tuple[str, float]) -> Ballot:
    """A judge's ratings on a sentence: rating(0, 0, ("AB", 70), ("C", 50))."""
    groups = (Group(tuple(ord(name) - ord("A") for name in names), float(merit)) for names, merit in merits)
    return Ballot(judge, sentence, tuple(groups))
