"""Judges of one mind, and others of the opposite one."""

from functools import partial

from judgments.models import Assignment, Judgment, Membership
from judgments.protocols.rating import Score
from judgments.protocols.rows import shown_slots
from tests import factory


def answers_of(assignment: Assignment, is_contrary: bool = False) -> list:
    """The candidate stored first is best, or worst; a usage is an error, or fine."""
    if assignment.campaign.protocol == "verdict":
        return ["ok" if is_contrary else "error"]
    candidates = [slot.candidate_id for slot in shown_slots(assignment)]
    ranks = [sorted(candidates, reverse=is_contrary).index(candidate) + 1 for candidate in candidates]
    return [Score(100 - 10 * rank) for rank in ranks] if assignment.campaign.protocol == "rating" else ranks


def judge_all(judge: Membership, is_contrary: bool = False) -> list[Judgment]:
    """Judge everything that is left for a judge, who is of one mind."""
    return factory.answer_all(judge, partial(answers_of, is_contrary=is_contrary))
