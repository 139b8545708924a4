"""Storing imported judgments of every protocol: their judges, screens, finished assignments and answers."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from judgments.models import Assignment, Campaign, Judgment, Membership, Screen, Slot
from judgments.models.database import new_keys, store_rows
from judgments.protocols import protocol_of
from judgments.rules.progress import Progress

AT_ONCE = 500


class Shown(NamedTuple):
    """What a screen shows of a segment: candidates, or a usage."""

    segment: int
    candidates: frozenset[int] = frozenset()
    usage: int | None = None
    is_control: bool = False


class JudgmentToStore(NamedTuple):
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


def write_judgments(
    campaign: Campaign, keys: Sequence[UUID], new: Sequence[JudgmentToStore], progress: Progress
) -> None:
    """Store judgments by their keys, each with an assignment.

    A judge's second judgment of a screen is a repeat, even across files.
    """
    judges = _judges(campaign, {one.judge for one in new})
    earlier = Assignment.objects.filter(screen__in=recorded_screens(campaign), judge__isnull=False).order_by("pk")
    newest = {(judge, screen): pk for judge, screen, pk in earlier.values_list("judge", "screen", "pk")}
    screens = _screens(campaign, dict.fromkeys(one.shown for one in new))
    answers, now = protocol_of(campaign).answer_model, timezone.now()
    knows_screen = "screen" in {field.name for field in answers._meta.fields}
    for start in range(0, len(new), AT_ONCE):
        part, these = new[start : start + AT_ONCE], keys[start : start + AT_ONCE]
        places = [(judges[one.judge], screens[one.shown]) for one in part]
        finished, assignments = new_keys(Assignment, len(part)), []
        for pk, one, place in zip(finished, part, places, strict=True):
            assignments.append((campaign.pk, *place, one.order, newest.get(place), now))
            newest[place] = pk
        columns = ["campaign", "judge", "screen", "order", "repeats", "submitted_at"]
        store_rows(Assignment, columns, assignments, finished)
        judgments = store_rows(
            Judgment,
            ["assignment", "screen", "key", "skipped", "skip_reason", "wall_seconds", "submitted_at"],
            [
                (assignment, screen, key, bool(one.skip_reason), one.skip_reason, one.seconds, now)
                for key, one, assignment, (_, screen) in zip(these, part, finished, places, strict=True)
            ],
        )
        said = [
            {"judgment": judgment, "screen": screen, **answer}
            for one, judgment, (_, screen) in zip(part, judgments, places, strict=True)
            for answer in one.answers
        ]
        names = [name for name in (said[0] if said else ()) if name != "screen" or knows_screen]
        store_rows(answers, names, [[answer[name] for name in names] for answer in said])
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
    created = store_rows(
        Screen,
        ["campaign", "segment", "usage", "has_control"],
        [(campaign.pk, one.segment, one.usage, one.is_control) for one in new],
    )
    slots = [
        (screen, candidate, position)
        for one, screen in zip(new, created, strict=True)
        for position, candidate in enumerate(sorted(one.candidates))
    ]
    store_rows(Slot, ["screen", "candidate", "position"], slots)
    return screens | dict(zip(new, created, strict=True))
