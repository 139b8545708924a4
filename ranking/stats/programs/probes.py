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


def matched(ballots: Ballots, probes: Ballots) -> tuple[Ballots, Ballots]:
    """The ballots that probes asked again, and these probes; pairs of a ballot and a probe share a number as judge.

    They match if one judge said something of the same candidates of a sentence.
    """
    known = {what: number for number, what in reversed([*enumerate(_what(ballots))])}
    pairs = [(known[what], number) for number, what in enumerate(_what(probes)) if what in known]
    first, again = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    judge = np.arange(len(pairs))
    return replace(ballots.choose(first), judge=judge), replace(probes.choose(again), judge=judge)


def _what(ballots: Ballots) -> list[tuple[int, int, frozenset[int]]]:
    shown = np.split(ballots.candidate, ballots.starts[1:-1])
    columns = zip(ballots.judge.tolist(), ballots.segment.tolist(), shown, strict=False)
    return [(judge, segment, frozenset(candidates.tolist())) for judge, segment, candidates in columns]
