"""The demonstration of whole texts: eight short essays and three invented systems, one of which rewrites."""

import random
from collections.abc import Callable
from pathlib import Path

from judgments.assignment import assigning, planning
from judgments.management.demo.simulation import SimulatedJudge, quality
from judgments.material import storing
from judgments.material.rules.contents import UploadedMaterial
from judgments.material.rules.essays import read_essays
from judgments.material.rules.reading import Roles
from judgments.models import Assignment, Campaign
from judgments.protocols.essays.form import RatedVersion
from judgments.protocols.registry import rubric_of
from judgments.protocols.rows import shown_slots
from judgments.rules.authored.rubrics import RubricScale
from judgments.rules.files.text_files import UploadedFile
from judgments.rules.texts.diff import Change, compare_words
from judgments.rules.texts.marking import Span

ESSAYS = Path(__file__).parent / "whole_texts"
REFERENCE = "reference"
# The noise is of the share of words that are right, and decides how many errors a judge overlooks.
JUDGES = (
    SimulatedJudge("ada", noise=0.02, tie_width=0),
    SimulatedJudge("ben", noise=0.05, tie_width=0),
    SimulatedJudge("chloe", noise=0.1, tie_width=0),
)
# The share of words as in the reference that stands for the lowest number.
WORST = 0.6


def material() -> UploadedMaterial:
    files = [UploadedFile(file.name, file.read_bytes()) for file in sorted(ESSAYS.iterdir())]
    return read_essays(files, Roles(source_takes_part=True, references=frozenset({REFERENCE}))).whole()


def prepare(campaign: Campaign) -> None:
    storing.store_material(campaign, material())
    planning.make_controls(campaign)
    assigning.assign(campaign)


def answers_in(campaign: Campaign) -> Callable[[Assignment, SimulatedJudge, random.Random], list]:
    """Return the function by which simulated judges answer: by likeness to the reference, with some of its edits."""
    (reference,) = material().references
    rubric = rubric_of(campaign)

    def answers(assignment: Assignment, judge: SimulatedJudge, rng: random.Random) -> list:
        right = reference.texts[assignment.screen.segment.position] or ""
        said = []
        for slot in shown_slots(assignment):
            text = slot.candidate.text or ""
            likeness = quality(text, [right])
            numbers = {scale.name: _number(scale, likeness + rng.gauss(0, judge.noise)) for scale in rubric.scales}
            spans = [span for span in _errors(text, right) if rubric.severities and rng.random() > 4 * judge.noise]
            said.append(RatedVersion(numbers, rubric.score(numbers) or 0.0, tuple(spans)))
        return said

    return answers


def _number(scale: RubricScale, likeness: float) -> int:
    share = min(1.0, max(0.0, (likeness - WORST) / (1 - WORST)))
    return scale.lowest + round(share * (scale.highest - scale.lowest))


def _errors(text: str, right: str) -> list[Span]:
    """The words that the reference has otherwise: long ones are major errors."""
    spans, at = [], 0
    for piece in compare_words(text, right):
        words = piece.old.strip()
        start = at + len(piece.old) - len(piece.old.lstrip())
        if piece.change is not Change.SAME and words:
            spans.append(Span(start, start + len(words), "minor" if len(words) < len("meaningful") else "major"))
        at += len(piece.old)
    return spans
