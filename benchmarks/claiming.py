"""Claiming assignments and submitting from them while a campaign fills up.

Judges take turns until no assignment is left for them; the reference is the first stretch of assignments, the last is
set against it. A ratio near 1 says that claiming does not slow down as assignments fill up.
"""

import random
from itertools import cycle
from time import perf_counter
from typing import NamedTuple
from uuid import uuid4

from benchmarks.installation import Installation, fresh_installation
from benchmarks.maker import SEED, write_material
from benchmarks.processes import apart
from benchmarks.table import Row

SYSTEMS = 10
# Two rounds in batches of 20, of which 2 are repeats: 20,000 assignments, or 200.
SENTENCES, SCREENS, STRETCH, JUDGES = 3_000, 9_000, 200, 8
SMALL_SENTENCES, SMALL_SCREENS, SMALL_STRETCH, SMALL_JUDGES = 100, 90, 20, 4
# The first assignments pay for what a process does only once.
WARMING_UP = 10
SETTINGS = {"redundancy": 2, "batch_size": 20, "repeat_share": 0.1, "seed": SEED}


class Filled(NamedTuple):
    """How many assignments a deal made and how long it took, and the seconds of each assignment that was filled."""

    assignments: int
    assigning: float
    filling: list[float]


def measure(small: bool) -> list[Row]:
    """Deal, fill every assignment, and compare the ends."""
    sentences, screens = (SMALL_SENTENCES, SMALL_SCREENS) if small else (SENTENCES, SCREENS)
    judges, stretch = (SMALL_JUDGES, SMALL_STRETCH) if small else (JUDGES, STRETCH)
    with fresh_installation() as platform:
        texts = platform.folder / "texts"
        write_material(texts, sentences, SYSTEMS)
        platform.manage("import_outputs", "benchmark", texts)
        filled = apart(fill, platform, screens, judges)
    assignments, assigning, filling = filled.value
    first, last = sum(filling[WARMING_UP:][:stretch]), sum(filling[-stretch:])
    return [
        Row("deal", f"{assignments:,} assignments", assigning, filled.megabytes),
        Row("claim and submit: all", f"{len(filling):,} assignments", sum(filling), filled.megabytes),
        Row("reference: the first", f"{stretch:,} assignments", first, filled.megabytes, 1),
        Row("claim and submit: the last", f"{stretch:,} assignments", last, filled.megabytes, last / first),
    ]


def fill(platform: Installation, screens: int, judges: int) -> Filled:
    """Deal screens, then let judges take turns, an assignment each, until none of them finds another."""
    platform.enter()
    # The platform's modules want its settings first.
    from judgments.assignment import assigning
    from judgments.campaigns import settings, states
    from judgments.models import Membership

    campaign = settings.configure(settings.find_or_prepare("benchmark"), **SETTINGS)
    start = perf_counter()
    assigned = assigning.assign(campaign, screens)
    seconds = perf_counter() - start
    states.open_campaign(campaign)
    waiting = [
        Membership.objects.create(campaign=campaign, role=Membership.Role.JUDGE, pseudonym=f"judge-{number}")
        for number in range(1, judges + 1)
    ]
    return Filled(assigned.assignments, seconds, _take_turns(waiting))


def _take_turns(waiting: list) -> list[float]:
    """The seconds of each assignment, in the order in which assignments were filled."""
    rng = random.Random(SEED)
    gone: set[int] = set()
    filling: list[float] = []
    for judge in cycle(waiting):
        if len(gone) == len(waiting):
            return filling
        if judge.pk not in gone:
            start = perf_counter()
            if _judge_one(judge, rng):
                filling.append(perf_counter() - start)
            else:
                gone.add(judge.pk)
    return filling


def _judge_one(judge, rng: random.Random) -> bool:
    """What one press of a judge's button does, without the page; False where there is no assignment."""
    from judgments.assignment import claiming
    from judgments.judging import submission

    assignment = claiming.claim_straight_on(judge)
    if assignment is None:
        return False
    ranks = [rng.randint(1, len(assignment.order)) for _ in assignment.order]
    submission.submit(assignment, key=uuid4(), answers=ranks)
    return True
