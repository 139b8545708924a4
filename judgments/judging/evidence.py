"""What a judge answered, screen by screen, with the time it took and what others answered."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from judgments.judges.watching import screens_of
from judgments.judging.differences import slots_on
from judgments.models import Alarm, Assignment, Judgment, Membership
from judgments.models.assignments import AssignmentQuerySet
from judgments.protocols import protocol_of


@dataclass(frozen=True)
class Evidence:
    """An answered screen; `is_right` is None unless it is a control.

    A part is the text of a version, or None for the whole answer, with what the judge says of it (`answer`) and what
    each of the `others` says.
    """

    assignment: Assignment
    judgment: Judgment
    parts: list[dict[str, Any]]
    is_right: bool | None

    @property
    def speed(self) -> float | None:
        """Words a second, of the source and the versions."""
        texts = [self.assignment.screen.segment.text, *(part["text"] for part in self.parts)]
        seconds = self.judgment.seconds
        return sum(len((text or "").split()) for text in texts) / seconds if seconds else None


def screens_answered(judge: Membership, about: Alarm | None) -> AssignmentQuerySet:
    """The screens that an alarm is about in the order judged, or all, newest first."""
    screens = screens_of(judge).select_related("screen__segment", "screen__usage")
    return screens[about.first - 1 : about.last] if about else screens.order_by("-submitted_at", "-pk")


def evidence(judge: Membership, assignments: Sequence[Assignment]) -> list[Evidence]:
    """Read answered screens, in this order."""
    screens = [assignment.screen_id for assignment in assignments]
    protocol, current = protocol_of(judge.campaign), Judgment.objects.current()
    own = current.filter(assignment__in=[assignment.pk for assignment in assignments])
    others = current.filter(
        screen__in=screens, assignment__judge__role=Membership.Role.JUDGE, assignment__judge__excluded_at=None
    ).exclude(assignment__judge=judge)
    by_others: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for pk, screen, name in others.values_list("pk", "screen", "assignment__judge__pseudonym"):
        by_others[screen].append((pk, name))
    answers = _answers(judge, own) | _answers(judge, others)
    passed = protocol.passed_controls(own.filter(skipped=False, screen__has_control=True))
    judgments = {judgment.assignment_id: judgment for judgment in own}
    slots = slots_on(screens)

    def seen(assignment: Assignment) -> Evidence:
        judgment = judgments[assignment.pk]
        shown = [slots[assignment.screen_id][position].candidate for position in assignment.shown_positions()]
        texts: dict[int | None, str | None] = {one.pk: one.text for one in shown} or {None: None}
        parts = [
            {
                "text": text,
                "answer": answers.get((judgment.pk, candidate)),
                "others": [
                    (name, answers[pk, candidate])
                    for pk, name in by_others[assignment.screen_id]
                    if (pk, candidate) in answers
                ],
            }
            for candidate, text in texts.items()
        ]
        return Evidence(assignment, judgment, parts, passed.get(judgment.pk))

    return [seen(assignment) for assignment in assignments]


def _answers(judge: Membership, judgments: QuerySet[Judgment]) -> dict[tuple[int, int | None], object]:
    """What each judgment says of each candidate, or, for the candidate None, as a whole."""
    protocol = protocol_of(judge.campaign)
    if protocol.scale is None:
        return {(pk, None): text for pk, text in protocol.descriptions(judgments).items()}
    rows = protocol.answer_model._default_manager.filter(judgment__in=judgments)
    return {row[:2]: row[2] for row in rows.values_list("judgment", "candidate", protocol.scale.column)}
