"""Recorded ratings, and what the readers of their file formats share."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from judgments.exchange.importers.rules.recorded import FULL_SCALE, Options, RecordedJudgment, RowFault

NUMBER = re.compile(r"-?[0-9]{1,30}(\.[0-9]{1,30})?(e-?[0-9]{1,2})?", re.ASCII | re.IGNORECASE)


class Ratings(NamedTuple):
    """The ratings of a file, the number of its first sentence if that is known, and notes on how it was read."""

    recorded: list[RecordedJudgment]
    numbered_from: int | None = None
    notes: Sequence[str] = ()


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


def join_screens(rows: Iterable[RecordedJudgment]) -> list[RecordedJudgment]:
    """Join what one judge said about one sentence on one screen, which is the label of rows with one output each.

    An output rated again, or a skip, begins another judgment.
    """
    judgments: list[list[RecordedJudgment]] = []
    # The newest judgment of each screen, and what was rated there: its systems, or None for a skip.
    newest: dict[tuple[str, int, str], tuple[list[RecordedJudgment], set[str | None]]] = {}
    for row in rows:
        place, what = (row.judge, row.about, row.label), row.groups[0].systems if row.groups else None
        if place not in newest or what is None or not newest[place][1].isdisjoint({what, None}):
            newest[place] = [], set()
            judgments.append(newest[place][0])
        together, rated = newest[place]
        together.append(row)
        rated.add(what)
    return [
        rows[0]._replace(groups=tuple(group for row in rows for group in row.groups), label="") for rows in judgments
    ]


def notes_on(name: str, options: Options, left_out: int, why: str) -> tuple[str, ...]:
    """Return notes on scores that were moved to another scale, and on rows that were left out."""
    notes = []
    if options.scale != FULL_SCALE:
        low, high = options.scale
        notes.append(f"{name}: scores from {low:g} to {high:g} are moved to the scale from 0 to 100")
    if left_out:
        notes.append(f"{name}: {left_out} row{'s' * (left_out != 1)} {why} left out")
    return tuple(notes)
