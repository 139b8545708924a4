"""What a file of judgments says, row by row, and what all its readers share."""

from collections import Counter
from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any, NamedTuple, Self
from uuid import UUID, uuid5

LONGEST_LABEL = 200
MOST_SECONDS = 1e9
SKIPPED_ELSEWHERE = "recorded elsewhere"
FULL_SCALE = (0.0, 100.0)


class ImportOptions(NamedTuple):
    """What an organiser says about a file: its format, and what the file may leave open.

    `judges` are names for judges whom the file only numbers; `joined_by` is what separates the names of systems with
    one output, empty if the file shows it; `scale` is the lowest and the highest possible score;
    `without_texts` lets a campaign without outputs know its systems by name only; `skip_unmatched` leaves out
    judgments of outputs that the campaign lacks, and files of a ZIP that cannot be read; `keep_first` takes the first
    of different verdicts of a judge on one version.
    """

    file_format: str
    numbered_from: int | None = None
    judges: tuple[str, ...] = ()
    scale: tuple[float, float] = FULL_SCALE
    without_texts: bool = False
    skip_unmatched: bool = False
    joined_by: str = ""
    keep_first: bool = False

    @property
    def fault(self) -> str | None:
        low, high = self.scale
        fits = isfinite(low) and isfinite(high) and low < high
        return None if fits else "The lowest score of a scale must be a number below its highest; correct the scale."

    def as_json(self) -> dict[str, Any]:
        return self._asdict()

    @classmethod
    def read(cls, written: Mapping[str, Any]) -> Self:
        """Undo `as_json` and JSON, which has no tuples."""
        return cls(**{**written, "judges": tuple(written["judges"]), "scale": tuple(written["scale"])})


class RecordedScore(NamedTuple):
    """A score from 0 to 100, and whether the meaning of the source changed."""

    score: float
    meaning_changed: bool = False

    def __repr__(self) -> str:
        """A part of the keys of judgments, which stay the same from import to import whatever the class is called."""
        return f"Score(score={self.score!r}, meaning_changed={self.meaning_changed!r})"


class RecordedGroup(NamedTuple):
    """Systems that a file names together, and what the judge says of their output: a rank (1 is best), a score ...

    Verdicts on edits name a candidate by its key.
    """

    systems: Any
    value: Any


class RecordedJudgment(NamedTuple):
    """A judgment in a file: its line there, its judge, what it is about, and what was said; no groups if skipped.

    It is about the number of a sentence, the name of a text, or a usage and whether it is a control. `systems` of a
    group stay unparsed, because only all rows together reveal the separator of the names. Corrections and verdicts have
    one group without systems: the edits, or the finding.
    """

    line: int
    judge: str
    about: Any
    groups: tuple[RecordedGroup, ...]
    seconds: float | None = None
    label: str = ""
    skip_reason: str = ""

    @property
    def is_skipped(self) -> bool:
        return not self.groups


def seconds_of(value: float) -> float | None:
    """Return a plausible time, or None."""
    return float(value) if 0 <= value < MOST_SECONDS else None


def seconds_in(row: Mapping[str, str]) -> float | None:
    """Return the active time, otherwise the elapsed time, if it is a number."""
    for column in ("active_seconds", "wall_seconds", "seconds"):
        try:
            seconds = seconds_of(float(row.get(column, "")))
        except ValueError:
            continue
        if seconds is not None:
            return seconds
    return None


# Ends problems that come from judgments of more than the campaign has, or from faulty files of a ZIP.
SKIP_UNMATCHED = "or choose to import what fits"
# Ends the problem of two different verdicts on one version.
KEEP_FIRST = "or choose to keep the first"
# Columns of our exports that mark rows which do not count.
SKIPPED_IF = ("excluded", "program", "after_feedback", "adjudicator")


def is_yes(row: Mapping[str, str], column: str) -> bool:
    return row.get(column, "").casefold() == "yes"


def keys_of(namespace: UUID, identities: Iterable[tuple[object, ...]]) -> list[UUID]:
    """Return a key for each judgment, the same at every import; equal judgments are numbered."""
    seen: Counter[str] = Counter()
    keys = []
    for identity in map(repr, identities):
        keys.append(uuid5(namespace, f"{identity}#{seen[identity]}"))
        seen[identity] += 1
    return keys
