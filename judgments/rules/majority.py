"""On which questions an answer is opposite to that of most others, and how much the judges of a screen disagree.

A question is a pair of candidates, or () for the usage; an answer takes one side (1), the other (-1) or neither (0).
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb

Question = tuple[int, ...]
Sides = Mapping[Question, int]
FEWEST_OTHERS = 2


def sides_of(merits: Mapping[int, float]) -> dict[Question, int]:
    """The side for each pair of candidates: 1 if the first, by its key, is better."""
    pairs = combinations(sorted(merits), 2)
    return {(one, other): (merits[one] > merits[other]) - (merits[one] < merits[other]) for one, other in pairs}


def questions_opposed(own: Sides, others: Sequence[Sides]) -> dict[Question, int]:
    """The questions on which more than half of the others take the opposite side, with their side.

    Toy: two others prefer a to b, a third finds them equal; who prefers b is opposed, who finds them equal is not.
    """
    if len(others) < FEWEST_OTHERS:
        return {}
    taken = {question: [other.get(question, 0) for other in others] for question, side in own.items() if side}
    return {one: -own[one] for one, sides in taken.items() if 2 * sides.count(-own[one]) > len(others)}


def disagreement(answers: Sequence[Sides]) -> float:
    """The share of pairs of judges who take opposite sides, over all questions; 0 for fewer than two judges.

    Toy: on a and b two of three judges prefer a and one b, on a and c all agree: 2 of 3 and 0 of 3, so 1/3.
    """
    questions = answers[0] if answers else {}
    taken = [[answer.get(question, 0) for answer in answers] for question in questions]
    pairs = len(taken) * comb(len(answers), 2)
    return sum(sides.count(1) * sides.count(-1) for sides in taken) / pairs if pairs else 0.0
