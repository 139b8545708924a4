"""Judgments with their answers as plain rows, in the order of submission, however many there are."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import IntegerField, Model, Value

from judgments.models import Campaign, Edit, Judgment, Membership, Placement, Rating, SystemOutput, Verdict

ROWS_AT_ONCE = 1000


class Asked(NamedTuple):
    """Which table holds the answers of a protocol, what they say, and whether of candidates or of the whole screen."""

    model: type[Model]
    fields: tuple[str, ...]
    of_candidates: bool = True


# A protocol that is not here has no answers to export; a new one is named here, and in what each format says of it.
ASKED = {
    Campaign.Protocol.RANKING.value: Asked(Placement, ("rank",)),
    Campaign.Protocol.RATING.value: Asked(Rating, ("score", "meaning_changed")),
    Campaign.Protocol.VERDICT.value: Asked(Verdict, ("finding",), of_candidates=False),
    Campaign.Protocol.CORRECTION.value: Asked(
        Edit, ("position", "start", "end", "replacement", "category"), of_candidates=False
    ),
}
COMPARING = frozenset(name for name, asked in ASKED.items() if asked.of_candidates)


class Head(NamedTuple):
    """A judgment without its answers."""

    pk: int
    key: UUID
    assignment: int
    repeats: int | None
    judge: int | None
    screen: int
    position: int
    document: str
    revision: int
    current: bool
    skipped: bool
    skip_reason: str
    comment: str
    flagged: bool
    wall_seconds: float | None
    active_seconds: float | None
    submitted_at: datetime

    @property
    def seconds(self) -> float | None:
        """The time spent on it, else the time that passed."""
        return self.wall_seconds if self.active_seconds is None else self.active_seconds

    @property
    def turn(self) -> tuple[bool, int]:
        """Sorts a judge's answers on one subject as they were asked for, whatever was revised when; repeats follow."""
        return self.repeats is not None, self.assignment


class Answer(NamedTuple):
    """What a judgment says, of a candidate where there are any, in the order of the fields in ASKED."""

    candidate: int | None
    said: tuple[Any, ...]


Judged = tuple[Head, list[Answer]]
HEAD = (
    "pk", "key", "assignment", "assignment__repeats", "assignment__judge", "screen", "screen__segment__position",
    "screen__segment__document__name", "revision", "current", "skipped", "skip_reason", "comment", "flagged",
    "wall_seconds", "active_seconds", "submitted_at",
)  # fmt: skip


def judged(
    campaign: Campaign,
    with_excluded: bool = True,
    with_revisions: bool = False,
    with_programs: bool = True,
    by_sentence: bool = False,
    judge: int | None = None,
) -> Iterator[Judged]:
    """Each judgment with its answers in the order shown, which is the order in which they were stored.

    Judgments come as they were submitted, or sentence by sentence; those of all judges, or of one.
    """
    chosen: dict[str, Any] = {"assignment__campaign": campaign}
    chosen |= {} if with_excluded else {"assignment__judge__excluded_at": None}
    chosen |= {} if with_programs else {"assignment__judge__role": Membership.Role.JUDGE}
    chosen |= {} if with_revisions else {"current": True}
    chosen |= {} if judge is None else {"assignment__judge": judge}
    order = ["screen__segment__position"] if by_sentence else []
    heads = Judgment.objects.filter(**chosen).order_by(*order, "pk").values_list(*HEAD)
    model, fields, of_candidates = ASKED[campaign.protocol]
    candidate: Any = "candidate" if of_candidates else Value(None, IntegerField())
    answers = model._default_manager.filter(**{f"judgment__{name}": value for name, value in chosen.items()})
    within = [f"judgment__{name}" for name in order]
    said = answers.order_by(*within, "judgment", "pk").values_list("judgment", candidate, *fields)
    return _together(map(Head._make, heads.iterator(ROWS_AT_ONCE)), said.iterator(ROWS_AT_ONCE))


def _together(heads: Iterable[Head], said: Iterable[tuple]) -> Iterator[Judged]:
    """Two streams in one order as one."""
    groups = groupby(said, key=itemgetter(0))
    judgment, rows = next(groups, (None, iter(())))
    for head in heads:
        if judgment != head.pk:
            yield head, []
            continue
        yield head, [Answer(row[1], row[2:]) for row in rows]
        judgment, rows = next(groups, (None, iter(())))


def ranks(campaign: Campaign, answers: Iterable[Answer]) -> list[int]:
    """The rank of each answer as given; of scores, 1 is the highest, and equal ones share a rank."""
    given = [answer.said[0] for answer in answers]
    if campaign.protocol == Campaign.Protocol.RANKING:
        return given
    places = {score: place for place, score in enumerate(sorted(set(given), reverse=True), 1)}
    return [places[score] for score in given]


class Judge(NamedTuple):
    """How exports call a judge, and whether the answers count."""

    pseudonym: str
    is_excluded: bool
    is_program: bool
    user: str
    worker: str


def judges_of(campaign: Campaign) -> dict[int, Judge]:
    """Every member by key."""
    rows = Membership.objects.filter(campaign=campaign).values_list(
        "pk", "pseudonym", "excluded_at", "role", "user__username", "worker"
    )
    return {
        pk: Judge(name, excluded is not None, role == Membership.Role.PROGRAM, user or "", worker)
        for pk, name, excluded, role, user, worker in rows
    }


def systems_behind(campaign: Campaign, only_judged: bool = False) -> dict[int, tuple[str, ...]]:
    """The names of the systems behind each candidate, sorted; equal ones are one object, as most of them are."""
    chosen = {"system__campaign": campaign} | ({"system__takes_part": True} if only_judged else {})
    rows = SystemOutput.objects.filter(**chosen).order_by("candidate").values_list("candidate", "system__name")
    known: dict[tuple[str, ...], tuple[str, ...]] = {}
    behind = {}
    for candidate, group in groupby(rows.iterator(ROWS_AT_ONCE), key=itemgetter(0)):
        names = tuple(sorted(name for _, name in group))
        behind[candidate] = known.setdefault(names, names)
    return behind
