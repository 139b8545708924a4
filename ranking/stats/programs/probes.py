"""What programs said when they were asked again, and which models they are.

A probe shows the same versions in the opposite order, one version twice, or the same question for another sample. If
both orders of each screen are counted, it does not matter which version is better: the one shown earlier wins half of
the comparisons, unless the order matters.
"""

from typing import NamedTuple

import numpy as np

from ranking.stats.ballots import Ballots

REVERSED, IDENTICAL, SAMPLE = PURPOSES = ("reversed", "identical", "sample")


class Probes(NamedTuple):
    """Ballots that do not count, numbered like those that do, in the order shown; `purpose` counts in PURPOSES."""

    ballots: Ballots
    purpose: np.ndarray

    def of(self, program: int, purpose: str) -> Ballots:
        return self.ballots.choose((self.ballots.judge == program) & (self.purpose == PURPOSES.index(purpose)))


class Asked(NamedTuple):
    """One way in which a judge that is a program was asked: its model and prompt, how often, and what that cost."""

    program: int
    model: str
    answered_by: str
    prompt: int
    digest: str
    temperature: float | None
    seed: int | None
    judgments: int
    probes: int
    unreadable: int
    tokens_in: int | None
    tokens_out: int | None
    cost: float | None


def on_same(ballots: Ballots, probes: Ballots) -> Ballots:
    """Those ballots that answer what a probe asked again: the same judge on the same sentence."""
    return ballots.choose(np.isin(_places(ballots), _places(probes)))


def _places(ballots: Ballots) -> np.ndarray:
    return ballots.judge.astype(np.int64) * ballots.segments + ballots.segment
