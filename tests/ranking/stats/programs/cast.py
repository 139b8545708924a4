"""Three people who judge thirty of sixty sentences, twelve of them all together, and a program that judges all."""

from dataclasses import replace

import numpy as np

from ranking.stats.analysis import Day
from ranking.stats.ballots import Ballots, together
from ranking.stats.programs.study import (
    EVERY,
    RANKING,
    RATING,
    VERDICT,
    Asked,
    Experiment,
    Probes,
    ProgramParameters,
    ProgramStudy,
)
from tests.ranking.stats.ballots import Ballot, Group, columns

SYSTEMS, PEOPLE = ("Heron", "Wren", "Owl"), ("ada", "ben", "cyd")
PROGRAM, SENTENCES = 3, 60
ASKED = Asked(PROGRAM, "model-1", "model-1-q4", 1, "0123456789ab", 0.0, 17, 60, 30, 2, 24_000, 1_800, 0.25)
QUICK = ProgramParameters(replicates=200, unit="sentence")


def ratings(noise: float = 8.0, seed: int = 5) -> Ballots:
    """Heron is better than Wren and Owl; the program has less noise than people."""
    rng = np.random.default_rng(seed)
    liked = np.array([70, 55, 50]) + 12 * rng.standard_normal((SENTENCES, 3))
    who = [(judge, sentence) for sentence in range(30) for judge in range(3) if sentence < 12 or sentence % 3 == judge]
    who += [(PROGRAM, sentence) for sentence in range(SENTENCES)]
    return columns([
        Ballot(judge, sentence, tuple(
            Group((system,), float(np.clip(round(liked[sentence, system] + spread * rng.standard_normal()), 0, 100)))
            for system in rng.permutation(3).tolist()
        ))
        for judge, sentence in who for spread in [noise / 2 if judge == PROGRAM else noise]
    ], 3, 4)  # fmt: skip


def asked_again(ballots: Ballots) -> Probes:
    """Ten sentences: the opposite order brings the same, another sample too, and one version twice ties."""
    asked_first = np.flatnonzero(ballots.judge == PROGRAM)[:10]
    first = ballots.choose(asked_first)
    row = np.arange(len(first.candidate))
    back = first.starts[first.ballot_of] + first.starts[first.ballot_of + 1] - 1 - row
    turned = replace(first, candidate=first.candidate[back], merit=first.merit[back])
    one = first.starts[:-1]
    twice = replace(
        first, starts=2 * np.arange(11), candidate=first.candidate[one].repeat(2), merit=first.merit[one].repeat(2)
    )  # fmt: skip
    # In the order of PURPOSES.
    return Probes(together(together(turned, twice), first), np.repeat(np.arange(3), 10), np.tile(asked_first, 3))


def study(ballots: Ballots, scale: str = RATING, parameters: ProgramParameters = QUICK, **changes) -> ProgramStudy:
    systems = (*SYSTEMS[:2], EVERY[scale]) if scale in EVERY else SYSTEMS
    given = {
        "is_repeat": np.zeros(len(ballots), dtype=bool), "is_program": np.arange(4) == PROGRAM,
        "lengths": np.arange(len(ballots.candidates.sizes)) % 7, "judges": (*PEOPLE, "robot"),
        "probes": asked_again(ballots), "asked": (ASKED,), "controls": ((0, 0), (0, 0), (0, 0), (5, 4)),
        "days": (Day("2026-05-01", 12, 1),),
        "experiment": Experiment(np.arange(8), np.arange(8) % 2 > 0, np.full(8, 30.0), np.ones(8, int), np.ones(8)),
    }  # fmt: skip
    return ProgramStudy(scale, ballots, systems=systems, parameters=parameters, **given | changes)


def rankings() -> ProgramStudy:
    return study(ratings(), RANKING)


def verdicts() -> ProgramStudy:
    """Sixty usages, of which Heron marks the odd ones and Wren every third; the program is right nine times of ten."""
    rng = np.random.default_rng(7)
    ballots = []
    for usage in range(120):
        behind = (*(system for system, marks in enumerate((usage % 2, usage % 3 == 0)) if marks), 2)
        is_error = usage % 4 == 1
        judges = [*range(3)] if usage < 40 else []
        for judge, right in [*((one, 0.8) for one in judges), (PROGRAM, 0.9)]:
            said = is_error if rng.random() < right else not is_error
            ballots.append(Ballot(judge, usage, (Group(behind, float(said)),)))
    return study(columns(ballots, 3, 4), VERDICT)
