"""Sentences on which judges compared two systems: who won, by whom, and where judges disagree."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from django.db import connection
from django.db.models.functions import Length

from judgments.models import Segment, System, SystemOutput
from judgments.protocols import protocol_of
from ranking.models import Report
from ranking.reports.downloads import tables_of
from ranking.reports.rows import ROLES
from ranking.reports.sentences.listing import (
    Listing,
    Version,
    WordChanges,
    scale_of,
    sums_of_pair,
    versions_of,
    word_changes,
)

COLUMNS = ("segment", "document", "source", "system", "output", "opponent", "opponent_output", "judge",
           "answer", "opponent_answer", "winner")  # fmt: skip
# The versions of a system; a few stand behind several candidates of a segment in imported judgments.
OUTPUTS = """
    SELECT segment_id, candidate_id FROM judgments_systemoutput WHERE system_id = %s
    UNION ALL
    SELECT candidate.segment_id, recorded.candidate_id
    FROM judgments_recordedoutput AS recorded
    JOIN judgments_candidate AS candidate ON candidate.id = recorded.candidate_id
    WHERE recorded.system_id = %s
"""
# Django cannot join two answers to one judgment by candidates of one segment. Without MATERIALIZED, SQLite compares all
# versions of one system with all of the other.
COMPARED = """
    WITH mine AS ({outputs}), theirs AS ({outputs}),
    versions AS MATERIALIZED (
        SELECT mine.segment_id AS segment, mine.candidate_id AS mine, theirs.candidate_id AS theirs
        FROM mine
        JOIN theirs ON theirs.segment_id = mine.segment_id
        WHERE mine.candidate_id <> theirs.candidate_id AND mine.segment_id IN ({segments})
    )
    SELECT versions.segment, versions.mine, versions.theirs, judge.pseudonym, own.{value}, other.{value}
    FROM versions
    JOIN judgments_slot AS here ON here.candidate_id = versions.mine
    JOIN judgments_slot AS there ON there.screen_id = here.screen_id AND there.candidate_id = versions.theirs
    JOIN {answers} AS own ON own.screen_id = here.screen_id AND own.candidate_id = versions.mine
    JOIN {answers} AS other ON other.judgment_id = own.judgment_id AND other.candidate_id = versions.theirs
    JOIN judgments_judgment AS judgment ON judgment.id = own.judgment_id
    JOIN judgments_assignment AS assignment ON assignment.id = judgment.assignment_id
    JOIN judgments_membership AS judge ON judge.id = assignment.judge_id
    WHERE judgment.current AND judgment.id <= %s AND judge.excluded_at IS NULL AND judge.role IN ({roles})
    ORDER BY versions.segment, versions.mine, versions.theirs, judgment.id
"""


class Decided(NamedTuple):
    """What judges decided on one segment, from the side of the first system."""

    segment: int
    length: int | None
    wins: int
    losses: int
    ties: int

    @property
    def disagreement(self) -> tuple[int, int]:
        """How many pairs of judgments have opposite winners, and in how many only one has a winner.

        Toy: with two wins, a loss and a tie, 2 and 3.
        """
        return self.wins * self.losses, self.ties * (self.wins + self.losses)


class AnswerOnPair(NamedTuple):
    """A judge's ranks or scores of both versions, and which is better: 1 the first, -1 the second, 0 neither."""

    judge: str
    value: float
    other: float
    sign: int


@dataclass(frozen=True)
class Compared:
    """A segment, both versions, and the answers of all judges who saw them together."""

    segment: Segment
    versions: tuple[Version, Version]
    answers: list[AnswerOnPair]

    @property
    def by_winner(self) -> list[tuple[int, list[AnswerOnPair]]]:
        """The answers for the first version, for neither and for the second, without empty groups."""
        groups = [(sign, [one for one in self.answers if one.sign == sign]) for sign in (1, 0, -1)]
        return [(sign, answers) for sign, answers in groups if answers]


@dataclass(frozen=True)
class Totals:
    """What judges decided; and how often the report counted a tie because both versions are the same, if it says so."""

    wins: int
    losses: int
    ties: int
    shared: int | None


SHOWN: dict[str, tuple[str, Callable[[Decided], bool]]] = {
    "all": ("all", lambda one: True),
    "won": ("the system won", lambda one: one.wins > one.losses),
    "lost": ("the opponent won", lambda one: one.losses > one.wins),
    "tied": ("neither won", lambda one: one.wins == one.losses),
    "disputed": ("judges disagree", lambda one: any(one.disagreement)),
}
SORTS = {
    "disagreement": "judges disagree most",
    "longest": "longest source first",
    "shortest": "shortest source first",
    "inserted": "most inserted words",
    "deleted": "most deleted words",
    "replaced": "most replaced words",
}


@dataclass(frozen=True)
class JudgedPair:
    """Two systems in a report."""

    report: Report
    system: System
    opponent: System

    def decided(self) -> list[Decided]:
        """Read what was decided on each segment."""
        segments = Segment.objects.filter(campaign=self.report.campaign_id).order_by("position")
        # Rows are in the order of the text, to which later material is added.
        known = list(segments.values_list("pk", Length("text")))
        rows = sums_of_pair(self.report, self.system.name, self.opponent.name)
        return [Decided(known[row][0], known[row][1], *sums) for row, *sums in rows.tolist()]

    def totals(self, decided: Sequence[Decided]) -> Totals:
        wins, losses = sum(one.wins for one in decided), sum(one.losses for one in decided)
        ties, line = sum(one.ties for one in decided), self._line()
        return Totals(wins, losses, ties, line["ties"] - ties if line else None)

    def listing(self, decided: Sequence[Decided], show: str, sort: str) -> Listing:
        chosen = sorted(filter(SHOWN[show][1], decided), key=self._order(sort))
        return Listing([one.segment for one in chosen], self.read, COLUMNS, self.cells)

    def read(self, segments: Sequence[int]) -> list[Compared]:
        """Read segments in full, in this order."""
        if not segments:
            return []
        rows = self._answers(segments)
        versions = versions_of(pk for row in rows for pk in row[1:3])
        known = Segment.objects.select_related("document").in_bulk(segments)
        found: dict[int, list[Compared]] = {}
        for (segment, mine, theirs), group in groupby(rows, key=lambda row: row[:3]):
            answers = [self._answer(*row[3:]) for row in group]
            both = versions[mine], versions[theirs]
            found.setdefault(segment, []).append(Compared(known[segment], both, answers))
        return [one for segment in segments for one in found.get(segment, ())]

    def cells(self, one: Compared) -> Iterator[Sequence[object]]:
        segment, (mine, theirs) = one.segment, one.versions
        first = (segment.position + 1, segment.document.name, segment.text, self.system.name, mine.text,
                 self.opponent.name, theirs.text)  # fmt: skip
        winner = {1: self.system.name, 0: "", -1: self.opponent.name}
        for answer in one.answers:
            yield *first, answer.judge, answer.value, answer.other, winner[answer.sign]

    def _answer(self, judge: str, value: float, other: float) -> AnswerOnPair:
        # SQLite and PostgreSQL return whole scores as 80.0.
        value, other = (int(one) if one == int(one) else one for one in (value, other))
        sign = (value > other) - (value < other)
        return AnswerOnPair(judge, value, other, sign if scale_of(self.report).more_is_better else -sign)

    def _order(self, sort: str) -> Callable[[Decided], tuple]:
        if sort == "disagreement":
            return lambda one: tuple(-number for number in one.disagreement)
        if sort in ("longest", "shortest"):
            return lambda one: ((one.length or 0) * (-1 if sort == "longest" else 1),)
        changes, place = self._changes(), WordChanges._fields.index(sort)
        return lambda one: (-changes.get(one.segment, WordChanges(0, 0, 0))[place],)

    def _changes(self) -> dict[int, WordChanges]:
        """Count the changed words of both outputs of each segment."""
        found: dict[int, WordChanges] = {}
        outputs = SystemOutput.objects.filter(system__in=[self.system, self.opponent])
        for segment, source, text in outputs.values_list("segment", "segment__text", "candidate__text"):
            changes = word_changes(source or "", text or "")
            found[segment] = found[segment] + changes if segment in found else changes
        return found

    def _line(self) -> dict[str, Any] | None:
        """The pair in the report's own table."""
        table = tables_of(self.report, ["head_to_head"]).get("head_to_head")
        names = self.system.name, self.opponent.name
        lines = table.dicts() if table else []
        return next((line for line in lines if (line["system"], line["opponent"]) == names), None)

    def _answers(self, segments: Sequence[int]) -> list[tuple]:
        """Read rows about all answers to versions of both systems on one screen."""
        scale, roles = scale_of(self.report), ROLES[self.report.judged_by]
        text = COMPARED.format(
            outputs=OUTPUTS, segments=", ".join(map(str, segments)), value=scale.column,
            answers=protocol_of(self.report.campaign).answers.model._meta.db_table,
            roles=", ".join(["%s"] * len(roles)),
        )  # fmt: skip
        one, other = self.system.pk, self.opponent.pk
        with connection.cursor() as cursor:
            cursor.execute(text, [one, one, other, other, self.report.newest_judgment, *roles])
            return cursor.fetchall()
