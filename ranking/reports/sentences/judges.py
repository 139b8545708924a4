"""The judgments of one judge, beside what the others answered on the same screens."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import NamedTuple

from django.db.models import Avg, F, OuterRef, Subquery
from django.db.models.functions import Abs, Coalesce

from judgments.models import Judgment, Membership
from judgments.models.assignments import with_answers
from judgments.protocols import protocol_of
from ranking.models import Report
from ranking.reports.rows import ROLES
from ranking.reports.sentences.listing import ListedVersion, Listing, scale_of, systems_behind, versions_of

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


class Placed(NamedTuple):
    """A version with its answer, and the mean answer of all others who saw it on the same screen."""

    version: ListedVersion
    systems: tuple[str, ...]
    value: float
    others: float | None


class Judged(NamedTuple):
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


class JudgeInReport(Listing):
    """All judgments of a judge that were in a report; they do not count any more if the judge is excluded."""

    columns = ("segment", "document", "source", "judge", "systems", "output", "answer", "mean_of_others", "distance",
               "seconds", "submitted_at", "kind", "skip_reason", "comment")  # fmt: skip

    def __init__(self, report: Report, pseudonym: str, sort: str) -> None:
        self.judge = Membership.objects.get(campaign=report.campaign_id, pseudonym=pseudonym)
        self.scale = scale_of(report)
        own = Judgment.objects.current().filter(assignment__judge=self.judge, pk__lte=report.newest_judgment)
        table = protocol_of(report.campaign).answer_model._default_manager
        self.answers = table.filter(judgment__in=own)
        # The answers of all other judges who count.
        self.others = table.filter(
            judgment__current=True,
            judgment__pk__lte=report.newest_judgment,
            judgment__assignment__judge__excluded_at=None,
            judgment__assignment__judge__role__in=ROLES[report.judged_by],
        ).exclude(judgment__assignment__judge=self.judge)
        self.keys = own.order_by(ORDERS.get(sort, F("pk").asc()), "pk").values_list("pk", flat=True)
        if sort == "disagreement":
            # By the distance from the others; last those that cannot be compared.
            same = self.others.filter(screen=OuterRef("screen"), candidate=OuterRef("candidate"))
            mean = Subquery(same.values("candidate").annotate(mean=Avg(self.scale.column)).values("mean"))
            apart = self.answers.annotate(apart=Abs(F(self.scale.column) - mean)).values("judgment")
            ordered = apart.annotate(distance=Avg("apart")).order_by(F("distance").desc(nulls_last=True), "judgment")
            known = list(ordered.values_list("judgment", flat=True))
            self.keys = [*known, *sorted(set(self.keys).difference(known))]

    def read(self, keys: Sequence[int]) -> list[Judged]:
        related = ("assignment__judge", "screen", "screen__segment__document")
        known = Judgment.objects.select_related(*related).in_bulk(list(keys))
        column, screens = self.scale.column, {judgment.screen_id for judgment in known.values()}
        answers = list(self.answers.filter(judgment__in=known).values_list("judgment", "screen", "candidate", column))
        others = self.others.filter(screen__in=screens).values("screen", "candidate").annotate(mean=Avg(column))
        means = {row[:2]: row[2] for row in others.values_list("screen", "candidate", "mean")}
        candidates = {candidate for _, _, candidate, _ in answers}
        versions, systems = versions_of(candidates), systems_behind(candidates)
        found: dict[int, list[Placed]] = defaultdict(list)
        for judgment, screen, candidate, value in answers:
            names = systems.get(candidate, ())
            found[judgment].append(Placed(versions[candidate], names, value, means.get((screen, candidate))))
        for placed in found.values():
            placed.sort(key=lambda one: self.scale.merit(one.value), reverse=True)
        return [Judged(known[pk], found[pk]) for pk in keys]

    def cells(self, entry: Judged) -> Iterator[Sequence[object]]:
        judgment, segment = entry.judgment, entry.judgment.screen.segment
        first = (segment.position + 1, segment.document.name, segment.text, self.judge.pseudonym)
        moment = judgment.judged_at.isoformat() if judgment.judged_at else ""
        last = (entry.distance, judgment.seconds, moment, entry.kind, judgment.skip_reason, judgment.comment)
        for placed in entry.placed:
            yield *first, " ".join(placed.systems), placed.version.text, placed.value, placed.others, *last
        if not entry.placed:
            yield *first, "", "", "", "", *last
