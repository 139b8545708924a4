"""The metric: edits counted by kind, once per candidate; references chosen and scores computed from the counts."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ranking.metrics.base import ABSENT, Metric, Progress, Scores, check_beta, f_scores, in_chunks, no_progress
from ranking.metrics.candidates import Candidates
from ranking.metrics.errant.counting import (
    CATEGORIES,
    COLUMNS,
    FALSE,
    KINDS,
    MISSED,
    MODES,
    OPERATIONS,
    TRUE,
    compared,
    keyed,
    sums_by_kind,
    sums_by_subset,
)  # fmt: skip
from ranking.metrics.errant.edits import Pair, extractor, spaced
from ranking.metrics.errant.parsing import ENGLISH, versions
from ranking.metrics.material import Material, MetricError
from ranking.numbers.tables import Table

OUTPUTS_AT_ONCE, SUBSETS_AT_ONCE = 64, 16
COLUMN_NAMES = ("metric", "system", "kind", "tp", "fp", "fn", "p", "r", "f")


@dataclass(frozen=True)
class Errant(Metric):
    """ERRANT with its settings: the weight of recall, what makes two edits equal, and the language of the texts.

    Counts are true positives, false positives and false negatives by reference and kind, and do not depend on beta.
    """

    beta: float = 0.5
    mode: str = "cs"
    language: str = ENGLISH

    name = "errant"
    cuts_words = False
    about = "ERRANT: edits by the kind of error, F0.5; slower, as every text is parsed"

    def __post_init__(self) -> None:
        check_beta("ERRANT", self.beta)
        if self.mode not in MODES:
            raise MetricError(f"There is no mode {self.mode!r}; choose from {', '.join(MODES)}. cs is usual.")
        if not re.fullmatch("[a-z]{2,3}", self.language):
            raise MetricError(f"A language is a code of two or three letters, such as de, not {self.language!r}.")

    @property
    def titled(self) -> str:
        return "ERRANT" if self.mode == "cs" else f"ERRANT {self.mode}"

    @property
    def kept(self) -> tuple[str, ...]:
        return f"{self.titled} F{self.beta:g}", f"{self.titled} P", f"{self.titled} R"

    @property
    def features(self) -> tuple[str, ...]:
        return tuple(f"{self.titled} {category} {share}" for category in CATEGORIES for share in "PR")

    def signature(self, material: Material) -> str:
        """Example: `errant|mode:cs|beta:0.5|references:4|errant:3.0.2|spacy:3.8.18|model:en_core_web_sm-3.8.0`."""
        return f"errant|mode:{self.mode}|beta:{self.beta:g}|references:{material.references}|{versions(self.language)}"

    def count(self, material: Material, candidates: Candidates, progress: Progress = no_progress) -> np.ndarray:
        if not material.texts:
            raise MetricError("ERRANT compares edits with those of references, and there is no reference. Add one.")
        source = [spaced(text) for text in material.source]
        texts = [[None if text is None else spaced(text) for text in row] for row in material.texts]
        edits = extractor(self.language).edits(pairs_of(source, texts, candidates), progress)
        counts = np.full((len(candidates), len(texts), len(KINDS), COLUMNS), ABSENT, dtype=np.int16)
        known = {pair: keyed(made, self.mode) for pair, made in edits.items()}
        for number, (text, sentence) in enumerate(zip(candidates.texts, candidates.sentence.tolist(), strict=True)):
            made = known[source[sentence], text]
            for reference, row in enumerate(texts):
                right = row[sentence]
                if right is not None:
                    counts[number, reference] = 0
                    compared(made, known[source[sentence], right], counts[number, reference])
        return counts

    def of_systems(self, counts: np.ndarray, chosen: np.ndarray) -> Scores:
        """F, precision and recall over all edits, the mean F of categories, precision and recall of each category."""
        sums = self.sums(counts, chosen)
        of_categories = shares(_gathered(sums, CATEGORIES, 2), self.beta)
        values = np.stack(of_categories[:2], axis=-1).reshape(len(sums), len(self.features))
        return (
            self._scores(sums.sum(axis=1))
            | {f"{self.titled} macro F{self.beta:g}": of_categories.f.mean(axis=-1)}
            | dict(zip(self.features, values.T, strict=True))
        )

    def of_candidates(self, counts: np.ndarray) -> Scores:
        """F, precision and recall of each candidate on its sentence; without any reference each of them is 1."""
        return self._scores(self._totals(counts, np.arange(len(counts))[:, None]))

    def of_subsets(self, counts: np.ndarray, chosen: np.ndarray, subsets: Sequence[Sequence[int]]) -> Scores:
        return self._scores(self._totals_by_subset(totals_of(counts), chosen, subsets))

    def tables(self, counts: np.ndarray, chosen: np.ndarray, names: Sequence[str]) -> list[Table]:
        """F for every beta, each with references chosen anew; counts by category, by operation and by kind."""

        def f_of(beta: float) -> np.ndarray:
            return shares(replace(self, beta=beta)._totals(counts, chosen), beta).f

        error_types = [
            (self.titled, name, *row)
            for name, sums in zip(names, self.sums(counts, chosen), strict=True)
            for row in rows_of(sums, self.beta)
        ]
        return [f_scores(self.titled, names, f_of), Table.of("error_types", COLUMN_NAMES, error_types)]

    def sums(self, counts: np.ndarray, chosen: np.ndarray) -> np.ndarray:
        """Count by kind for whole outputs, against the references chosen for them."""
        counts, totals = np.ascontiguousarray(counts), totals_of(counts)
        chosen = np.ascontiguousarray(chosen, dtype=np.int64)
        weight = float(self.beta) ** 2

        def work(part: slice) -> np.ndarray:
            return sums_by_kind(counts, totals, chosen[part], weight)

        return in_chunks(work, len(chosen), no_progress, OUTPUTS_AT_ONCE)

    def _totals(self, counts: np.ndarray, chosen: np.ndarray) -> np.ndarray:
        return self._totals_by_subset(totals_of(counts), chosen, [range(counts.shape[1])])[0]

    def _totals_by_subset(self, totals: np.ndarray, chosen: np.ndarray, subsets: Sequence[Sequence[int]]) -> np.ndarray:
        references = np.array([reference for subset in subsets for reference in subset], dtype=np.int64)
        firsts = np.cumsum([0, *map(len, subsets)])
        # Contiguous in the order of access.
        totals, chosen = totals[chosen].reshape(-1, *totals.shape[1:]), np.arange(chosen.size).reshape(chosen.shape)
        weight = float(self.beta) ** 2

        def work(part: slice) -> np.ndarray:
            return sums_by_subset(totals, chosen, references, firsts[part.start : part.stop + 1], weight)

        return in_chunks(work, len(subsets), no_progress, SUBSETS_AT_ONCE)

    def _scores(self, sums: np.ndarray) -> Scores:
        precision, recall, f = shares(sums, self.beta)
        return dict(zip(self.kept, (f, precision, recall), strict=True))


def totals_of(counts: np.ndarray) -> np.ndarray:
    is_absent = counts[:, :, :1, TRUE] == ABSENT
    return np.where(is_absent, ABSENT, counts.sum(axis=2, dtype=np.int64))


def pairs_of(source: Sequence[str], texts: Sequence[Sequence[str | None]], candidates: Candidates) -> Iterator[Pair]:
    number = 0
    for sentence, text in enumerate(source):
        for row in texts:
            if (right := row[sentence]) is not None:
                yield text, right
        while number < len(candidates) and candidates.sentence[number] == sentence:
            yield text, candidates.texts[number]
            number += 1


class Shares(NamedTuple):
    precision: np.ndarray
    recall: np.ndarray
    f: np.ndarray


def shares(sums: np.ndarray, beta: float) -> Shares:
    """Precision is 1 without false positives, and recall is 1 without false negatives, even without any edits."""
    true, false, missed = (sums[..., column].astype(float) for column in (TRUE, FALSE, MISSED))
    precision = np.divide(true, true + false, out=np.ones_like(true), where=false > 0)
    recall = np.divide(true, true + missed, out=np.ones_like(true), where=missed > 0)
    whole = beta**2 * precision + recall
    f = np.divide((1 + beta**2) * precision * recall, whole, out=np.zeros_like(whole), where=whole > 0)
    return Shares(precision, recall, f)


def rows_of(sums: np.ndarray, beta: float) -> Iterator[tuple[object, ...]]:
    """Yield kind, counts and shares of one output: for each category, each operation, and each kind that occurs."""
    for names, counted in (
        (CATEGORIES, _gathered(sums, CATEGORIES, 2)),
        (OPERATIONS, _gathered(sums, OPERATIONS, 0)),
        (KINDS, sums),
    ):
        scores = np.stack(shares(counted, beta), axis=-1).tolist()
        for name, counts, figures in zip(names, counted.tolist(), scores, strict=True):
            if names is not KINDS or any(counts):
                yield name, *counts, *figures


def _gathered(sums: np.ndarray, names: Sequence[str], part: int) -> np.ndarray:
    """Add up sums over kinds, the second-last axis, by the part before (0) or after (2) the first colon."""
    belongs = np.array([[kind.partition(":")[part] == name for kind in KINDS] for name in names], dtype=sums.dtype)
    return belongs @ sums
