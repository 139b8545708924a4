"""Recorded ratings, and what the readers of their file formats share."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from judgments.exchange.importers.rules.recorded import FULL_SCALE, Group, Options, Recorded, RowFault, Score

NUMBER = re.compile(r"-?[0-9]{1,30}(\.[0-9]{1,30})?(e-?[0-9]{1,2})?", re.ASCII | re.IGNORECASE)


class RatedRow(NamedTuple):
    """A row with the score of one output, or with the reason of a skip; rows of one screen are one judgment."""

    line: int
    judge: str
    segment: int
    systems: str
    score: Score | None
    screen: str = ""
    seconds: float | None = None
    skip_reason: str = ""


class Ratings(NamedTuple):
    """The ratings of a file, the number of its first sentence if that is known, and notes on how it was read."""

    recorded: list[Recorded]
    numbered_from: int | None = None
    notes: tuple[str, ...] = ()


class Line(NamedTuple):
    """A line of the texts (from 0), and the output of each system there."""

    position: int
    outputs: Mapping[str, str]


class Known(NamedTuple):
    """The systems of a campaign with texts, and a function that finds the lines of each normalised sentence."""

    systems: Collection[str] = ()
    lines: Callable[[], Mapping[str, Sequence[Line]]] = dict


# A reader takes a file's name and content, the organiser's options, and what the campaign knows.
RatingsReader = Callable[[str, bytes, Options, Known], Ratings]


def score_of(text: str, scale: tuple[float, float]) -> float:
    """Read a score of this scale, and move it to one from 0 to 100.

    Toy: 3 of the scale from 1 to 5 is 50.
    """
    low, high = scale
    number = float(text) if NUMBER.fullmatch(text) else None
    if number is None or not low <= number <= high:
        raise RowFault(f"has {text[:40]!r} as score; a score is a number from {low:g} to {high:g}, such as 87.5")
    return number if scale == FULL_SCALE else 100 * (number - low) / (high - low)


def gathered(rows: Iterable[RatedRow]) -> list[Recorded]:
    """Join what one judge said about one sentence on one screen; an output rated again begins another judgment."""
    judgments: dict[tuple[str, int, str, int], list[RatedRow]] = {}
    # How often the judge has begun this screen, and what they rated on it since: its systems, or that it was skipped.
    times: Counter[tuple[str, int, str]] = Counter()
    rated: dict[tuple[str, int, str], set[str | None]] = {}
    for row in rows:
        place = (row.judge, row.segment, row.screen)
        here, what = rated.setdefault(place, set()), row.systems if row.score else None
        if here and (what is None or not here.isdisjoint({what, None})):
            times[place] += 1
            here.clear()
        here.add(what)
        judgments.setdefault((*place, times[place]), []).append(row)
    return [_recorded(together) for together in judgments.values()]


def _recorded(rows: list[RatedRow]) -> Recorded:
    first = rows[0]
    groups = tuple(Group(row.systems, row.score) for row in rows if row.score)
    return Recorded(first.line, first.judge, first.segment, groups, first.seconds, "", first.skip_reason)


def notes_on(name: str, options: Options, left_out: int, why: str) -> tuple[str, ...]:
    """Return notes on scores that were moved to another scale, and on rows that were left out."""
    notes = []
    if options.scale != FULL_SCALE:
        low, high = options.scale
        notes.append(f"{name}: scores from {low:g} to {high:g} are moved to the scale from 0 to 100")
    if left_out:
        notes.append(f"{name}: {left_out} row{'s' * (left_out != 1)} {why} left out")
    return tuple(notes)
