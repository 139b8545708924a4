"""Four questions about a ranking, each with a family of comparisons of its own, from the same replicates.

A family is what is tested together, so that the probability of any false statement in it is at most 1 - level. With s
the scores, d a replicate less the mean of all, se(i, j) the standard deviation of d(i) - d(j), and T(i, j) =
(s(i) - s(j)) / se(i, j):

Who may be the best: i is not if some other system is so far ahead that chance seldom reaches it (comparisons with the
best: Hsu 1984; Mogstad, Romano, Shaikh and Wilhelm 2024),

    p(i) = share of replicates with  max over j of (d(j) - d(i)) / se(i, j)  >=  max over j of T(j, i).

Only what is said of the true best system can be false, so p needs no correction: the systems that may be the best hold
it with the probability `level`. Of several that share the first place each is kept with that probability, but not all
of them together. p is at least the two-sided one of any other system alone, so that "one system is better than all
others" is as sure as a test of two; it matters with two or three systems. Who may be the last is the same with signs
turned.

Who beats one system f, fixed beforehand, such as the source: one-sided, step-down (Dunnett and Tamhane 1991; Romano and
Wolf 2005). In the order of T(j, f), the largest first, p is the share of replicates in which the largest
(d(j) - d(f)) / se(j, f) of this and all later systems reaches it, and at least the p of earlier ones.

Where the order breaks: "all above are better than all below" is false if it is false of one pair, so the weakest pair
is tested as if it were alone, two-sided (intersection-union: Berger 1982), and the boundaries together by Holm's
method. The groups between them never overlap. p is at least that with which the systems below are not the best, and
those above not the last, so that no answer contradicts another.

Which pairs differ: `pair_tests`. Systems that share a letter are not separated by it (Piepho 2004).

Shares count one replicate more that reaches everything, so that no p is 0. While judging goes on, each comparison has
the p of a confidence sequence (`pair_tests`) instead; those with the best are corrected by their number, and those with
one system by Holm's method.

Toy: of scores 3, 2 and 0 with all se 1, the second boundary has T = 2 and p = 2 Phi(-2) = .046; the first one T = 1.
Of three systems of which only the first and the last differ, the letters are a, ab and b.

On the published judgments (Grundkiewicz et al. 2015; sentences and judges) the best is one of AMU, RAC, CAMB, CUUI and
POST, IPN is last and alone after the only boundary, and AMU and RAC beat INPUT, the source.
"""

from itertools import accumulate, count, product
from string import ascii_lowercase
from typing import NamedTuple

import numpy as np
import scipy as sp

from ranking.stats.rankings.pair_tests import ROUNDING, errors_of_differences, holm, p_values


class Found(NamedTuple):
    """For each statement its system, the other system that decides it, T and p."""

    system: np.ndarray
    other: np.ndarray
    statistic: np.ndarray
    p_value: np.ndarray

    def holding(self, level: float) -> np.ndarray:
        """Whether each statement is established."""
        return self.p_value <= 1 - level + ROUNDING


class Questions:
    """The four questions on one set of scores; with the numbers of `sentences`, answers hold however often one looks.

    Scores and replicates are of the systems that can be placed, of which there are two or more.
    """

    def __init__(
        self, scores: np.ndarray, replicates: np.ndarray, level: float, sentences: np.ndarray | None = None
    ) -> None:
        self.level = level
        error = errors_of_differences(replicates)
        error[error <= ROUNDING * max(float(np.abs(scores).max()), ROUNDING)] = np.inf
        self._error, self._drawn = error, replicates - replicates.mean(axis=0)
        self._reached = (scores[:, None] - scores) / error
        self._fewer = None if sentences is None else np.minimum(sentences[:, None], sentences)
        self._order = np.argsort(-scores, kind="stable")

    def not_the_best(self) -> Found:
        """That a system is not the best, because of the one that is furthest ahead of it."""
        return self._not_first(self._reached, self._drawn)

    def not_the_last(self) -> Found:
        return self._not_first(-self._reached, -self._drawn)

    def _not_first(self, reached: np.ndarray, drawn: np.ndarray) -> Found:
        systems = np.arange(len(reached))
        ahead = np.where(np.eye(len(systems), dtype=bool), -np.inf, reached)
        other = ahead.argmax(axis=0)
        statistic = ahead[other, systems]
        p_value = np.empty(len(systems))
        for system in systems:
            if self._fewer is None:
                apart = (drawn - drawn[:, [system]]) / self._error[system]
                of_each = _share_of(np.abs(np.delete(apart, system, axis=1)) >= statistic[system] - ROUNDING)
                apart[:, system] = -np.inf
                p_value[system] = max(of_each.max(), _share_of(apart.max(axis=1) >= statistic[system] - ROUNDING))
            else:
                alone = _at_any_time(ahead[:, system], self._fewer[:, system], self.level)
                p_value[system] = min(1.0, alone.min() * (len(systems) - 1))
        return Found(systems, other, statistic, p_value)

    def better_than(self, fixed: int) -> Found:
        """That a system is better than a fixed one."""
        reached = self._reached[:, fixed]
        others = np.array([system for system in np.argsort(-reached, kind="stable") if system != fixed])
        if self._fewer is None:
            apart = (self._drawn[:, others] - self._drawn[:, [fixed]]) / self._error[others, fixed]
            largest = np.maximum.accumulate(apart[:, ::-1], axis=1)[:, ::-1]
            shares = _share_of(largest >= reached[others] - ROUNDING)
            p_value = np.maximum.accumulate(shares)
        else:
            p_value = holm(_at_any_time(reached, self._fewer[:, fixed], self.level)[others].tolist())
        return Found(others, np.full(len(others), fixed), reached[others], p_value)

    def breaks(self) -> Found:
        """That the order breaks between a system and the next one; their weakest pair decides it."""
        order, places = self._order, range(1, len(self._order))
        weakest = []
        for at in places:
            one, other = divmod(int(self._reached[np.ix_(order[:at], order[at:])].argmin()), len(order) - at)
            weakest.append((order[one], order[at + other]))
        one, other = np.array(weakest).T  # type: ignore[assignment]
        statistic = self._reached[one, other]
        if self._fewer is None:
            alone = 2 * sp.special.ndtr(-statistic)
        else:
            alone = p_values(np.maximum(statistic, 0), self._fewer[one, other], self.level)
        p_value = np.array(holm(np.minimum(alone, 1).tolist()))
        best, last = self.not_the_best().p_value[order], self.not_the_last().p_value[order]
        implied = [max(best[at:].max(), last[:at].max()) for at in places]
        return Found(one, other, statistic, np.maximum(p_value, implied))

    def groups(self) -> list[int]:
        """The group of each system, best score first, from 1."""
        return list(accumulate(map(int, self.breaks().holding(self.level)), initial=1))[: len(self._order)]


def _at_any_time(reached: np.ndarray, sentences: np.ndarray, level: float) -> np.ndarray:
    """The p-values of one side, half of those of both."""
    return np.where(reached > 0, p_values(np.maximum(reached, 0), sentences, level) / 2, 1.0)


def _share_of(reaches: np.ndarray) -> np.ndarray:
    return np.asarray((1 + reaches.sum(axis=0)) / (1 + len(reaches)))


def letters(differ: np.ndarray) -> list[str]:
    """Letters of systems, best score first; those that share one are not separated (insert and absorb)."""
    columns = [frozenset(range(len(differ)))]
    for one, other in np.argwhere(np.triu(differ)).tolist():
        parted = {column - {gone} for column in columns if {one, other} <= column for gone in (one, other)}
        whole = [column for column in columns if not {one, other} <= column]
        columns = whole + [
            column for column in parted if not any(column <= also for also in whole) and
            not any(column < also for also in parted)
        ]  # fmt: skip
    columns.sort(key=sorted)
    of = ["" for _ in range(len(differ))]
    # a to z, then aa, ab and so on.
    names = ("".join(name) for length in count(1) for name in product(ascii_lowercase, repeat=length))
    for letter, column in zip(names, columns, strict=False):
        for system in column:
            of[system] += letter
    return of
