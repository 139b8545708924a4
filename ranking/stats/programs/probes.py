"""What programs said when they were asked again, and which models they are.

A probe shows the same versions in the opposite order, one version twice, or the same question for another sample. If
both orders of each screen are counted, it does not matter which version is better: the one shown earlier wins half of
the comparisons, unless the order matters.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ranking.stats.ballots import Ballots

REVERSED, IDENTICAL, SAMPLE = PURPOSES = ("reversed", "identical", "sample")


class Probes(NamedTuple):
    """Ballots that do not count, with the same numbers as those that do, in the order shown.

    `purpose` counts in PURPOSES; `first` is the number of the ballot that a probe asks again.
    """

    ballots: Ballots
    purpose: np.ndarray
    first: np.ndarray

    def of(self, program: int, purpose: str) -> Ballots:
        return self.ballots.choose(self._wanted(program, purpose))

    def beside_first(self, program: int, purpose: str, ballots: Ballots) -> tuple[Ballots, Ballots]:
        """The ballots that these probes ask again, and the probes; the two of a pair share a number as judge."""
        wanted = self._wanted(program, purpose)
        first, again = ballots.choose(self.first[wanted]), self.ballots.choose(wanted)
        pair = np.arange(len(again))
        return replace(first, judge=pair), replace(again, judge=pair)

    def _wanted(self, program: int, purpose: str) -> np.ndarray:
        return np.flatnonzero((self.ballots.judge == program) & (self.purpose == PURPOSES.index(purpose)))


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
