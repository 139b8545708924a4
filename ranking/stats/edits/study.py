"""The study behind a report on edits: versions that judges saw, and their verdicts on the edits of these."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np
import scipy as sp

from ranking.numbers.tables import StatisticsError
from ranking.stats.analysis import Day, Study, fingerprint_of
from ranking.stats.answers import Answers
from ranking.stats.ballots import Ballots
from ranking.stats.choices import option
from ranking.stats.edits.clusters import Clusters, Ratios
from ranking.stats.metaevaluation.scores import MetricScores
from ranking.stats.resampling import Unit, UnitChoices

# Categories of edits: ERRANT's, if a parser of the language is installed, or by what becomes of the words.
CATEGORIES = ERRANT, PLAIN = "errant", "plain"


@dataclass(frozen=True)
class EditParameters(UnitChoices):
    categories: str = option(
        ERRANT,
        "Categories of edits: ERRANT’s for English, if it is installed, or plain ones such as insertion. "
        "ERRANT needs about a minute for 15,000 edits.",
        CATEGORIES,
    )


PRESETS: Mapping[str, EditParameters] = {"recommended": EditParameters()}


class VerdictName(NamedTuple):
    """A verdict that judges may give, and whether it accepts the edit."""

    name: str
    accepts: bool


class EditNames(NamedTuple):
    """Categories are those of edits, and `references` the ways in which edits were looked up in references."""

    systems: tuple[str, ...]
    judges: tuple[str, ...]
    verdicts: tuple[VerdictName, ...]
    categories: tuple[str, ...]
    references: tuple[str, ...] = ()


@dataclass(frozen=True)
class Marks:
    """Verdict n was given to edit[n] in row[n] of the ballots; versions that share an edit share its number."""

    row: np.ndarray
    edit: np.ndarray
    verdict: np.ndarray

    def __len__(self) -> int:
        return len(self.row)


@dataclass(frozen=True)
class EditStudy(Study):
    """Verdicts on edits, the units of these answers.

    A row of the ballots is a version that a judge saw, and its merit is NaN if the judge did not rank it. `missed` has,
    for each row, how many errors the judge marked that the version leaves; `is_repeat` has a value for each ballot;
    `category` has the number of the category of each edit. `in_reference` has a row for each edit and a column for
    each way of looking it up: 1 if a reference makes this edit, 0 if not, NaN if the sentence has no reference.
    """

    kind: ClassVar[str] = "edits"

    ballots: Ballots
    marks: Marks
    missed: np.ndarray
    is_repeat: np.ndarray
    category: np.ndarray
    in_reference: np.ndarray
    names: EditNames
    parameters: EditParameters
    metrics: tuple[MetricScores, ...] = ()
    lacking: tuple[tuple[str, str], ...] = ()
    days: tuple[Day, ...] = ()

    @cached_property
    def first(self) -> "EditStudy":
        """Without repeats."""
        if not self.is_repeat.any():
            return self
        rows = np.flatnonzero(~self.is_repeat[self.ballots.ballot_of])
        number = np.full(len(self.ballots.candidate), -1)
        number[rows] = np.arange(len(rows))
        marks = self.marks
        there = number[marks.row] >= 0
        return replace(
            self, ballots=self.ballots.choose(~self.is_repeat), missed=self.missed[rows],
            marks=Marks(number[marks.row[there]], marks.edit[there], marks.verdict[there]),
            is_repeat=self.is_repeat[~self.is_repeat],
        )  # fmt: skip

    @cached_property
    def answers(self) -> Answers:
        """The verdicts on edits, those on an edit that several versions share as often as they do."""
        ballot, ballots = self.ballot, self.ballots
        return Answers(
            self.marks.edit, ballots.judge[ballot], self.marks.verdict, len(self.category), ballots.judges,
            ballots.segment[ballot], ballots.segments, is_repeat=self.is_repeat[ballot],
        )  # fmt: skip

    @cached_property
    def ballot(self) -> np.ndarray:
        """The ballot of each mark."""
        return self.ballots.ballot_of[self.marks.row]

    @property
    def accepts(self) -> np.ndarray:
        """Which verdicts accept an edit."""
        return np.array([verdict.accepts for verdict in self.names.verdicts], dtype=bool)

    @cached_property
    def is_accepted(self) -> np.ndarray:
        """Which marks accept the edit."""
        return self.accepts[self.marks.verdict]

    @cached_property
    def is_decision(self) -> np.ndarray:
        """Which marks to count if each judge decides once on an edit that several versions share."""
        key = self.ballot * np.int64(max(len(self.category), 1)) + self.marks.edit
        chosen = np.zeros(len(self.marks), dtype=bool)
        chosen[np.unique(key, return_index=True)[1]] = True
        return chosen

    @cached_property
    def members(self) -> sp.sparse.csr_array:
        """Whether a system (column) is behind a row of the ballots."""
        candidates = self.ballots.candidates
        behind = sp.sparse.csr_array(
            (np.ones(len(candidates.members)), candidates.members, candidates.starts),
            shape=(len(candidates.sizes), self.ballots.systems),
        )
        return sp.sparse.csr_array(behind[self.ballots.candidate])

    @cached_property
    def clusters(self) -> Clusters:
        """Those of the ballots."""
        judges = len(np.unique(self.ballots.judge[self.ballots.sizes > 0]))
        with_judges = Unit(self.parameters.for_judges(judges).unit) is Unit.SENTENCE_AND_JUDGE
        return Clusters(self.ballots.segment, self.ballots.judge if with_judges else None, self.parameters.level)

    def by_ballot(self, rows: np.ndarray) -> sp.sparse.csr_array:
        """Add up numbers of rows by ballot (row) and system (column)."""
        ballots = self.ballots
        where = ballots.ballot_of, np.arange(len(rows))
        chosen = sp.sparse.csr_array(sp.sparse.coo_array((rows.astype(float), where), shape=(len(ballots), len(rows))))
        return sp.sparse.csr_array(chosen @ self.members)

    def per_row(self, marks: np.ndarray) -> np.ndarray:
        """How many of the marks (a mask) are in each row."""
        return np.bincount(self.marks.row[marks], minlength=len(self.ballots.candidate))

    def shares(self, part: np.ndarray, whole: np.ndarray, level: float | None = None) -> Ratios:
        """By system, how many of the whole marks are of the part (masks), for intervals at the report's level."""
        above, below = (self.by_ballot(self.per_row(marks)) for marks in (part, whole))
        return Ratios.of(above, below, replace(self.clusters, level=level or self.clusters.level))

    def rates(self, rows: np.ndarray) -> Ratios:
        """By system, the mean of numbers of rows over the versions shown."""
        shown = self.by_ballot(np.ones(len(self.ballots.candidate)))
        return Ratios.of(self.by_ballot(rows), shown, self.clusters)

    @property
    def judgments(self) -> int:
        return len(self.ballots)

    def how_much(self) -> dict[str, int]:
        ballots = self.ballots
        judged = ballots.sizes > 0
        return {
            "systems": len(self.names.systems), "sentences": len(np.unique(ballots.segment[judged])),
            "judges": len(np.unique(ballots.judge[judged])), "judgments": len(ballots), "skipped": int((~judged).sum()),
            "edits": len(np.unique(self.marks.edit)), "verdicts": int(self.is_decision.sum()),
        }  # fmt: skip

    def check_usable(self) -> None:
        super().check_usable()
        if not len(self.marks):
            raise StatisticsError("No judge has given a verdict on an edit yet; all judged versions are the source.")

    def made_of(self) -> list[str]:
        judges = len(self.names.judges)
        return ["edits", f"verdicts:{len(self.marks)}", f"judgments:{self.judgments}", f"judges:{judges}"]

    def fingerprint(self) -> str:
        names, ballots, marks = self.names, self.ballots, self.marks
        return fingerprint_of(
            (names.systems, names.verdicts, names.categories, names.references, self.lacking), *ballots.columns[:-1],
            marks.row, marks.edit, marks.verdict, self.missed, self.is_repeat, self.category, self.in_reference,
            *(part for one in self.metrics for part in ((one.metric, one.level.value), one.scores)),
        )  # fmt: skip
