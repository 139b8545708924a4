"""A campaign of every protocol in which everybody has a telling name and writes telling comments."""

import io
import zipfile
from pathlib import Path
from uuid import uuid4

from judgments.assignment import claiming
from judgments.jobs.attempts import run_now
from judgments.judges import programs
from judgments.judging.submission import submit
from judgments.models import Campaign, Membership
from judgments.rules.texts.edits import Edit
from ranking.models import Report
from ranking.publishing.facts import ReleaseChoices
from ranking.publishing.release import release
from ranking.reports import building
from ranking.reports.kinds.kind import kind_for
from ranking.stats.choices import EVERYBODY
from ranking.stats.edits.study import PLAIN
from tests import factory

PROTOCOLS = ("ranking", "rating", "verdict", "correction", "marking")
# Nobody else is called so, and no code holds these words.
TELLING = (
    "Xanthippe", "Yorick", "Zarathustra", "Quasimodo", "hemlock-drinker", "Rumpelstilz", "@athens.example",
    "WORKER0815", "clock struck thirteen",
)  # fmt: skip
COMMENT = "The clock struck thirteen, says Zarathustra."
REPLACED = "mends"


def open_for(protocol: str, **settings) -> Campaign:
    if protocol == "verdict":
        return factory.open_verdicts(**settings)
    if protocol == "essays":
        return factory.open_essays(**settings)
    return factory.open_campaign(protocol=protocol, **settings)


def told(protocol: str, **settings) -> Report:
    """A finished report on the judgments of two people."""
    campaign = open_for(protocol, **settings)
    factory.organiser(campaign, "Rumpelstilz")
    # An order of enrolment that is not that of the alphabet.
    for name in ("Yorick", "Xanthippe"):
        judge_all(named(factory.judge(campaign, name)))
    return report_on(campaign)


def report_on(campaign: Campaign, **chosen) -> Report:
    kind = kind_for(campaign.protocol)
    quick = {"replicates": 200} | {"comparisons": {"folds": "none"}, "edits": {"categories": PLAIN}}.get(kind.name, {})
    made = building.create_report(campaign, parameters=kind.preset("recommended").with_changes(**quick | chosen))
    run_now(made)
    made.refresh_from_db()
    assert made.state == Report.State.DONE, made.error
    return made


def with_program(report: Report) -> Report:
    """A new report that counts the judgments of a program, too."""
    program = factory.program(report.campaign, "Quasimodo")
    for assignment in programs.claim(program, 2):
        submit(assignment, key=uuid4(), answers=answers(assignment), comment=COMMENT)
    return report_on(report.campaign, judged_by=EVERYBODY)


def named(judge: Membership) -> Membership:
    """Give a judge an account, an address and an id on a crowd platform that tell who it is."""
    judge.user.email, judge.user.first_name = f"{judge.pseudonym}@athens.example", "hemlock-drinker"
    judge.user.save()
    judge.worker = f"WORKER0815{judge.pseudonym}"
    judge.save()
    return judge


def answers(assignment) -> list:
    if assignment.campaign.protocol == "correction":
        return [Edit(0, 2, REPLACED)]
    return factory.answers_for(assignment)


def judge_all(judge: Membership) -> None:
    while assignment := claiming.claim_next_skipping_breaks(judge):
        submit(assignment, key=uuid4(), answers=answers(assignment), comment=COMMENT)


def files_of(report: Report, **choices) -> dict[str, bytes]:
    content = release(report, ReleaseChoices(**{"licence": "cc-by-4.0"} | choices))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def unpacked(report: Report, folder: Path, **choices) -> Path:
    for name, content in files_of(report, **choices).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder
