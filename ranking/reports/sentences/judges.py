"""The judgments of one judge, beside what the others answered on the same screens."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from django.db.models import Avg, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Abs, Coalesce

from judgments.models import Judgment, Membership
from judgments.models.counts import with_answers
from judgments.protocols import protocol_of
from judgments.protocols.candidates import Scale
from ranking.models import Report
from ranking.reports.rows import ROLES
from ranking.reports.sentences.listing import Listing, Version, scale_of, systems_behind, versions_of

COLUMNS = ("segment", "document", "source", "judge", "systems", "output", "answer", "mean_of_others", "distance",
           "seconds", "submitted_at", "kind", "skip_reason", "comment")  # fmt: skip
SORTS = {
    "disagreement": "furthest from the others",
    "slowest": "slowest first",
    "quickest": "quickest first",
    "newest": "newest first",
    "oldest": "oldest first",
}
SECONDS = Coalesce("active_seconds", "wall_seconds")
ORDERS = {
    "slowest": SECONDS.desc(nulls_last=True),
    "quickest": SECONDS.asc(nulls_last=True),
    "newest": F("submitted_at").desc(),
    "oldest": F("submitted_at").asc(),
}


@dataclass(frozen=True)
class Placed:
    """A version with its answer, and the mean answer of all others who saw it on the same screen."""

    version: Version
    systems: tuple[str, ...]
    value: float
    others: float | None


@dataclass(frozen=True)
class Judged:
    """A judgment with its versions, best first; none if it was skipped."""

    judgment: Judgment
    placed: list[Placed]

    @property
    def kind(self) -> str:
        """Whether it repeats a screen or is a control; empty for others."""
        if self.judgment.assignment.repeats_id is not None:
            return "repeat"
        return "control" if self.judgment.screen.has_control else ""

    @property
    def distance(self) -> float | None:
        """How far the answers are from the mean of the others, on average over the versions.

        Toy: ranks 1 and 2 where the others' means are 1.5 and 1: (.5 + 1) / 2 = .75.
        """
        apart = [abs(one.value - one.others) for one in self.placed if one.others is not None]
        return fmean(apart) if apart else None


def judges_in(report: Report) -> list[str]:
    """The pseudonyms of all whose judgments may be in a report, excluded judges included."""
    members = Membership.objects.filter(campaign=report.campaign_id, role__in=ROLES[report.judged_by])
    return list(with_answers(members).order_by("pseudonym").values_list("pseudonym", flat=True))


@dataclass(frozen=True)
class JudgeInReport:
    report: Report
    judge: Membership

    @classmethod
    def of(cls, report: Report, pseudonym: str) -> "JudgeInReport":
        return cls(report, Membership.objects.get(campaign=report.campaign_id, pseudonym=pseudonym))

    def listing(self, sort: str) -> Listing:
        own = self._judgments.order_by(ORDERS.get(sort, F("pk").asc()), "pk").values_list("pk", flat=True)
        keys = self._by_distance(own) if sort == "disagreement" else own
        return Listing(keys, self.read, COLUMNS, self.cells)

    def read(self, judgments: Sequence[int]) -> list[Judged]:
        """Read judgments in full, in this order."""
        related = ("assignment__judge", "screen", "screen__segment__document")
        known = Judgment.objects.select_related(*related).in_bulk(list(judgments))
        screens = {judgment.screen_id for judgment in known.values()}
        answers = list(
            self._answers.filter(judgment__in=known).values_list("judgment", "screen", "candidate", self._scale.column)
        )
        others = self._others.filter(screen__in=screens).values("screen", "candidate")
        means = {row[:2]: row[2] for row in others.annotate(mean=Avg(self._scale.column)).values_list(
            "screen", "candidate", "mean")}  # fmt: skip
        candidates = {candidate for _, _, candidate, _ in answers}
        versions, systems = versions_of(candidates), systems_behind(candidates)
        found: dict[int, list[Placed]] = defaultdict(list)
        for judgment, screen, candidate, value in answers:
            names = systems.get(candidate, ())
            found[judgment].append(Placed(versions[candidate], names, value, means.get((screen, candidate))))
        for placed in found.values():
            placed.sort(key=lambda one: self._scale.merit(one.value), reverse=True)
        return [Judged(known[pk], found[pk]) for pk in judgments]

    def cells(self, one: Judged) -> Iterator[Sequence[object]]:
        judgment, segment = one.judgment, one.judgment.screen.segment
        first = (segment.position + 1, segment.document.name, segment.text, self.judge.pseudonym)
        moment = judgment.judged_at.isoformat() if judgment.judged_at else ""
        last = (one.distance, judgment.seconds, moment, one.kind, judgment.skip_reason, judgment.comment)
        for placed in one.placed:
            yield *first, " ".join(placed.systems), placed.version.text, placed.value, placed.others, *last
        if not one.placed:
            yield *first, "", "", "", "", *last

    def _by_distance(self, own: QuerySet) -> list[int]:
        """Order judgments by their distance from the others; last those that cannot be compared."""
        column = self._scale.column
        same = self._others.filter(screen=OuterRef("screen"), candidate=OuterRef("candidate"))
        mean = Subquery(same.values("candidate").annotate(mean=Avg(column)).values("mean"))
        apart = self._answers.annotate(apart=Abs(F(column) - mean)).values("judgment").annotate(distance=Avg("apart"))
        ordered = apart.order_by(F("distance").desc(nulls_last=True), "judgment")
        known = list(ordered.values_list("judgment", flat=True))
        return [*known, *sorted(set(own).difference(known))]

    @property
    def _judgments(self) -> QuerySet[Judgment]:
        """All judgments of the judge that were in the report; they do not count any more if the judge is excluded."""
        judged = Judgment.objects.current().filter(assignment__judge=self.judge)
        return judged.filter(pk__lte=self.report.newest_judgment)

    @property
    def _answers(self) -> QuerySet:
        return self._table.filter(judgment__in=self._judgments)

    @property
    def _others(self) -> QuerySet:
        """The answers of all other judges who count."""
        counted = self._table.filter(
            judgment__current=True,
            judgment__pk__lte=self.report.newest_judgment,
            judgment__assignment__judge__excluded_at=None,
            judgment__assignment__judge__role__in=ROLES[self.report.judged_by],
        )
        return counted.exclude(judgment__assignment__judge=self.judge)

    @property
    def _table(self) -> Any:
        return protocol_of(self.report.campaign).answers.model._default_manager

    @property
    def _scale(self) -> Scale:
        return scale_of(self.report)
