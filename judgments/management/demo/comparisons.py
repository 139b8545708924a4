"""The demonstration of ranking and rating: six invented systems over the same texts."""

import random
from collections.abc import Callable
from pathlib import Path
from statistics import fmean

from judgments.assignment import assigning
from judgments.management.demo.simulation import SimulatedJudge, opinions, to_ranks, to_scores
from judgments.material import storing
from judgments.material.rules.contents import UploadedMaterial
from judgments.material.rules.reading import Roles, read_material
from judgments.models import Assignment, Campaign
from judgments.protocols.rating import Score
from judgments.protocols.rows import shown_slots, systems_behind
from judgments.rules.files.text_files import UploadedFile

TEXTS = Path(__file__).parent / "texts"
REFERENCES = frozenset({"reference-a", "reference-b"})
CONTROL = "source+error"
SCREENS = 120
JUDGES = (
    SimulatedJudge("ada", noise=0.03, tie_width=0.05),
    SimulatedJudge("ben", noise=0.05, tie_width=0.08),
    SimulatedJudge("chloe", noise=0.08, tie_width=0.04),
    SimulatedJudge("dan", noise=0.25, tie_width=0.1),
)
# The quality of the invented systems beyond similarity to a reference: Curlew rewrites well, Magpie badly.
MERITS = {"Heron": 0.1, "Curlew": 0.22, "Plover": 0.05, "Wren": 0.02, "Lapwing": 0.0, "Magpie": -0.05, CONTROL: -0.1}


def material() -> UploadedMaterial:
    files = [UploadedFile(file.name, file.read_bytes()) for file in sorted(TEXTS.iterdir())]
    roles = Roles(source_takes_part=True, references=REFERENCES, controls=frozenset({CONTROL}))
    return read_material(files, roles)


def prepare(campaign: Campaign) -> None:
    storing.store_material(campaign, material())
    assigning.assign(campaign, SCREENS if campaign.design == Campaign.Design.SAMPLED else None)


def answers_in(campaign: Campaign) -> Callable[[Assignment, SimulatedJudge, random.Random], list]:
    """Return the function by which simulated judges answer."""
    references = {lines.name: lines.texts for lines in material().references}
    by_position = dict(enumerate(zip(*references.values(), strict=True)))
    merits = _merits(campaign)

    def answers(assignment: Assignment, judge: SimulatedJudge, rng: random.Random) -> list:
        slots = shown_slots(assignment)
        texts = [slot.candidate.text or "" for slot in slots]
        near = [text for text in by_position[assignment.screen.segment.position] if text is not None]
        held = opinions(judge, texts, [merits[slot.candidate_id] for slot in slots], near, rng)
        if campaign.protocol == "ranking":
            return to_ranks(judge, held)
        return [Score(score, meaning_changed=score < 40 and rng.random() < 0.3) for score in to_scores(held)]

    return answers


def _merits(campaign: Campaign) -> dict[int, float]:
    """Return the mean merit of the systems of each candidate; 0 for the unchanged source."""
    return {
        candidate: 0.0 if "source" in names else fmean(MERITS.get(name, 0.0) for name in names)
        for candidate, names in systems_behind(campaign).items()
    }
