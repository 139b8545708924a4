"""Storing imported judgments of every protocol: their judges, screens, finished assignments and answers."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connections, router
from django.db.models import Model, QuerySet
from django.utils import timezone

from judgments.models import Assignment, Campaign, Judgment, Membership, Screen, Slot
from judgments.protocols import protocol_of
from judgments.rules.progress import Progress

AT_ONCE = 500
REPEATS_AT_ONCE = 150
MOST_PARAMETERS = 5000


class Shown(NamedTuple):
    """What a screen shows of a segment: candidates, or a usage."""

    segment: int
    candidates: frozenset[int] = frozenset()
    usage: int | None = None
    is_control: bool = False


class NewJudgment(NamedTuple):
    """A judgment to store, with the columns of its answers; `order` is that of the candidates."""

    judge: str
    shown: Shown
    answers: Sequence[Mapping[str, Any]]
    skip_reason: str = ""
    seconds: float | None = None
    order: str = ""


def recorded_screens(campaign: Campaign) -> QuerySet[Screen]:
    """Return the screens created by earlier imports."""
    return Screen.objects.filter(campaign=campaign, batch=None, automatic=False)


def write_judgments(campaign: Campaign, keys: Sequence[UUID], new: Sequence[NewJudgment], progress: Progress) -> None:
    """Store judgments by their keys, each with an assignment.

    A judge's second judgment of a screen is a repeat, even across files.
    """
    judges = _judges(campaign, {one.judge for one in new})
    earlier = Assignment.objects.filter(screen__in=recorded_screens(campaign), judge__isnull=False).order_by("pk")
    newest = {(judge, screen): pk for judge, screen, pk in earlier.values_list("judge", "screen", "pk")}
    begun, screens = set(newest), _screens(campaign, dict.fromkeys(one.shown for one in new))
    answers, now = protocol_of(campaign).answer_model, timezone.now()
    for start in range(0, len(new), AT_ONCE):
        part, these = new[start : start + AT_ONCE], keys[start : start + AT_ONCE]
        places = [(judges[one.judge], screens[one.shown]) for one in part]
        assignments = []
        for one, (judge, screen) in zip(part, places, strict=True):
            row: dict[str, Any] = {"campaign_id": campaign.pk, "screen_id": screen, "order": one.order}
            # A repeat has no judge at first: a judge may have only one assignment of a screen that is not a repeat.
            if (judge, screen) not in begun:
                row |= {"judge_id": judge, "submitted_at": now}
            begun.add((judge, screen))
            assignments.append(row)
        finished, repeats = _insert(Assignment, assignments), []
        for pk, (judge, screen) in zip(finished, places, strict=True):
            if (judge, screen) in newest:
                original = newest[judge, screen]
                repeats.append(Assignment(pk=pk, judge_id=judge, repeats_id=original, submitted_at=now))
            newest[judge, screen] = pk
        columns = ["judge", "repeats", "submitted_at"]
        Assignment.objects.bulk_update(repeats, columns, batch_size=REPEATS_AT_ONCE)
        judgments = _insert(Judgment, [
            {"assignment_id": assignment, "screen_id": screen, "key": key, "skipped": bool(one.skip_reason),
             "skip_reason": one.skip_reason, "wall_seconds": one.seconds, "submitted_at": now}
            for key, one, assignment, (_, screen) in zip(these, part, finished, places, strict=True)
        ])  # fmt: skip
        _insert(answers, [
            {"judgment_id": judgment, "screen_id": screen, **answer}
            for one, judgment, (_, screen) in zip(part, judgments, places, strict=True)
            for answer in one.answers
        ])  # fmt: skip
        progress(start + len(part), len(new))


def _judges(campaign: Campaign, names: set[str]) -> dict[str, int]:
    """Find the judges by name, and create new ones."""
    members = Membership.objects.filter(campaign=campaign, pseudonym__in=names)
    judges = dict(members.values_list("pseudonym", "pk"))
    created = Membership.objects.bulk_create(
        Membership(campaign=campaign, role=Membership.Role.JUDGE, pseudonym=name)
        for name in sorted(names - judges.keys())
    )
    return judges | {judge.pseudonym: judge.pk for judge in created}


def _screens(campaign: Campaign, shown: Collection[Shown]) -> dict[Shown, int]:
    """Find the screens that show this, also those of earlier files, and create new ones."""
    candidates: dict[int, list[int]] = defaultdict(list)
    earlier = recorded_screens(campaign).order_by("-pk")
    for screen, candidate in Slot.objects.filter(screen__in=earlier).values_list("screen", "candidate"):
        candidates[screen].append(candidate)
    screens = {
        Shown(segment, frozenset(candidates[pk]), usage, is_control): pk
        for pk, segment, usage, is_control in earlier.values_list("pk", "segment", "usage", "has_control")
    }
    new = [one for one in shown if one not in screens]
    created = _insert(Screen, [
        {"campaign_id": campaign.pk, "segment_id": one.segment, "usage_id": one.usage, "has_control": one.is_control}
        for one in new
    ])  # fmt: skip
    _insert(Slot, [
        {"screen_id": screen, "candidate_id": candidate, "position": position}
        for one, screen in zip(new, created, strict=True)
        for position, candidate in enumerate(sorted(one.candidates))
    ])  # fmt: skip
    return screens | dict(zip(new, created, strict=True))


def _insert(model: type[Model], rows: Sequence[Mapping[str, Any]]) -> list[int]:
    """Insert rows and return their keys; bulk_create takes three times as long, because it makes objects of them."""
    connection = connections[router.db_for_write(model)]
    table = connection.ops.quote_name(model._meta.db_table)
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    columns = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
    one_row = f"({', '.join(['%s'] * len(fields))})"
    defaults = [(field, field.attname, field.get_default()) for field in fields]
    at_once, keys = (connection.features.max_query_params or MOST_PARAMETERS) // len(fields), []
    with connection.cursor() as cursor:
        for start in range(0, len(rows), at_once):
            part = rows[start : start + at_once]
            insert = f"INSERT INTO {table} ({columns}) VALUES {', '.join([one_row] * len(part))} RETURNING id"  # noqa: S608 # nosec B608
            cursor.execute(insert, [
                field.get_db_prep_save(row.get(name, default), connection)
                for row in part
                for field, name, default in defaults
            ])  # fmt: skip
            keys += [key for (key,) in cursor.fetchall()]
    return keys
