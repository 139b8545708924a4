"""Shared by all extractions: which judgments count, whether they have changed, and rows as arrays."""

from collections.abc import Sequence
from datetime import UTC
from hashlib import sha256
from itertools import chain, islice
from typing import Any

import numpy as np
from django.db.models import BooleanField, Count, ExpressionWrapper, F, FloatField, Q, QuerySet, Value
from django.db.models.functions import Coalesce, TruncDate

from judgments.models import Assignment, Campaign, Judgment, Membership, System, SystemOutput
from judgments.models.assignments import AssignmentQuerySet, judges_in, judgments_by, with_answers
from judgments.protocols.stream import IN_NO_TIME
from ranking.numbers.tables import StatisticsError
from ranking.stats.analysis import Day
from ranking.stats.choices import ADJUDICATED, EVERYBODY, INDEPENDENT, PEOPLE, PROGRAMS, REVISED

ROWS_AT_ONCE = 20_000
CHANGED = "Judges changed answers while they were read. Make a new report."
UNTIMED = -1.0
ROLES = {
    PEOPLE: [Membership.Role.JUDGE],
    PROGRAMS: [Membership.Role.PROGRAM],
    EVERYBODY: [Membership.Role.JUDGE, Membership.Role.PROGRAM],
}


def counted_now(campaign: Campaign, judged_by: str = PEOPLE, answers: str = INDEPENDENT) -> int:
    """Count the judgments that a report made now would use."""
    if answers == ADJUDICATED:
        judges = list(judges_that_count(campaign, judged_by, answers).values_list("pk", flat=True))
        return judgments_that_count(campaign, judges, answers).count()
    members = members_of(campaign, judged_by).filter(excluded_at=None)
    return judgments_by(members) - excluded_from_reports(campaign, members)


def excluded_from_reports(campaign: Campaign, members: QuerySet[Membership] | None = None) -> int:
    """The number of judgments of a pilot, and with a program in view, that do not count; asks nothing without them."""
    if not campaign.assistance and campaign.pilot != Campaign.Pilot.APART:
        return 0
    members = judges_in(campaign).filter(excluded_at=None) if members is None else members
    apart = Q(assisted=True) if campaign.assistance else Q(pk__in=[])
    if campaign.pilot == Campaign.Pilot.APART:
        apart |= Q(batch__number__lte=campaign.pilot_batches)
    return Assignment.objects.filter(apart, campaign=campaign, judge__in=members).done().count()


def of_pilot(campaign: Campaign) -> AssignmentQuerySet:
    """The assignments of the pilot that are judged."""
    return Assignment.objects.filter(campaign=campaign, batch__number__lte=campaign.pilot_batches).done()


def roles_of(judged_by: str, answers: str = INDEPENDENT) -> list[Membership.Role]:
    return ROLES[judged_by] + [Membership.Role.ADJUDICATOR] * (answers == ADJUDICATED)


def members_of(campaign: Campaign, judged_by: str, answers: str = INDEPENDENT) -> QuerySet[Membership]:
    """All whose judgments may be read, excluded ones included; the adjudicator among them if those answers are."""
    return Membership.objects.filter(campaign=campaign, role__in=roles_of(judged_by, answers))


def judges_that_count(campaign: Campaign, judged_by: str, answers: str = INDEPENDENT) -> QuerySet[Membership]:
    """Those with answers who are not excluded, in the order of their lots, in which reports name and number them."""
    return with_answers(members_of(campaign, judged_by, answers).filter(excluded_at=None)).order_by("lot", "pk")


def judgments_that_count(
    campaign: Campaign, judges: Sequence[int], answers: str, with_pilot: bool = False
) -> QuerySet[Judgment]:
    """The answers chosen, one for each assignment of these judges; those of a pilot only if they count."""
    given = Judgment.objects.filter(assignment__campaign=campaign, assignment__judge__in=judges)
    if campaign.assistance:
        given = given.exclude(assignment__assisted=True)
    if campaign.pilot == Campaign.Pilot.APART and not with_pilot:
        given = given.exclude(assignment__batch__number__lte=campaign.pilot_batches)
    if answers == REVISED:
        return given.newest()
    return given.current().adjudicated() if answers == ADJUDICATED else given.current()


def reread_judgments(
    campaign: Campaign, judged_by: str, answers: str, newest: int, ballots: int
) -> tuple[QuerySet[Judgment], np.ndarray]:
    """The judgments behind so many ballots that were just read, in their order, and which of them are repeats."""
    judges = list(judges_that_count(campaign, judged_by, answers).values_list("pk", flat=True))
    counted = judgments_that_count(campaign, judges, answers).filter(pk__lte=newest).order_by(*IN_NO_TIME)
    is_repeat = [first is not None for first in counted.values_list("assignment__repeats", flat=True)]
    if len(is_repeat) != ballots:
        raise StatisticsError(CHANGED)
    return counted, np.array(is_repeat, dtype=bool)


# The columns of a row of answers, then the values asked for; seconds are UNTIMED, and weights NO_WEIGHT, if not known.
JUDGMENT, JUDGE, ABOUT, SECONDS, WEIGHT, IS_CONTROL, IS_REPEAT, VALUE = range(8)
NO_WEIGHT = -1.0


def answers_to(
    counted: QuerySet[Judgment], about: str, judges: list[int], known: list[int], *values: Any, order: str = ""
) -> np.ndarray:
    """Read the answers of judgments on segments or usages, by these and then by judge, both numbered as given.

    A judgment has a row for each of its answers, in the order of their rows.
    """
    given = counted.order_by("pk", *filter(None, [order])).values_list(
        "pk", "assignment__judge", Coalesce(f"screen__{about}", Value(0)),
        Coalesce("active_seconds", "wall_seconds", Value(UNTIMED), output_field=FloatField()),
        Coalesce("screen__weight", Value(NO_WEIGHT)), F("screen__has_control"),
        ExpressionWrapper(Q(assignment__repeats__isnull=False), output_field=BooleanField()), *values,
    )  # fmt: skip
    rows = flat(given, VALUE + len(values), np.float64)
    rows[:, JUDGE], rows[:, ABOUT] = numbers_of(rows[:, JUDGE], judges), numbers_of(rows[:, ABOUT], known)
    return rows[np.lexsort((rows[:, JUDGE], rows[:, ABOUT]))]  # the order IN_NO_TIME


def flat(rows: QuerySet, width: int, dtype: type) -> np.ndarray:
    """Stream rows into a two-dimensional array, without keeping a Python object for each row."""
    parts: list[np.ndarray] = [np.empty((0, width), dtype=dtype)]
    stream = rows.iterator(ROWS_AT_ONCE)
    while part := list(islice(stream, ROWS_AT_ONCE)):
        parts.append(np.fromiter(chain.from_iterable(part), dtype, len(part) * width).reshape(-1, width))
    return np.concatenate(parts)


def numbers_of(keys: np.ndarray, known: list[int]) -> np.ndarray:
    """Return the index of each key among the known ones."""
    order = np.argsort(known)
    return order[np.searchsorted(np.array(known)[order], keys)].astype(np.int32) if len(keys) else np.empty(0, np.int32)


def systems_and_outputs(campaign: Campaign) -> dict[str, Any]:
    """Inputs other than judgments: the participating systems, and a digest of their outputs."""
    systems = System.objects.filter(campaign=campaign).judged().order_by("pk")
    outputs = SystemOutput.objects.filter(system__in=systems).order_by("pk")
    digest = sha256()
    for chosen in outputs.values_list("pk", "candidate").iterator(ROWS_AT_ONCE):
        digest.update(b"%d %d\n" % chosen)
    return {"systems": list(systems.values_list("name", flat=True)), "outputs": digest.hexdigest()}


def days_of(campaign: Campaign, judges: Sequence[str]) -> tuple[Day, ...]:
    """Count the judgments and the judges of each day; imported judgments have no day.

    Days are in UTC, so that the numbers do not depend on the time zone of the server.
    """
    done = Assignment.objects.filter(campaign=campaign).planned().done().filter(judge__pseudonym__in=judges)
    days = done.annotate(day=TruncDate("submitted_at", tzinfo=UTC)).values_list("day")
    counted = days.annotate(Count("pk"), Count("judge", distinct=True)).order_by("day")
    return tuple(Day(day.isoformat(), *numbers) for day, *numbers in counted)
