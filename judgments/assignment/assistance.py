"""An experiment on assistance: by chance, half of the screens that a program has judged show what it said.

Chance decides when a judge gets a screen, and the assignment says so for both halves, so that time and answers with and
without the program can be compared. What was judged with it in view counts in no other report.
"""

import random
from collections.abc import Iterable, Sequence

from judgments.models import Assignment, Campaign, Judgment, Membership, Slot
from judgments.models.judgments import JudgmentQuerySet
from judgments.protocols import protocol_of


def decide(campaign: Campaign, assignments: Iterable[int]) -> None:
    """Decide for assignments that a judge has just got; a screen that the program has not judged takes no part."""
    if not campaign.assistance or not protocol_of(campaign).uses("assistance"):
        return
    taken = Assignment.objects.filter(pk__in=list(assignments), repeats=None)
    judged = (
        by_program(campaign)
        .filter(assignment__judge__removed_at=None, screen__in=taken.values("screen"))
        .values("screen")
    )
    drawn: dict[bool, list[int]] = {True: [], False: []}
    for pk in taken.filter(screen__in=judged).values_list("pk", flat=True):
        drawn[random.Random(f"{campaign.seed}:assisted:{pk}").random() < 1 / 2].append(pk)
    for is_assisted, keys in drawn.items():
        if keys:
            Assignment.objects.filter(pk__in=keys).update(assisted=is_assisted)


def said_by_program(assignment: Assignment, slots: Sequence[Slot]) -> list[str]:
    """What the program said, in words, for each place of a screen that shows it; empty for other screens."""
    protocol = protocol_of(assignment.campaign)
    if not assignment.assisted or not protocol.uses("assistance"):
        return []
    judgment = (
        by_program(assignment.campaign).filter(assignment__judge__removed_at=None, screen=assignment.screen_id).first()
    )
    if judgment is None:
        return []
    answers = protocol.load(judgment, slots)
    return [protocol.describe_program_answer(answers, place) for place in range(1, max(len(slots), 1) + 1)]


def by_program(campaign: Campaign) -> JudgmentQuerySet:
    """What the program of the experiment said, also after its access has ended."""
    return Judgment.objects.current().filter(
        skipped=False, assignment__repeats=None, assignment__judge__campaign=campaign,
        assignment__judge__pseudonym=campaign.assistance, assignment__judge__role=Membership.Role.PROGRAM,
    )  # fmt: skip
