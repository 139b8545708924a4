"""The alternative annotator test: can a program stand in for one of the people? (Calderon, Reichart and Dror 2025)

Each person j is left out in turn. On each sentence that j, the program and at least one other person judged, the
program and j are aligned with the others by the same answers. With f(i) = 1 if the program is aligned at least as well
as j, and h(i) = 1 if j is aligned at least as well as the program,

    d(i) = h(i) - f(i)        H0: mean of d >= epsilon        p by a one-sided t-test; below 30 sentences by Wilcoxon

epsilon is what a person's work costs: .2 for experts, .15 for skilled people, .1 for a crowd. The p-values are
corrected by Benjamini and Yekutieli (2001) at 5 %. The winning rate is the share of people whose hypothesis is
rejected, and the program passes from 1/2 on. The average advantage is the mean over j of the mean of f.

Alignment is the share of the same verdicts, minus the root mean squared difference of ratings, or the share of pairs of
versions in the same order. The sentence is the item, however many versions of it were shown.

The paper asks for three people with 30 sentences each. With fewer the numbers are computed, and `unmet` says so.

Toy: on 30 sentences of 40 the program is aligned as well as j, on 10 better: d has mean -.25 and deviation .439, so
t = (-.25 - .2) / (.439 / sqrt 40) = -6.49.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import scipy as sp

from ranking.numbers.tables import StatisticsError

EPSILON = {"experts": 0.2, "skilled": 0.15, "crowd": 0.1}
ENOUGH_PEOPLE, ENOUGH_SENTENCES = 3, 30
FALSE_DISCOVERIES, PASSING = 0.05, 0.5
# By pair of versions, by version, or of a usage.
Answer = Mapping[int, float]
Answers = Mapping[int, Answer]
Alignment = Callable[[Answer, Sequence[Answer]], float]


@dataclass(frozen=True)
class LeftOut:
    """A person, the sentences that count, both advantages, the p-value and whether the program wins."""

    judge: int
    sentences: int
    program_advantage: float
    judge_advantage: float
    p_value: float
    is_won: bool = False


@dataclass(frozen=True)
class AlternativeTest:
    epsilon: float
    people: tuple[LeftOut, ...]

    @property
    def winning_rate(self) -> float:
        return sum(one.is_won for one in self.people) / len(self.people)

    @property
    def average_advantage(self) -> float:
        return sum(one.program_advantage for one in self.people) / len(self.people)

    @property
    def passes(self) -> bool:
        return self.winning_rate >= PASSING

    @property
    def unmet(self) -> str:
        """What the paper asks for and is not there; empty if nothing is missing."""
        few = sum(one.sentences < ENOUGH_SENTENCES for one in self.people)
        said = []
        if len(self.people) < ENOUGH_PEOPLE:
            said.append(f"it needs {ENOUGH_PEOPLE} people, and there are {len(self.people)}")
        if few:
            said.append(
                f"each person needs {ENOUGH_SENTENCES} sentences that the program and another person judged too, and "
                f"{few} of {len(self.people)} have fewer"
            )
        return "; ".join(said)


def alternative_annotator(
    program: Answers, people: Mapping[int, Answers], aligned: Alignment, epsilon: float
) -> AlternativeTest:
    found = []
    for judge, own in people.items():
        compared = []
        for sentence in own.keys() & program.keys():
            others = [one[sentence] for name, one in people.items() if name != judge and sentence in one]
            if pair := _compared(program[sentence], own[sentence], others, aligned):
                compared.append(pair)
        if compared:
            ahead, behind = np.array(compared, dtype=float).T
            p = p_value(behind - ahead, epsilon)
            found.append(LeftOut(judge, len(compared), float(ahead.mean()), float(behind.mean()), p))
    if not found:
        raise StatisticsError(
            "No sentence was judged by the program and by two people. Have people judge some of its sentences twice."
        )
    won = rejected([one.p_value for one in found]).tolist()
    return AlternativeTest(epsilon, tuple(LeftOut(one.judge, one.sentences, one.program_advantage, one.judge_advantage,
                                                  one.p_value, is_won)
                                          for one, is_won in zip(found, won, strict=True)))  # fmt: skip


def _compared(program: Answer, judge: Answer, others: Sequence[Answer], aligned: Alignment) -> tuple[bool, bool] | None:
    """Whether the program and whether the person is aligned at least as well as the other, by what both answered."""
    shared = program.keys() & judge.keys()
    both = [{key: one[key] for key in shared} for one in (program, judge)]
    known = [{key: one[key] for key in shared if key in one} for one in others]
    scores = [aligned(one, known) for one in both]
    if np.isnan(scores).any():
        return None
    return scores[0] >= scores[1], scores[1] >= scores[0]


def p_value(differences: np.ndarray, epsilon: float) -> float:
    """Of the hypothesis that the mean is at least epsilon."""
    number = len(differences)
    if number < ENOUGH_SENTENCES:
        return signed_ranks(differences - epsilon)
    error, apart = differences.std(ddof=1) / sqrt(number), differences.mean() - epsilon
    if not error:
        return float(apart >= 0)
    return float(sp.special.stdtr(number - 1, apart / error))


def signed_ranks(values: np.ndarray) -> float:
    """Wilcoxon's test that the values are not below 0, exact for these ranks, equal ones sharing theirs."""
    size = np.abs(np.round(values, 9))
    values, size = values[size > 0], size[size > 0]
    doubled = (size[:, None] > size).sum(axis=1) * 2 + (size[:, None] == size).sum(axis=1) + 1
    ways = np.ones(1)
    for rank in doubled:
        ways = np.pad(ways, (0, rank)) + np.pad(ways, (rank, 0))
    return float(ways[: doubled[values > 0].sum() + 1].sum() / ways.sum())


def rejected(p_values: Sequence[float], rate: float = FALSE_DISCOVERIES) -> np.ndarray:
    """By Benjamini and Yekutieli (2001), whatever the dependence of the tests."""
    many, order = len(p_values), np.argsort(p_values, kind="stable")
    places = np.arange(1, many + 1)
    reached = np.flatnonzero(np.sort(p_values) <= places / many * rate / (1 / places).sum())
    found = np.zeros(many, dtype=bool)
    found[order[: reached.max(initial=-1) + 1]] = True
    return found


def same_answers(own: Answer, others: Sequence[Answer]) -> float:
    return _mean([own[key] == one[key] for one in others for key in one])


def near_ratings(own: Answer, others: Sequence[Answer]) -> float:
    return -sqrt(_mean([(own[key] - one[key]) ** 2 for one in others for key in one]))


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if len(values) else float("nan")
