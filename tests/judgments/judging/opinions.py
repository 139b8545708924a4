"""Judges of one mind, and others of the opposite one."""

from uuid import uuid4

from judgments.assignment import claiming
from judgments.judging.submission import submit
from judgments.models import Assignment, Judgment, Membership
from judgments.protocols.candidates import shown_slots
from judgments.protocols.rating import Score


def answers_of(assignment: Assignment, is_contrary: bool = False) -> list:
    """The candidate stored first is best, or worst; a usage is an error, or fine."""
    if assignment.campaign.protocol == "verdict":
        return ["ok" if is_contrary else "error"]
    candidates = [slot.candidate_id for slot in shown_slots(assignment)]
    ranks = [sorted(candidates, reverse=is_contrary).index(candidate) + 1 for candidate in candidates]
    return [Score(100 - 10 * rank) for rank in ranks] if assignment.campaign.protocol == "rating" else ranks


def judge_all(judge: Membership, is_contrary: bool = False) -> list[Judgment]:
    """Judge everything that is left for a judge, who is of one mind."""
    judgments = []
    while assignment := claiming.claim_straight_on(judge):
        judgments.append(submit(assignment, key=uuid4(), answers=answers_of(assignment, is_contrary)))
    claiming.finish_batch(judge)
    return judgments
