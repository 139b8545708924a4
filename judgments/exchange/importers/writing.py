"""What all recorded judgments become: finished assignments, and judgments made there."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple
from uuid import UUID

from django.db.models import Model, QuerySet
from django.utils import timezone

from judgments.models import Assignment, Campaign, Judgment, Membership, Screen
from judgments.models.journal import note
from judgments.protocols import PROTOCOLS, protocol_of
from judgments.protocols.registry import names_of
from judgments.rules.errors import Refused

REPEATS_AT_ONCE = 200


class Filled(NamedTuple):
    """One recorded judgment: by whom, at which screen, in which order, or why it was skipped."""

    key: UUID
    judge: str
    screen: Screen
    order: str = ""
    skip_reason: str = ""
    seconds: float | None = None


def refuse_other_answers(campaign: Campaign, answers: type[Model], what: str) -> None:
    """Refuse judgments that the campaign's protocol keeps no such answers of."""
    if protocol_of(campaign).answers.model is not answers:
        names = names_of(protocol for protocol in PROTOCOLS.values() if protocol.answers.model is answers)
        raise Refused(f"Files of {what} go into {names} campaigns; {campaign.slug} is a {campaign.protocol} campaign.")


def refuse_archived(campaign: Campaign) -> None:
    """Refuse where nothing changes any more."""
    if campaign.state == Campaign.State.ARCHIVED:
        raise Refused(f"{campaign.slug} is archived; close it again before judgments come in.")


def note_import(campaign: Campaign, what: str, file: str) -> None:
    """Keep in the journal what came from which file."""
    note(campaign, f"brought in {what} from {file}")


def recorded_screens(campaign: Campaign) -> QuerySet[Screen]:
    """The screens of earlier files."""
    return Screen.objects.filter(campaign=campaign, batch=None, automatic=False)


def known_keys(campaign: Campaign) -> set[UUID]:
    """Of every judgment that is there already."""
    return set(Judgment.objects.filter(assignment__campaign=campaign).values_list("key", flat=True))


class AssignmentWriter:
    """Writes assignments and judgments; a judge's second judgment at a screen is a repeat, across files too."""

    def __init__(self, campaign: Campaign):
        self.campaign = campaign
        self.now = timezone.now()
        assignments = Assignment.objects.filter(screen__in=recorded_screens(campaign), judge__isnull=False).order_by(
            "pk"
        )
        self._last_assignments = {(assignment.judge_id, assignment.screen_id): assignment for assignment in assignments}
        self._judges: dict[str, Membership] = {}

    def find_judges(self, names: Iterable[str]) -> None:
        """Know these judges, and make those who are new; refuse the names of others."""
        wanted = set(names)
        there = Membership.objects.filter(campaign=self.campaign, pseudonym__in=wanted)
        if others := [f"{one.pseudonym} ({one.role})" for one in there if one.role != Membership.Role.JUDGE]:
            told = ", ".join(sorted(others))[:200]
            raise Refused(f"These names belong to members who are no judges: {told}. Give the judges other names.")
        self._judges = {judge.pseudonym: judge for judge in there}
        new = [
            Membership(campaign=self.campaign, role=Membership.Role.JUDGE, pseudonym=name)
            for name in sorted(wanted - self._judges.keys())
        ]
        self._judges |= {judge.pseudonym: judge for judge in Membership.objects.bulk_create(new)}

    def write(self, filled: Sequence[Filled]) -> list[Judgment]:
        """A judgment for each."""
        assignments = self._write_assignments(filled)
        return Judgment.objects.bulk_create(
            Judgment(
                assignment=assignment,
                screen_id=assignment.screen_id,
                key=one.key,
                skipped=bool(one.skip_reason),
                skip_reason=one.skip_reason,
                wall_seconds=one.seconds,
                submitted_at=self.now,
            )
            for assignment, one in zip(assignments, filled, strict=True)
        )

    def _write_assignments(self, filled: Sequence[Filled]) -> list[Assignment]:
        """A finished assignment for each; the judge's earlier one at the same screen is what it repeats."""
        assignments, repeats = [], []
        for one in filled:
            judge = self._judges[one.judge]
            assignment = Assignment(campaign=self.campaign, screen=one.screen, order=one.order)
            earlier = self._last_assignments.get((judge.pk, one.screen.pk))
            if earlier is None:
                assignment.judge, assignment.submitted_at = judge, self.now
            else:  # nobody's at first: a judge has one assignment at a screen that repeats no other
                repeats.append((assignment, judge, earlier))
            self._last_assignments[judge.pk, one.screen.pk] = assignment
            assignments.append(assignment)
        Assignment.objects.bulk_create(assignments)
        for assignment, judge, earlier in repeats:
            assignment.judge, assignment.submitted_at, assignment.repeats = judge, self.now, earlier
        again = [assignment for assignment, _, _ in repeats]
        Assignment.objects.bulk_update(again, ["judge", "submitted_at", "repeats"], batch_size=REPEATS_AT_ONCE)
        return assignments
