"""One table of answers, whatever the protocol: who said what of which unit, with everything that statistics ask of it.

A unit is what one answer is about: a usage, an edit, a version on one scale, or two versions whose order was judged.
Units of a segment are drawn together. A question says what the values mean: `nominal` ones are equal or not, `ordinal`
ones have an order, and differences of `interval` ones mean the same everywhere.

Toy: Ada calls usage 0 an error (1), Ben calls it fine (0), and Ada calls it an error again: units 0 0 0, judges 0 1 0,
values 1 0 1, of which the last is a repeat. Ada was asked once again and said the same; where others answered, neither
agrees with them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from enum import StrEnum

import numpy as np


class Scale(StrEnum):
    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


@dataclass(frozen=True)
class Answers:
    """Answer n is the value that judge[n] gave to unit[n] of segment[n]; all are numbered from 0.

    Columns that a statistic does not ask for are empty: without segments each unit is one of its own. Seconds are NaN
    where they are not known; a repeat is a further answer of a judge to what was shown again, and answers to controls
    describe judges only.
    """

    unit: np.ndarray
    judge: np.ndarray
    value: np.ndarray
    units: int
    judges: int
    segment: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    segments: int = 0
    seconds: np.ndarray = field(default_factory=lambda: np.empty(0))
    is_repeat: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=bool))
    is_control: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=bool))

    def __len__(self) -> int:
        return len(self.value)

    def choose(self, rows: np.ndarray) -> Answers:
        """Select answers by a mask or by numbers, in that order."""
        columns = ((column.name, getattr(self, column.name)) for column in fields(self))
        return replace(self, **{name: one[rows] for name, one in columns if isinstance(one, np.ndarray) and len(one)})

    @property
    def by_judge_and_unit(self) -> np.ndarray:
        """A number for each judge and unit, sorted by unit."""
        return self.unit * np.int64(max(self.judges, 1)) + self.judge

    def first_of_each_judge(self) -> Answers:
        """The first answer of each judge to each unit, sorted by unit and judge."""
        return self.choose(np.unique(self.by_judge_and_unit, return_index=True)[1])

    def count_by_judge(self, counted: np.ndarray | None = None) -> np.ndarray:
        """How many answers each judge gave, or how many of those counted."""
        return np.bincount(self.judge if counted is None else self.judge[counted], minlength=self.judges)


def same_again(first: Answers, again: Answers) -> tuple[np.ndarray, np.ndarray]:
    """Which of the answers given again have a first one by the same judge, and which of these are the same."""
    keys, at = np.unique(first.by_judge_and_unit, return_index=True)
    wanted = again.by_judge_and_unit
    place = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
    known = keys[place] == wanted if len(keys) else np.zeros(len(wanted), dtype=bool)
    same = known.copy()
    same[known] = first.value[at[place[known]]] == again.value[known]
    return known, same


def agreement_with_others(answers: Answers, among: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Where most others say one thing (1 or 0), and what they say.

    The others are the answers `among` these, by default all, without the answer itself.
    """
    among = np.ones(len(answers), dtype=bool) if among is None else among
    yes = np.bincount(answers.unit[among], answers.value[among], answers.units)[answers.unit]
    number = np.bincount(answers.unit[among], minlength=answers.units)[answers.unit]
    others_yes, others = yes - among * answers.value, number - among
    return 2 * others_yes != others, 2 * others_yes > others
