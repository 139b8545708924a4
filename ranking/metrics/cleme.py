"""CLEME (Ye et al., 2023) and CLEME2.0 (Ye et al., 2025): corrections compared chunk by chunk.

The chunks are one partition of a sentence for source, candidate and all references. Edits of any of them that overlap
or touch are joined to a chunk that somebody changes, and the words between two such chunks are one that nobody changes.
The length of a chunk is the number of its words in the source or in the candidate, whichever is larger.

    true       the candidate has the change of the reference
    wrong      it has another change than the reference
    over       it has a change where the reference has none
    missed     the reference has a change where it has none
    kept       neither has a change

Corrections that depend on each other are compared with one reference, chosen as ERRANT does, for CLEME2.0 by its score;
those that do not depend on each other with all references at once: a change is true if any reference has it, wrong if
none has it but some have another, over if none has any; a chunk that the candidate leaves is missed if all references
change it, otherwise kept.

Toy: source `a b c d`, candidate `a x c d`, references `a y d` and `a x c d`. Their edits (1, 2), (1, 3) and (1, 2) make
the chunk b c, with the changes x c, y and x c: wrong for the first reference, true for the second; independently true.

CLEME weighs chunks by their length l, where m is the mean length of the chunks that references change:

    true and missed     2 / (1 + exp(m - l)), at least 0.75 and at most 1.25
    wrong and over      2 / (1 + exp(l - m)), at least 0.75 and at most 1.25

From the sums P = true / (true + wrong + over), R = true / (true + missed), F and accuracy follow, where 0 / 0 = 1.
CLEME2.0 needs no weights and tells four kinds of quality apart:

    hit, wrong, under = true, wrong, missed / (true + wrong + missed)      over = over / (true + wrong + over)
    CLEME2 = 0.45 hit + 0.35 (1 - wrong) + 0.15 (1 - under) + 0.05 (1 - over), where 0 / 0 = 0

Toy: 3 true, 1 wrong, 2 missed, 1 over: hit = 3/6, wrong = 1/6, under = 2/6, over = 1/5: 0.225 + 0.292 + 0.1 + 0.04.
"""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ranking.metrics.base import (
    ABSENT,
    Metric,
    Progress,
    Scores,
    Subsets,
    check_setting,
    in_chunks,
    no_progress,
    part_of,
)  # fmt: skip
from ranking.metrics.chunks import (
    WORDS,
    check_origin,
    edit_arrays,
    edits_signature,
    f_precision_recall_accuracy,
    references_in,
)  # fmt: skip
from ranking.metrics.f_measure import FMetric, check_beta, chosen_reference
from ranking.metrics.material import Candidates, Material, MetricError
from ranking.numbers.kernels import kernel

BY_LENGTH, NONE = "length", "none"
LEAST, MOST = 0.75, 1.25
# Longer chunks count as this long.
LONGEST = 15
LENGTHS = LONGEST + 1
OUTPUTS_AT_ONCE = 16
# Columns: chunks kept; chunks that references change and the sum of their lengths, for all references in the first row;
# then the other kinds of chunks by length.
KEPT, CHANGED, LENGTH, FIRST = range(4)
TRUE, WRONG, OVER, MISSED = range(4)
COLUMNS = FIRST + 4 * LENGTHS
# Sums have the columns of what a candidate does, and last of what is kept.
LEFT, SUMS = 4, 5


@dataclass(frozen=True)
class _ByChunks(Metric):
    """Counts by reference, or of all together if corrections are independent, and column.

    They are by the length of chunks, so that weights by length can be chosen afterwards.
    """

    edits: str = WORDS
    weights: str = NONE
    by_reference = False
    is_independent: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_origin(self.title, self.edits)
        if self.weights not in (BY_LENGTH, NONE):
            raise MetricError(f"{self.title}: weights is {BY_LENGTH} or {NONE}, not {self.weights!r}.")
        for name in ("reads_edits", "cuts_words"):
            object.__setattr__(self, name, self.edits == WORDS)

    def count(self, material: Material, candidates: Candidates, progress: Progress = no_progress) -> np.ndarray:
        subsets = [range(references_in(material, self.edits))]
        return next(self.counts_of_subsets(material, candidates, subsets, progress))

    def counts_of_subsets(
        self, material: Material, candidates: Candidates, subsets: Subsets, progress: Progress = no_progress
    ) -> Iterator[np.ndarray]:
        arrays = edit_arrays(self.title, material, candidates, self.edits, progress)
        for number, subset in enumerate(subsets):
            given = candidates.sentence, *arrays, np.array(subset, dtype=np.int64), self.is_independent

            def work(part: slice, given: tuple[object, ...] = given) -> np.ndarray:
                return _count(part.start, part.stop, *given)

            yield in_chunks(work, len(candidates), part_of(progress, number, len(subsets)))

    def of_systems(self, counts: np.ndarray, chosen: np.ndarray) -> Scores:
        lengths = counts[:, 0, CHANGED : LENGTH + 1][chosen].sum(axis=1)
        return self.scores_of(self._sums(counts, chosen, lengths))

    def of_candidates(self, counts: np.ndarray) -> Scores:
        """Weigh each candidate by the mean length of chunks over all of them."""
        lengths = counts[:, 0, CHANGED : LENGTH + 1].sum(axis=0, keepdims=True)
        return self.scores_of(self._sums(counts, np.arange(len(counts))[:, None], lengths.repeat(len(counts), axis=0)))

    def _sums(self, counts: np.ndarray, chosen: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        """Weigh the counts of each output by the number of chunks that references change, and their length in all."""
        weights = np.ones((len(chosen), LEFT, LENGTHS))
        if self.weights == BY_LENGTH:
            means = lengths[:, 1] / np.maximum(lengths[:, 0], 1)
            beyond = np.arange(LENGTHS) - means[:, None]
            rising, falling = (np.clip(2 / (1 + np.exp(sign * beyond)), LEAST, MOST) for sign in (-1, 1))
            weights = np.stack([rising, falling, falling, rising], axis=1)
        chosen = np.ascontiguousarray(chosen, dtype=np.int64)
        return in_chunks(
            lambda part: _sums(counts, chosen[part], weights[part], *self.chosen_by),
            len(chosen), no_progress, OUTPUTS_AT_ONCE,
        )  # fmt: skip

    @property
    @abstractmethod
    def chosen_by(self) -> tuple[np.ndarray, float]:
        """How references are chosen: by the weights of the kinds of quality, or without any by F and beta squared."""

    @abstractmethod
    def scores_of(self, sums: np.ndarray) -> Scores:
        """The scores by name."""


@dataclass(frozen=True)
class Cleme(_ByChunks, FMetric):
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
    def features(self) -> tuple[str, ...]:
        return (*self.main_scores[1:], f"{self.title} accuracy")

    def signature(self, material: Material) -> str:
        return f"{self.name}|beta:{self.beta:g}|weights:{self.weights}|{edits_signature(material, self.edits)}"

    @property
    def chosen_by(self) -> tuple[np.ndarray, float]:
        return np.empty(0), float(self.beta) ** 2

    def scores_of(self, sums: np.ndarray) -> Scores:
        joined = np.stack([sums[:, TRUE], sums[:, WRONG] + sums[:, OVER], sums[:, MISSED], sums[:, LEFT]], axis=-1)
        return dict(
            zip((*self.main_scores, self.features[-1]), f_precision_recall_accuracy(joined, self.beta), strict=True)
        )


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
        return (
            f"{self.name}|hit,wrong,under,over:{factors}|weights:{self.weights}|{edits_signature(material, self.edits)}"
        )

    @property
    def chosen_by(self) -> tuple[np.ndarray, float]:
        return np.array(self.factors), 0.0

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
def _sums(counts, chosen, weights, factors, beta_squared):
    """Sum the weighted counts of outputs against the references chosen for them.

    Of equal references by quality, that with most true is taken, then least wrong and over, least missed, most kept,
    the first.
    """
    references = counts.shape[1]
    sums, everyone = np.zeros((len(chosen), SUMS)), np.arange(references)
    here, joined, so_far = np.empty((references, SUMS)), np.empty((references, 4)), np.empty(4)
    for output in range(len(chosen)):
        so_far[:] = 0
        for place in range(chosen.shape[1]):
            for reference in range(references):
                row, each = counts[chosen[output, place], reference], here[reference]
                each[LEFT] = row[KEPT]
                for kind in range(LEFT):
                    total = 0.0
                    for length in range(LENGTHS):
                        total += weights[output, kind, length] * row[FIRST + kind * LENGTHS + length]
                    each[kind] = total
            best, most = -1, (0.0, 0.0, 0.0, 0.0, 0.0)
            if len(factors):
                for reference in range(references):
                    each = here[reference]
                    if each[LEFT] != ABSENT:
                        score = _quality(sums[output] + each, factors)[0]
                        rank = score, each[TRUE], -each[WRONG] - each[OVER], -each[MISSED], each[LEFT]
                        if best < 0 or rank > most:
                            best, most = reference, rank
            else:
                joined[:, 0], joined[:, 1] = here[:, TRUE], here[:, WRONG] + here[:, OVER]
                joined[:, 2], joined[:, 3] = here[:, MISSED], here[:, LEFT]
                best = chosen_reference(so_far, joined, everyone, beta_squared)
                if best >= 0:
                    so_far += joined[best]
            if best >= 0:
                sums[output] += here[best]
    return sums


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


@kernel
def _count(first, last, sentence, words, starts, candidates, references, absent, subset, is_independent):
    """Count candidates first to last, against each reference of the subset, or against all at once."""
    per_sentence = len(absent) // max(len(starts) - 1, 1)
    rows = 1 if is_independent else len(subset)
    counts = np.full((last - first, rows, COLUMNS), ABSENT, np.int32)
    cells = np.empty(len(subset), np.int64)
    for candidate in range(first, last):
        here, place = counts[candidate - first], sentence[candidate]
        source = words[starts[place] : starts[place + 1]]
        # An absent reference has no cell, and an empty one only if all are empty.
        kept = -1
        for row in range(len(subset)):
            cell = place * per_sentence + subset[row]
            left = (
                len(source)
                + references.spelled[references.firsts[cell + 1]]
                - references.spelled[references.firsts[cell]]
            )
            for edit in range(references.firsts[cell], references.firsts[cell + 1]):
                left -= references.ends[edit] - references.starts[edit]
            cells[row] = -1 if absent[cell] or left == 0 else cell
            if kept < 0 and not absent[cell]:
                kept = row
        is_scored = kept >= 0
        if is_scored and (cells < 0).all():
            cells[kept] = place * per_sentence + subset[kept]
        here[0, CHANGED] = here[0, LENGTH] = 0
        for row in range(rows):
            if cells[row] >= 0 or (is_independent and is_scored):
                here[row] = 0
        if is_scored:
            _count_chunks(source, candidate, candidates, cells, references, here, is_independent)
    return counts


@kernel
def _count_chunks(source, candidate, candidates, cells, references, here, is_independent):
    """Go through the chunks from left to right; the edits of each text in a chunk are from begins to nexts."""
    own_next, own_last = candidates.firsts[candidate], candidates.firsts[candidate + 1]
    nexts, lasts = np.zeros(len(cells), np.int64), np.zeros(len(cells), np.int64)
    most = candidates.spelled[own_last] - candidates.spelled[own_next]
    for row in range(len(cells)):
        if cells[row] >= 0:
            nexts[row], lasts[row] = references.firsts[cells[row]], references.firsts[cells[row] + 1]
            most = max(most, references.spelled[lasts[row]] - references.spelled[nexts[row]])
    own, right = np.empty(len(source) + most, np.int64), np.empty(len(source) + most, np.int64)
    at = 0
    while True:
        own_begin, begins = own_next, nexts.copy()
        low = candidates.starts[own_next] if own_next < own_last else len(source) + 1
        for row in range(len(cells)):
            if nexts[row] < lasts[row]:
                low = min(low, references.starts[nexts[row]])
        high = low
        if low > at and at < len(source):
            for row in range(len(here)):
                here[row, KEPT] += is_independent or cells[row] >= 0
        if low > len(source):
            break
        has_grown = True
        while has_grown:
            before, all_before = own_next, nexts.sum()
            own_next, high = _pass_edits(candidates, own_next, own_last, high)
            for row in range(len(cells)):
                nexts[row], high = _pass_edits(references, nexts[row], lasts[row], high)
            has_grown = own_next != before or nexts.sum() != all_before
        many = _write_words(source, low, high, candidates, own_begin, own_next, own)
        is_changed, length = own_next > own_begin, min(max(high - low, many), LONGEST)
        all_changed, any_changed, any_same = True, False, False
        for row in range(len(cells)):
            if cells[row] < 0:
                continue
            of_right = _write_words(source, low, high, references, begins[row], nexts[row], right)
            is_same = np.array_equal(own[:many], right[:of_right])
            if nexts[row] > begins[row]:
                here[0, CHANGED] += 1
                here[0, LENGTH] += max(high - low, of_right)
            if not is_independent:
                _add(here[row], is_changed, is_same, nexts[row] > begins[row], not is_same, length)
            any_same |= is_same
            any_changed |= nexts[row] > begins[row]
            all_changed &= nexts[row] > begins[row]
        if is_independent:
            _add(here[0], is_changed, any_same, any_changed, all_changed, length)
        at = high


@kernel
def _pass_edits(edited, edit, last, high):
    """Pass the edits that begin in a chunk or where it ends; returns the next edit, and where the chunk then ends."""
    while edit < last and edited.starts[edit] <= high:
        high = max(high, edited.ends[edit])
        edit += 1
    return edit, high


@kernel
def _write_words(source, low, high, edited, begin, end, words):
    """Write the words of a text in a chunk, and return their number."""
    many, at = 0, low
    for edit in range(begin, end + 1):
        stop = edited.starts[edit] if edit < end else high
        words[many : many + stop - at] = source[at:stop]
        many += stop - at
        if edit < end:
            size = edited.spelled[edit + 1] - edited.spelled[edit]
            words[many : many + size] = edited.words[edited.spelled[edit] : edited.spelled[edit + 1]]
            many, at = many + size, edited.ends[edit]
    return many


@kernel
def _add(row, is_changed, is_same, is_wrong, is_missed, length):
    if is_changed:
        row[FIRST + (TRUE if is_same else WRONG if is_wrong else OVER) * LENGTHS + length] += 1
    elif is_missed:
        row[FIRST + MISSED * LENGTHS + length] += 1
    else:
        row[KEPT] += 1
