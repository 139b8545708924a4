"""CLEME (Ye et al., 2023) and CLEME2.0 (Ye et al., 2025): corrections compared chunk by chunk (`partition`).

CLEME weighs chunks by their length l, where m is the mean length of the chunks that references change:

    true and missed     2 / (1 + exp(m - l)), at least 0.75 and at most 1.25
    wrong and over      2 / (1 + exp(l - m)), at least 0.75 and at most 1.25

From the sums P = true / (true + wrong + over), R = true / (true + missed), F and accuracy follow, where 0 / 0 = 1.
CLEME2.0 needs no weights and tells four kinds of quality apart:

    hit, wrong, under = true, wrong, missed / (true + wrong + missed)      over = over / (true + wrong + over)
    CLEME2 = 0.45 hit + 0.35 (1 - wrong) + 0.15 (1 - under) + 0.05 (1 - over), where 0 / 0 = 0

Corrections that depend on each other are compared with one reference, chosen as ERRANT does, for CLEME2.0 by its score;
those that do not depend on each other with all references at once.

Toy: 3 true, 1 wrong, 2 missed, 1 over: hit = 3/6, wrong = 1/6, under = 2/6, over = 1/5: 0.225 + 0.292 + 0.1 + 0.04.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ranking.metrics.base import (
    ABSENT,
    Metric,
    Progress,
    Scores,
    check_beta,
    check_setting,
    f_by_beta,
    in_chunks,
    no_progress,
    part_of,
)  # fmt: skip
from ranking.metrics.candidates import Candidates
from ranking.metrics.chunks import choosing
from ranking.metrics.chunks.choosing import chosen_for, shares_of
from ranking.metrics.chunks.edits import WORDS, Found, check_kind, find, references_of, signed
from ranking.metrics.chunks.partition import CHANGED, FIRST, KEPT, LENGTH, LENGTHS, MISSED, OVER, TRUE, WRONG, count
from ranking.metrics.material import Material, MetricError
from ranking.numbers.kernels import kernel
from ranking.numbers.tables import Table

BY_LENGTH, NONE = "length", "none"
LEAST, MOST = 0.75, 1.25
OUTPUTS_AT_ONCE = 16
# Sums have the columns of what a candidate does, and last of what is kept.
LEFT, SUMS = 4, 5


@dataclass(frozen=True)
class _ByChunks(Metric):
    """Counts by reference, or of all together if corrections are independent, and column; see `partition`."""

    edits: str = WORDS
    weights: str = NONE
    by_reference = False
    is_independent: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_kind(self.title, self.edits)
        if self.weights not in (BY_LENGTH, NONE):
            raise MetricError(f"{self.title}: weights is {BY_LENGTH} or {NONE}, not {self.weights!r}.")
        for name in ("reads_edits", "cuts_words"):
            object.__setattr__(self, name, self.edits == WORDS)

    def count(self, material: Material, candidates: Candidates, progress: Progress = no_progress) -> np.ndarray:
        subsets = [range(references_of(material, self.edits))]
        return next(self.counts_of_subsets(material, candidates, subsets, progress))

    def counts_of_subsets(
        self,
        material: Material,
        candidates: Candidates,
        subsets: Sequence[Sequence[int]],
        progress: Progress = no_progress,
    ) -> Iterator[np.ndarray]:
        found = find(self.title, material, candidates, self.edits, progress)
        for number, subset in enumerate(subsets):
            yield self._counted(found, candidates, subset, part_of(progress, number, len(subsets)))

    def _counted(self, found: Found, candidates: Candidates, subset: Sequence[int], progress: Progress) -> np.ndarray:
        given = candidates.sentence, *found, np.array(subset, dtype=np.int64), self.is_independent
        return in_chunks(lambda part: count(part.start, part.stop, *given), len(candidates), progress)

    def of_systems(self, counts: np.ndarray, chosen: np.ndarray) -> Scores:
        lengths = counts[:, 0, CHANGED : LENGTH + 1][chosen].sum(axis=1)
        return self.scores_of(self._sums(counts, chosen, lengths))

    def of_candidates(self, counts: np.ndarray) -> Scores:
        """Weigh each candidate by the mean length of chunks over all of them."""
        lengths = counts[:, 0, CHANGED : LENGTH + 1].sum(axis=0, keepdims=True)
        return self.scores_of(self._sums(counts, np.arange(len(counts))[:, None], lengths.repeat(len(counts), axis=0)))

    def _sums(self, counts: np.ndarray, chosen: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        chosen = np.ascontiguousarray(chosen, dtype=np.int64)
        weights = self._weights(lengths[:, 1] / np.maximum(lengths[:, 0], 1))
        return in_chunks(
            lambda part: self.summed(counts, chosen[part], weights[part]), len(chosen), no_progress, OUTPUTS_AT_ONCE
        )

    def _weights(self, means: np.ndarray) -> np.ndarray:
        """Return weights by output, kind of chunk and length."""
        if self.weights == NONE:
            return np.ones((len(means), LEFT, LENGTHS))
        beyond = np.arange(LENGTHS) - means[:, None]
        rising, falling = (np.clip(2 / (1 + np.exp(sign * beyond)), LEAST, MOST) for sign in (-1, 1))
        return np.stack([rising, falling, falling, rising], axis=1)

    @abstractmethod
    def summed(self, counts: np.ndarray, chosen: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Sum the weighted counts of outputs against the references chosen for them."""

    @abstractmethod
    def scores_of(self, sums: np.ndarray) -> Scores:
        """The scores by name."""


@dataclass(frozen=True)
class Cleme(_ByChunks):
    """CLEME with dependent corrections."""

    weights: str = BY_LENGTH
    beta: float = 0.5
    name = "cleme"
    title = "CLEME"
    about = "CLEME: chunks that references change too, F0.5"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_beta(self.title, self.beta)

    @property
    def kept(self) -> tuple[str, ...]:
        return f"{self.title} F{self.beta:g}", f"{self.title} P", f"{self.title} R"

    @property
    def features(self) -> tuple[str, ...]:
        return (*self.kept[1:], f"{self.title} accuracy")

    def signature(self, material: Material) -> str:
        return f"{self.name}|beta:{self.beta:g}|weights:{self.weights}|{signed(material, self.edits)}"

    def summed(self, counts: np.ndarray, chosen: np.ndarray, weights: np.ndarray) -> np.ndarray:
        return _sums_by_f(counts, chosen, weights, float(self.beta) ** 2)

    def scores_of(self, sums: np.ndarray) -> Scores:
        joined = np.stack([sums[:, TRUE], sums[:, WRONG] + sums[:, OVER], sums[:, MISSED], sums[:, LEFT]], axis=-1)
        return dict(zip((*self.kept, self.features[-1]), shares_of(joined, self.beta), strict=True))

    def tables(self, counts: np.ndarray, chosen: np.ndarray, names: Sequence[str]) -> list[Table]:
        return [f_by_beta(self, counts, chosen, names)]


@dataclass(frozen=True)
class ClemeIndependent(Cleme):
    name = "cleme-independent"
    title = "CLEME-independent"
    about = ""
    is_independent = True


@dataclass(frozen=True)
class Cleme2(_ByChunks):
    """CLEME2.0 with dependent corrections; the settings are the weights of the four kinds of quality."""

    hit: float = 0.45
    wrong: float = 0.35
    under: float = 0.15
    over: float = 0.05
    name = "cleme2"
    title = "CLEME2"
    about = "CLEME2.0: hit, wrong, missed and needless corrections"

    def __post_init__(self) -> None:
        super().__post_init__()
        for setting in ("hit", "wrong", "under", "over"):
            check_setting(self.title, setting, getattr(self, setting), 0, 1)
        if not np.isclose(sum(self.factors), 1):
            raise MetricError(f"{self.title}: hit, wrong, under and over must add up to 1, not {sum(self.factors):g}.")

    @property
    def factors(self) -> tuple[float, float, float, float]:
        return self.hit, self.wrong, self.under, self.over

    @property
    def features(self) -> tuple[str, ...]:
        return tuple(f"{self.title} {kind}" for kind in ("hit", "wrong", "under", "over"))

    def signature(self, material: Material) -> str:
        factors = ",".join(f"{factor:g}" for factor in self.factors)
        return f"{self.name}|hit,wrong,under,over:{factors}|weights:{self.weights}|{signed(material, self.edits)}"

    def summed(self, counts: np.ndarray, chosen: np.ndarray, weights: np.ndarray) -> np.ndarray:
        return _sums_by_quality(counts, chosen, weights, np.array(self.factors))

    def scores_of(self, sums: np.ndarray) -> Scores:
        quality = np.array([_quality(row, np.array(self.factors)) for row in sums]).reshape(len(sums), 5)
        return dict(zip((self.title, *self.features), quality.T, strict=True))


@dataclass(frozen=True)
class Cleme2Independent(Cleme2):
    name = "cleme2-independent"
    title = "CLEME2-independent"
    about = ""
    is_independent = True


@kernel
def _sums_by_f(counts, chosen, weights, beta_squared):
    sums, everyone = np.zeros((len(chosen), SUMS)), np.arange(counts.shape[1])
    here, joined = np.empty((counts.shape[1], SUMS)), np.empty((counts.shape[1], choosing.COLUMNS))
    so_far = np.empty(choosing.COLUMNS)
    for row in range(len(chosen)):
        so_far[:] = 0
        for place in range(chosen.shape[1]):
            _weigh(counts[chosen[row, place]], weights[row], here)
            joined[:, 0], joined[:, 1] = here[:, TRUE], here[:, WRONG] + here[:, OVER]
            joined[:, 2], joined[:, 3] = here[:, MISSED], here[:, LEFT]
            best = chosen_for(so_far, joined, everyone, beta_squared)
            if best >= 0:
                so_far += joined[best]
                sums[row] += here[best]
    return sums


@kernel
def _sums_by_quality(counts, chosen, weights, factors):
    """Of equal references take that with most true, then least wrong and over, least missed, most kept, the first."""
    sums, here = np.zeros((len(chosen), SUMS)), np.empty((counts.shape[1], SUMS))
    for row in range(len(chosen)):
        for place in range(chosen.shape[1]):
            _weigh(counts[chosen[row, place]], weights[row], here)
            best, most = -1, (0.0, 0.0, 0.0, 0.0, 0.0)
            for reference in range(len(here)):
                each = here[reference]
                if each[LEFT] == ABSENT:
                    continue
                score = _quality(sums[row] + each, factors)[0]
                rank = score, each[TRUE], -each[WRONG] - each[OVER], -each[MISSED], each[LEFT]
                if best < 0 or rank > most:
                    best, most = reference, rank
            if best >= 0:
                sums[row] += here[best]
    return sums


@kernel
def _weigh(counts, weights, here):
    """Write the weighted sums over lengths of each reference."""
    for reference in range(len(counts)):
        row = counts[reference]
        here[reference, LEFT] = row[KEPT]
        for kind in range(LEFT):
            total = 0.0
            for length in range(LENGTHS):
                total += weights[kind, length] * row[FIRST + kind * LENGTHS + length]
            here[reference, kind] = total


@kernel
def _quality(sums, factors):
    """Compute the score, then hit, wrong, under and over."""
    needed, made = sums[TRUE] + sums[WRONG] + sums[MISSED], sums[TRUE] + sums[WRONG] + sums[OVER]
    hit = sums[TRUE] / needed if needed else 0.0
    wrong = sums[WRONG] / needed if needed else 0.0
    under = sums[MISSED] / needed if needed else 0.0
    over = sums[OVER] / made if made else 0.0
    score = factors[0] * hit + factors[1] * (1 - wrong) + factors[2] * (1 - under) + factors[3] * (1 - over)
    return score, hit, wrong, under, over
