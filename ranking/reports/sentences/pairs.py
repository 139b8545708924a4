"""Sentences on which judges compared two systems: who won, by whom, and where judges disagree."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

from django.db import connection
from django.db.models.functions import Length

from judgments.charts.numbers import number, quantity, span
from judgments.models import Segment, System, SystemOutput
from judgments.protocols import protocol_of
from ranking.charts.lines import lines_of
from ranking.models import Report
from ranking.numbers.tables import Table
from ranking.reports.downloads import tables_of
from ranking.reports.kinds.comparison_claims import MethodFindings
from ranking.reports.rows import ROLES
from ranking.reports.sentences.listing import ListedVersion, Listing, scale_of, sums_of_pair, versions_of

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


class Compared(NamedTuple):
    """A segment, both versions, and the answers of all judges who saw them together."""

    segment: Segment
    versions: tuple[ListedVersion, ListedVersion]
    answers: list[AnswerOnPair]

    @property
    def by_winner(self) -> list[tuple[int, list[AnswerOnPair]]]:
        """The answers for the first version, for neither and for the second, without empty groups."""
        groups = [(sign, [one for one in self.answers if one.sign == sign]) for sign in (1, 0, -1)]
        return [(sign, answers) for sign, answers in groups if answers]


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


class JudgedPair(Listing):
    """Two systems in a report, with what was decided on each segment; the segments chosen are listed."""

    columns = ("segment", "document", "source", "system", "output", "opponent", "opponent_output", "judge",
               "answer", "opponent_answer", "winner")  # fmt: skip

    def __init__(
        self, report: Report, system: System, opponent: System, show: str = "all", sort: str = "disagreement"
    ) -> None:
        self.report, self.system, self.opponent = report, system, opponent
        segments = Segment.objects.filter(campaign=report.campaign_id).order_by("position")
        # Rows are in the order of the text, to which later material is added.
        known = list(segments.values_list("pk", Length("text")))
        rows = sums_of_pair(report, system.name, opponent.name)
        self.decided = [Decided(known[row][0], known[row][1], *sums) for row, *sums in rows.tolist()]
        orders: dict[str, Callable[[Decided], Any]] = {
            "disagreement": lambda one: tuple(-number for number in one.disagreement),
            "longest": lambda one: -(one.length or 0),
            "shortest": lambda one: one.length or 0,
        }
        if sort not in orders:
            changes: dict[int, Counter[str]] = defaultdict(Counter)
            outputs = SystemOutput.objects.filter(system__in=[system, opponent])
            for segment, source, text in outputs.values_list("segment", "segment__text", "candidate__text"):
                changes[segment].update(word_changes(source or "", text or ""))
            orders[sort] = lambda one: -changes[one.segment][sort]
        self.keys = [one.segment for one in sorted(filter(SHOWN[show][1], self.decided), key=orders[sort])]

    @cached_property
    def _tables(self) -> dict[str, Table]:
        return tables_of(self.report, ["standings", "questions", "pairs", "head_to_head"])

    def verdict(self) -> str:
        """Whether one of them is better, and why, in sentences."""
        return verdict_on(self._tables, self.system.name, self.opponent.name)

    def totals(self) -> dict[str, int | None]:
        """What judges decided; how often the report counted a tie because both versions are the same, if it says so."""
        totals = {name: sum(getattr(one, name) for one in self.decided) for name in ("wins", "losses", "ties")}
        names = self.system.name, self.opponent.name
        lines = lines_of(self._tables, "head_to_head")
        line = next((line for line in lines if (line["system"], line["opponent"]) == names), None)
        return totals | {"shared": line["ties"] - totals["ties"] if line else None}

    def read(self, keys: Sequence[int]) -> list[Compared]:
        if not keys:
            return []
        scale, roles = scale_of(self.report), ROLES[self.report.judged_by]
        text = COMPARED.format(
            outputs=OUTPUTS, segments=", ".join(map(str, keys)), value=scale.column,
            answers=protocol_of(self.report.campaign).answer_model._meta.db_table,
            roles=", ".join(["%s"] * len(roles)),
        )  # fmt: skip
        one, other = self.system.pk, self.opponent.pk
        with connection.cursor() as cursor:
            cursor.execute(text, [one, one, other, other, self.report.newest_judgment, *roles])
            rows = cursor.fetchall()
        versions = versions_of(pk for row in rows for pk in row[1:3])
        known = Segment.objects.select_related("document").in_bulk(keys)
        found: dict[int, list[Compared]] = {}
        for (segment, mine, theirs), group in groupby(rows, key=lambda row: row[:3]):
            answers = []
            for *_, judge, own, others in group:
                sign = (own > others) - (own < others)
                # SQLite and PostgreSQL return whole scores as 80.0.
                own, others = (int(number) if number == int(number) else number for number in (own, others))
                answers.append(AnswerOnPair(judge, own, others, sign if scale.more_is_better else -sign))
            compared = Compared(known[segment], (versions[mine], versions[theirs]), answers)
            found.setdefault(segment, []).append(compared)
        return [one for segment in keys for one in found.get(segment, ())]

    def cells(self, entry: Compared) -> Iterator[Sequence[object]]:
        segment, (mine, theirs) = entry.segment, entry.versions
        first = (segment.position + 1, segment.document.name, segment.text, self.system.name, mine.text,
                 self.opponent.name, theirs.text)  # fmt: skip
        winner = {1: self.system.name, 0: "", -1: self.opponent.name}
        for answer in entry.answers:
            yield *first, answer.judge, answer.value, answer.other, winner[answer.sign]


def verdict_on(tables: Mapping[str, Table], one: str, other: str) -> str:
    """Whether one of two systems is better, by which question, and in what counts; empty if they were not ranked."""
    cited = next((str(line["method"]) for line in lines_of(tables, "standings")), "")
    found, names = MethodFindings.of(tables, cited), {one, other}
    pair = next((line for line in found.pairs if {line["system"], line["opponent"]} == names), None)
    if pair is None:
        return ""
    better, worse = str(pair["system"]), str(pair["opponent"])
    by = f"{number(pair['difference'], 3)}{span(pair['difference_low'], pair['difference_high'], 3)}"
    together = f"among all {len(found.pairs):,} pairs tested together " if len(found.pairs) > 1 else ""
    all_pairs = f"{together}(p = {pair['p_value']:.2g})"
    if pair["resolved"]:
        said = f"{better} is better than {worse}: their scores differ by {by}, significant {all_pairs}."
    elif how := found.decision_on(better, worse):
        said = (
            f"{better} is better than {worse}, {how}. Their scores differ by {by}; this is not significant "
            f"{all_pairs}, which need stronger evidence."
        )
    else:
        said = f"The judgments do not separate {better} from {worse}: their scores differ by {by}, not significant "
        said += f"{all_pairs}."
    meetings = lines_of(tables, "head_to_head")
    met = next((line for line in meetings if (line["system"], line["opponent"]) == (better, worse)), None)
    if met and met["wins"] + met["losses"]:
        decisive = met["wins"] + met["losses"]
        said += f" {better} won {met['wins']:,} of {quantity(decisive, 'decisive comparison')} with {worse}"
        said += "; scores also rest on comparisons with others." if len(found.systems) > 2 else "."
    return f"{said} {found.unit.caution}".rstrip()


def word_changes(source: str, output: str) -> dict[str, int]:
    """Count changed words regardless of their order: as many as both texts lack of each other are replaced.

    Aligning words, as the marks do, would take a millisecond an output, too long to sort thousands by.

    Toy: `He go to school` and `He goes to the school`: `go` is replaced, and one word inserted.
    """
    old, new = Counter(source.split()), Counter(output.split())
    added, removed = (new - old).total(), (old - new).total()
    replaced = min(added, removed)
    return {"inserted": added - replaced, "deleted": removed - replaced, "replaced": replaced}
