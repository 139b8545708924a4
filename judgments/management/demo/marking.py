"""The demonstration of marking: the texts and systems of the ranking; simulated judges follow references."""

import random
from collections.abc import Callable

from judgments.assignment import assigning
from judgments.management.demo import comparisons
from judgments.management.demo.simulation import SimulatedJudge, quality, to_ranks
from judgments.material import storing
from judgments.models import Assignment, Campaign
from judgments.protocols.marking import MarkingProtocol
from judgments.protocols.marking.form import JudgedVersion
from judgments.rules.texts.edits import JudgedEdit, apply_edits, decisions

SCREENS = 60
# The noise is the share of edits that a judge takes for the opposite.
JUDGES = (
    SimulatedJudge("ada", noise=0.03, tie_width=0.03),
    SimulatedJudge("ben", noise=0.08, tie_width=0.05),
    SimulatedJudge("chloe", noise=0.15, tie_width=0.03),
)


def prepare(campaign: Campaign) -> None:
    storing.store_material(campaign, comparisons.material())
    assigning.assign(campaign, SCREENS)


def answers_in(campaign: Campaign) -> Callable[[Assignment, SimulatedJudge, random.Random], list]:
    """Return the function by which simulated judges answer: an edit is right if it leads towards a reference."""
    references = list(zip(*(lines.texts for lines in comparisons.material().references), strict=True))

    def answers(assignment: Assignment, judge: SimulatedJudge, rng: random.Random) -> list:
        wanted = MarkingProtocol().specification(assignment)
        near = [text for text in references[assignment.screen.segment.position] if text is not None]
        found: list[list[JudgedEdit]] = [[] for _ in wanted.versions]
        for decision in decisions(wanted.source, wanted.proposed):
            is_better = quality(apply_edits(wanted.source, [decision.edit]), near) > quality(wanted.source, near)
            is_right = is_better != (rng.random() < judge.noise)
            for version, _ in decision.places:
                found[version].append(JudgedEdit(*decision.edit[:3], "right" if is_right else "wrong"))
        held = [quality(version, near) + rng.gauss(0, judge.noise / 2) for version in wanted.versions]
        return [
            JudgedVersion(tuple(sorted(edits)), rank) for edits, rank in zip(found, to_ranks(judge, held), strict=True)
        ]

    return answers
