"""The study behind a report on edits: ballots, the verdicts on edits in them, covariates and parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np
import scipy as sp

from ranking.numbers.tables import StatisticsError, Table
from ranking.stats.analysis import Day, counts
from ranking.stats.ballots import Ballots
from ranking.stats.code import code_version, fingerprint_of
from ranking.stats.edits.clusters import Clusters
from ranking.stats.edits.parameters import EditParameters
from ranking.stats.metaevaluation.scores import MetricScores
from ranking.stats.resampling import Unit


class VerdictName(NamedTuple):
    """A verdict that judges may give, and whether it accepts the edit."""

    name: str
    accepts: bool


@dataclass(frozen=True)
class EditNames:
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

    def choose(self, wanted: np.ndarray) -> Marks:
        return Marks(self.row[wanted], self.edit[wanted], self.verdict[wanted])


@dataclass(frozen=True)
class EditStudy:
    """Verdicts on edits, and the parameters of their analysis.

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
    def first(self) -> EditStudy:
        """Without repeats."""
        if not self.is_repeat.any():
            return self
        kept_rows = np.flatnonzero(~self.is_repeat[self.ballots.ballot_of])
        number = np.full(len(self.ballots.candidate), -1)
        number[kept_rows] = np.arange(len(kept_rows))
        marks = self.marks.choose(number[self.marks.row] >= 0)
        return replace(
            self, ballots=self.ballots.choose(~self.is_repeat), missed=self.missed[kept_rows],
            marks=replace(marks, row=number[marks.row]), is_repeat=self.is_repeat[~self.is_repeat],
        )  # fmt: skip

    @cached_property
    def accepts(self) -> np.ndarray:
        return np.array([verdict.accepts for verdict in self.names.verdicts], dtype=bool)

    @cached_property
    def ballot(self) -> np.ndarray:
        """The ballot of each mark."""
        return self.ballots.ballot_of[self.marks.row]

    @cached_property
    def decided(self) -> np.ndarray:
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
    def unit(self) -> Unit:
        return Unit(self.parameters.fitted(len(np.unique(self.ballots.judge[self.ballots.sizes > 0]))).unit)

    @cached_property
    def clusters(self) -> Clusters:
        """Those of the ballots."""
        judge = self.ballots.judge if self.unit is Unit.SENTENCE_AND_JUDGE else None
        return Clusters(self.ballots.segment, judge, self.parameters.level)

    def by_ballot(self, rows: np.ndarray) -> sp.sparse.csr_array:
        """Add up numbers of rows by ballot (row) and system (column)."""
        ballots = self.ballots
        where = ballots.ballot_of, np.arange(len(rows))
        chosen = sp.sparse.csr_array(sp.sparse.coo_array((rows.astype(float), where), shape=(len(ballots), len(rows))))
        return sp.sparse.csr_array(chosen @ self.members)

    def per_row(self, marks: np.ndarray) -> np.ndarray:
        """How many of the marks are in each row."""
        return np.bincount(self.marks.row[marks], minlength=len(self.ballots.candidate))

    def counts(self) -> Iterator[Table]:
        ballots = self.ballots
        judged = ballots.sizes > 0
        return counts(
            systems=len(self.names.systems), sentences=len(np.unique(ballots.segment[judged])),
            judges=len(np.unique(ballots.judge[judged])), judgments=len(ballots), skipped=int((~judged).sum()),
            edits=len(np.unique(self.marks.edit)), verdicts=int(self.decided.sum()),
        )  # fmt: skip

    @property
    def judgments(self) -> int:
        return len(self.ballots)

    def check_usable(self) -> None:
        if not len(self.ballots):
            raise StatisticsError("There are no judgments yet. Judge some screens, then request the report again.")
        if not len(self.marks):
            raise StatisticsError("No judge has given a verdict on an edit yet; all judged versions are the source.")

    def signature(self) -> str:
        made_of = [f"verdicts:{len(self.marks)}", f"judgments:{self.judgments}", f"judges:{len(self.names.judges)}",
                   f"data:{self.fingerprint()}"]  # fmt: skip
        return "|".join(["edits", *made_of, *self.parameters.recipe(), f"code:{code_version()}"])

    def fingerprint(self) -> str:
        """Return a digest of all inputs that affect the numbers, hence without judges' names."""
        names, ballots, marks = self.names, self.ballots, self.marks
        return fingerprint_of(
            (names.systems, names.verdicts, names.categories, names.references, self.lacking),
            ballots.judge, ballots.segment, ballots.seconds, ballots.starts, ballots.candidate, ballots.merit,
            ballots.candidates.starts, ballots.candidates.members, marks.row, marks.edit, marks.verdict, self.missed,
            self.is_repeat, self.category, self.in_reference,
            *(part for one in self.metrics for part in ((one.metric, one.level.value), one.scores)),
        )  # fmt: skip
