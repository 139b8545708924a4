"""The demonstration of corrections: the same texts and systems; simulated judges take edits from the references."""

import random
from collections.abc import Callable
from difflib import SequenceMatcher

from judgments.assignment import assigning
from judgments.management.demo.comparisons import TEXTS
from judgments.management.demo.simulation import SimulatedJudge
from judgments.material import storing
from judgments.material.rules.reading import Roles, read_material
from judgments.models import Assignment, Campaign
from judgments.rules.files.text_files import UploadedFile
from judgments.rules.texts.edits import Edit, derive_edits

REFERENCES = ("reference-a.txt", "reference-b.txt")
OMITTED = {*REFERENCES, "source+error.txt"}
# The noise is the share of edits that a judge overlooks.
JUDGES = (
    SimulatedJudge("ada", noise=0.05, tie_width=0),
    SimulatedJudge("ben", noise=0.15, tie_width=0),
    SimulatedJudge("chloe", noise=0.3, tie_width=0),
)
ARTICLES = {"a", "an", "the", "this", "these", "that", ""}
PREPOSITIONS = {"at", "by", "for", "from", "in", "of", "on", "to", "with", "until", "since", "per", ""}
ALIKE = 0.6


def prepare(campaign: Campaign) -> None:
    files = [UploadedFile(file.name, file.read_bytes()) for file in sorted(TEXTS.iterdir())]
    material = read_material([file for file in files if file.name not in OMITTED], Roles())
    storing.store_material(campaign, material)
    assigning.assign(campaign)


def answers_in(campaign: Campaign) -> Callable[[Assignment, SimulatedJudge, random.Random], list]:
    """Return the function by which simulated judges answer: they follow a reference but overlook some of its edits."""
    references = [TEXTS.joinpath(name).read_text(encoding="utf-8").splitlines() for name in REFERENCES]

    def answers(assignment: Assignment, judge: SimulatedJudge, rng: random.Random) -> list:
        segment = assignment.screen.segment
        source, reference = segment.text or "", rng.choice(references)[segment.position]
        edits = [edit for edit in derive_edits(source, reference) if rng.random() >= judge.noise]
        return [edit._replace(category=_category(source, edit)) for edit in edits]

    return answers


def _category(source: str, edit: Edit) -> str:
    """Guess a CoNLL-2014 category, accurately enough for a demonstration."""
    old, new = (text.strip().casefold() for text in (source[edit.start : edit.end], edit.replacement))
    letters = {"".join(filter(str.isalpha, text)) for text in (old, new)}
    if len(letters) == 1:
        return "Mec"
    for words, name in ((ARTICLES, "ArtOrDet"), (PREPOSITIONS, "Prep")):
        if {old, new} <= words:
            return name
    if SequenceMatcher(None, old, new).ratio() < ALIKE:
        return "Wci" if old and new else "Others"
    if old.removesuffix("s") == new.removesuffix("s"):
        return "SVA"
    return "Vform" if new.endswith(("ed", "ing", "n")) else "Wform"
