"""Storing imported judgments of every protocol: their judges, screens, finished assignments and answers."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from judgments.models import Assignment, Campaign, Judgment, Membership, Screen, Slot
from judgments.models.answers import OnCandidate
from judgments.protocols import protocol_of
from judgments.rules.progress import Progress

AT_ONCE = 500
REPEATS_AT_ONCE = 150


class Shown(NamedTuple):
    """What a screen shows of a segment: candidates, or a usage."""

    segment: int
    candidates: frozenset[int] = frozenset()
    usage: int | None = None
    is_control: bool = False


class NewJudgment(NamedTuple):
    """A judgment to store, with the columns of its answers; `order` is that of the candidates."""

    key: UUID
    judge: str
    shown: Shown
    answers: Sequence[Mapping[str, Any]]
    skip_reason: str = ""
    seconds: float | None = None
    order: str = ""


def recorded_screens(campaign: Campaign) -> QuerySet[Screen]:
    """Return the screens created by earlier imports."""
    return Screen.objects.filter(campaign=campaign, batch=None, automatic=False)


def write_judgments(campaign: Campaign, new: Sequence[NewJudgment], progress: Progress) -> None:
    """Store judgments, each with an assignment; a judge's second one of a screen is a repeat, even across files."""
    judges = _judges(campaign, {one.judge for one in new})
    earlier = Assignment.objects.filter(screen__in=recorded_screens(campaign), judge__isnull=False).order_by("pk")
    newest = {(one.judge_id, one.screen_id): one for one in earlier}
    screens = _screens(campaign, dict.fromkeys(one.shown for one in new))
    model, now = protocol_of(campaign).answers.model, timezone.now()
    for start in range(0, len(new), AT_ONCE):
        part = new[start : start + AT_ONCE]
        assignments, repeats = [], []
        for one in part:
            judge, screen = judges[one.judge], screens[one.shown]
            assignment = Assignment(campaign_id=campaign.pk, screen_id=screen, order=one.order)
            if (judge, screen) not in newest:
                assignment.judge_id, assignment.submitted_at = judge, now
            else:  # without a judge at first: a judge may have only one assignment of a screen that is not a repeat
                repeats.append((assignment, judge, newest[judge, screen]))
            newest[judge, screen] = assignment
            assignments.append(assignment)
        Assignment.objects.bulk_create(assignments)
        for assignment, judge, repeated in repeats:
            assignment.judge_id, assignment.repeats_id, assignment.submitted_at = judge, repeated.pk, now
        columns = ["judge", "repeats", "submitted_at"]
        Assignment.objects.bulk_update((one for one, _, _ in repeats), columns, batch_size=REPEATS_AT_ONCE)
        judgments = Judgment.objects.bulk_create(
            Judgment(
                assignment_id=assignment.pk, screen_id=assignment.screen_id, key=one.key, skip_reason=one.skip_reason,
                skipped=bool(one.skip_reason), wall_seconds=one.seconds, submitted_at=now,
            )
            for assignment, one in zip(assignments, part, strict=True)
        )  # fmt: skip
        on_screen = issubclass(model, OnCandidate)
        model._default_manager.bulk_create(
            model(judgment_id=judgment.pk, **({"screen_id": judgment.screen_id} if on_screen else {}), **answer)
            for judgment, one in zip(judgments, part, strict=True)
            for answer in one.answers
        )
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
    created = Screen.objects.bulk_create(
        Screen(campaign_id=campaign.pk, segment_id=one.segment, usage_id=one.usage, has_control=one.is_control)
        for one in new
    )
    Slot.objects.bulk_create(
        Slot(screen_id=screen.pk, candidate_id=candidate, position=position)
        for one, screen in zip(new, created, strict=True)
        for position, candidate in enumerate(sorted(one.candidates))
    )
    return screens | {one: screen.pk for one, screen in zip(new, created, strict=True)}
