"""The demonstration of verdicts: function words in learners' sentences, three invented systems, and a crowd."""

import csv
import random
from collections.abc import Callable
from pathlib import Path

from judgments.assignment import assigning
from judgments.management.demo.simulation import SimulatedJudge, to_verdict
from judgments.material import storing_usages
from judgments.material.rules.usages import read_usage_files
from judgments.models import Assignment, Campaign, Membership
from judgments.rules.files.text_files import UploadedFile

FOLDER = Path(__file__).parent / "usages"
# The share of people who would call each usage an error.
OPINIONS = Path(__file__).parent / "opinions.csv"
EXPERT = "edith"
JUDGES = (
    SimulatedJudge(EXPERT, noise=0.03, tie_width=0.02),
    *(SimulatedJudge(name, noise=0.15, tie_width=0.02) for name in ("ada", "ben", "chloe", "dan", "ewa", "feng")),
    SimulatedJudge("hugo", noise=5.0, tie_width=0.02),
)


def prepare(campaign: Campaign) -> None:
    files = [UploadedFile(file.name, file.read_bytes()) for file in sorted(FOLDER.iterdir())]
    storing_usages.store_usages(campaign, read_usage_files(files, {}))
    assigning.assign(campaign)


def answers_in(campaign: Campaign) -> Callable[[Assignment, SimulatedJudge, random.Random], list]:
    """Mark the expert, and return the function by which simulated judges answer."""
    Membership.objects.filter(campaign=campaign, pseudonym=EXPERT).update(is_expert=True)
    with OPINIONS.open(encoding="utf-8") as file:
        shares = {row["id"]: float(row["error"]) for row in csv.DictReader(file)}

    def answers(assignment: Assignment, judge: SimulatedJudge, rng: random.Random) -> list:
        usage = assignment.screen.usage
        return [to_verdict(judge, shares[usage.name], rng)] if usage else []

    return answers
