"""Writing recorded judgments as finished assignments with their judgments."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from judgments.models import Assignment, Campaign, Judgment, Membership, Screen
from judgments.rules.progress import Progress

AT_ONCE = 500
REPEATS_AT_ONCE = 200
R = TypeVar("R")


class NewJudgment(NamedTuple):
    """A judgment to store: its judge, its screen with the order of candidates, and the reason if it was skipped."""

    key: UUID
    judge: str
    screen: Screen
    order: str = ""
    skip_reason: str = ""
    seconds: float | None = None


def recorded_screens(campaign: Campaign) -> QuerySet[Screen]:
    """Return the screens created by earlier imports."""
    return Screen.objects.filter(campaign=campaign, batch=None, automatic=False)


def chunks_of(new: Sequence[R], progress: Progress) -> Iterator[Sequence[R]]:
    """Yield the new judgments in chunks, and report the progress."""
    for start in range(0, len(new), AT_ONCE):
        part = new[start : start + AT_ONCE]
        yield part
        progress(start + len(part), len(new))


class AssignmentWriter:
    """Writes assignments and judgments; a judge's second judgment of a screen is a repeat, even across files."""

    def __init__(self, campaign: Campaign, judges: Iterable[str]):
        self.campaign, self.now = campaign, timezone.now()
        earlier = Assignment.objects.filter(screen__in=recorded_screens(campaign), judge__isnull=False)
        self._last_assignments = {(one.judge_id, one.screen_id): one for one in earlier.order_by("pk")}
        self._judges = self._find_judges(set(judges))

    def _find_judges(self, names: set[str]) -> dict[str, Membership]:
        """Find the judges, and create new ones."""
        members = Membership.objects.filter(campaign=self.campaign, pseudonym__in=names)
        judges = {judge.pseudonym: judge for judge in members}
        new = [
            Membership(campaign=self.campaign, role=Membership.Role.JUDGE, pseudonym=name)
            for name in sorted(names - judges.keys())
        ]
        return judges | {judge.pseudonym: judge for judge in Membership.objects.bulk_create(new)}

    def write(self, new_judgments: Sequence[NewJudgment]) -> list[Judgment]:
        assignments = self._write_assignments(new_judgments)
        return Judgment.objects.bulk_create(
            Judgment(
                assignment_id=assignment.pk,
                screen_id=assignment.screen_id,
                key=one.key,
                skipped=bool(one.skip_reason),
                skip_reason=one.skip_reason,
                wall_seconds=one.seconds,
                submitted_at=self.now,
            )
            for assignment, one in zip(assignments, new_judgments, strict=True)
        )

    def _write_assignments(self, new_judgments: Sequence[NewJudgment]) -> list[Assignment]:
        """Write a finished assignment for each judgment; it is a repeat if the judge has judged the screen before."""
        assignments, repeats = [], []
        for one in new_judgments:
            judge = self._judges[one.judge]
            assignment = Assignment(campaign_id=self.campaign.pk, screen_id=one.screen.pk, order=one.order)
            earlier = self._last_assignments.get((judge.pk, one.screen.pk))
            if earlier is None:
                assignment.judge_id, assignment.submitted_at = judge.pk, self.now
            else:  # without a judge at first: a judge may have only one assignment of a screen that is not a repeat
                repeats.append((assignment, judge, earlier))
            self._last_assignments[judge.pk, one.screen.pk] = assignment
            assignments.append(assignment)
        Assignment.objects.bulk_create(assignments)
        of_judges: dict[Membership, list[int]] = {}
        for assignment, judge, earlier in repeats:
            assignment.repeats = earlier
            of_judges.setdefault(judge, []).append(assignment.pk)
        Assignment.objects.bulk_update((one for one, _, _ in repeats), ["repeats"], batch_size=REPEATS_AT_ONCE)
        for judge, keys in of_judges.items():
            Assignment.objects.filter(pk__in=keys).update(judge=judge, submitted_at=self.now)
        return assignments
