"""Ballots for tests: a few written by hand, any that there could be, and the published ones."""

from collections.abc import Sequence
from functools import cache

from hypothesis import strategies as st

from ranking.stats.ballots import Ballot, Ballots, Group
from tests import published

MOST_SYSTEMS, MOST_JUDGES = 6, 8


def ballot(*groups: tuple[str, float], judge: int = 0, segment: int = 0) -> Ballot:
    """A ballot that ranks systems A, B, C ... as 0, 1, 2 ...: ballot(("AB", 1), ("C", 2))."""
    ranked = ((tuple(ord(name) - ord("A") for name in names), rank) for names, rank in groups)
    return Ballot(judge, segment, tuple(Group(systems, -rank) for systems, rank in ranked))


def columns(ballots: Sequence[Ballot], systems: int = MOST_SYSTEMS, judges: int = MOST_JUDGES) -> Ballots:
    """Ballots as arithmetic takes them."""
    return Ballots.of(ballots, systems, judges)


@st.composite
def any_ballot(draw) -> Ballot:
    """Some systems, dealt to candidates, ranked with ties and gaps; perhaps none at all."""
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
            row.segment,
            tuple(Group(tuple(systems[name] for name in group.systems.split()), -group.rank) for group in row.groups),
        )
        for row in published.rankings()
    ]


@cache
def published_columns() -> Ballots:
    """The same as arithmetic takes them."""
    return columns(published_ballots(), len(published.golden()["systems"]), len(published.golden()["judges"]))


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
