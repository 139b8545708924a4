"""The metric: edits counted once for each candidate; references chosen and scores computed from the counts.

References are chosen sentence by sentence: the one with which the counts so far have the highest

    F_beta = (1 + beta^2) correct / (beta^2 gold + proposed), and 0 / 0 = 1

and among equals the one with most correct, then with least beta^2 gold + proposed, then the first. So the order of
sentences matters, and another beta can choose another reference.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ranking.metrics.base import (
    ABSENT,
    Metric,
    Progress,
    Scores,
    check_beta,
    check_setting,
    f_scores,
    in_chunks,
    no_progress,
)  # fmt: skip
from ranking.metrics.candidates import Candidates
from ranking.metrics.material import Material, MetricError
from ranking.metrics.maxmatch.counting import COLUMNS, CORRECT, GOLD, MOST_NODES, PROPOSED, count_edits
from ranking.metrics.maxmatch.gold import encoded, letters
from ranking.metrics.tokens import Tokens, Vocabulary
from ranking.numbers.kernels import kernel
from ranking.numbers.tables import Table

SUBSETS_AT_ONCE = 16
MOST_UNCHANGED = 10


@dataclass(frozen=True)
class MaxMatch(Metric):
    """M2 with its settings: the weight of recall, words that an edit may keep, and how corrections are compared.

    Counts are correct, proposed and gold edits; they do not depend on beta.
    """

    beta: float = 0.5
    unchanged: int = 2
    ignore_case_and_space: bool = False

    name = "m2"
    about = "M2: edits that a reference has too, F0.5"
    reads_edits = True

    def __post_init__(self) -> None:
        check_beta("M2", self.beta)
        check_setting("M2", "unchanged", self.unchanged, 0, MOST_UNCHANGED)

    @property
    def kept(self) -> tuple[str, ...]:
        return f"M2 F{self.beta:g}", "M2 P", "M2 R"

    @property
    def features(self) -> tuple[str, ...]:
        return self.kept[1:]

    def signature(self, material: Material) -> str:
        """Example: `m2|beta:0.5|unchanged:2|references:2|edits:m2`, with case and space if they are ignored."""
        ignored = "|ignored:case,space" if self.ignore_case_and_space else ""
        settings = f"beta:{self.beta:g}|unchanged:{self.unchanged}{ignored}"
        return f"m2|{settings}|references:{len(material.edits)}|edits:{material.edits_from}"

    def count(self, material: Material, candidates: Candidates, progress: Progress = no_progress) -> np.ndarray:
        if not material.edits:
            raise MetricError("M2 compares edits with those of references, and there is no reference. Add one.")
        vocabulary = Vocabulary()
        source, words = vocabulary.words(material.source), vocabulary.words(candidates.texts)
        if self.ignore_case_and_space:
            spelled = letters(word for text in candidates.texts for word in text.split())
            gold = encoded(material, letters)
        else:
            spelled = Tokens(words.numbers, np.arange(len(words.numbers) + 1))
            gold = encoded(material, vocabulary.words)
        given = (
            candidates.sentence,
            source.numbers,
            source.starts,
            words.numbers,
            words.starts,
            spelled.starts,
            spelled.numbers,
        )
        return in_chunks(
            lambda part: count_edits(part.start, part.stop, *given, gold, self.unchanged, MOST_NODES),
            len(candidates),
            progress,
        )

    def of_systems(self, counts: np.ndarray, chosen: np.ndarray) -> Scores:
        return self.scores_of(self.totals(counts, chosen))

    def of_candidates(self, counts: np.ndarray) -> Scores:
        """F, precision and recall of each candidate on its sentence; all are 1 without a reference."""
        return self.scores_of(self.totals(counts, np.arange(len(counts))[:, None]))

    def of_subsets(self, counts: np.ndarray, chosen: np.ndarray, subsets: Sequence[Sequence[int]]) -> Scores:
        one_part = np.zeros(chosen.shape[1], dtype=np.int64)
        return self.scores_of(self.totals_of_parts(counts, chosen, subsets, one_part, 1)[:, :, 0])

    def totals_of_parts(
        self, counts: np.ndarray, chosen: np.ndarray, subsets: Sequence[Sequence[int]], part_of: np.ndarray, parts: int
    ) -> np.ndarray:
        """Correct, proposed and gold edits by subset of the references, output and part of the sentences.

        Each sentence is compared with the reference chosen for the whole output, whatever its part.
        """
        references = np.array([reference for subset in subsets for reference in subset], dtype=np.int64)
        firsts = np.cumsum([0, *map(len, subsets)])
        # Contiguous in the order of access.
        counts, chosen = counts[chosen].reshape(-1, *counts.shape[1:]), np.arange(chosen.size).reshape(chosen.shape)
        return in_chunks(
            lambda some: totals_of_parts(
                counts, chosen, references, firsts[some.start : some.stop + 1], float(self.beta), part_of, parts
            ),
            len(subsets),
            no_progress,
            SUBSETS_AT_ONCE,
        )

    def tables(self, counts: np.ndarray, chosen: np.ndarray, names: Sequence[str]) -> list[Table]:
        """F for every beta, each with references chosen anew."""

        def f_of(beta: float) -> np.ndarray:
            other = replace(self, beta=beta)
            return other.f_of(other.totals(counts, chosen))

        return [f_scores("M2", names, f_of)]

    def totals(self, counts: np.ndarray, chosen: np.ndarray) -> np.ndarray:
        """Correct, proposed and gold edits of whole outputs, against the references chosen for them."""
        counts, chosen = np.ascontiguousarray(counts), np.ascontiguousarray(chosen, dtype=np.int64)
        everyone, one_part = np.arange(counts.shape[1]), np.zeros(chosen.shape[1], dtype=np.int64)
        firsts = np.array([0, len(everyone)])

        def work(part: slice) -> np.ndarray:
            return totals_of_parts(counts, chosen[part], everyone, firsts, float(self.beta), one_part, 1)[0, :, 0]

        return in_chunks(work, len(chosen), no_progress)

    def scores_of(self, sums: np.ndarray) -> Scores:
        """F, precision and recall from counts, which are the last axis; 0 / 0 is 1."""
        correct, proposed, gold = np.moveaxis(sums.astype(float), -1, 0)
        found = self.f_of(sums), _share(correct, proposed), _share(correct, gold)
        return dict(zip(self.kept, found, strict=True))

    def f_of(self, sums: np.ndarray) -> np.ndarray:
        correct, proposed, gold = np.moveaxis(sums.astype(float), -1, 0)
        return _share((1 + self.beta**2) * correct, self.beta**2 * gold + proposed)


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    return np.divide(part, whole, out=np.ones_like(part), where=whole > 0)


@kernel
def totals_of_parts(counts, chosen, references, firsts, beta, part_of, parts):
    """Counts by subset of the references, references[firsts[n]:firsts[n + 1]], output and part of the sentences."""
    sums = np.zeros((len(firsts) - 1, len(chosen), parts, COLUMNS), np.int64)
    for number in range(len(firsts) - 1):
        subset = references[firsts[number] : firsts[number + 1]]
        for row in range(len(chosen)):
            _add_best(counts, chosen[row], subset, beta**2, part_of, sums[number, row])
    return sums


@kernel
def _add_best(counts, chosen, subset, weight, part_of, sums):
    """Go through the sentences of an output; a sentence without a reference counts nothing."""
    correct, proposed, gold = 0, 0, 0
    for place in range(len(chosen)):
        candidate = chosen[place]
        best, most, least = -1.0, 0, 0.0
        taken = -1
        for reference in subset:
            row = counts[candidate, reference]
            if row[GOLD] == ABSENT:
                continue
            agreed = correct + row[CORRECT]
            size = weight * (gold + row[GOLD]) + (proposed + row[PROPOSED])
            score = (1 + weight) * agreed / size if size > 0 else 1.0
            if score > best or (score == best and (agreed > most or (agreed == most and size < least))):
                best, most, least, taken = score, agreed, size, reference
        if taken >= 0:
            correct += counts[candidate, taken, CORRECT]
            proposed += counts[candidate, taken, PROPOSED]
            gold += counts[candidate, taken, GOLD]
            for column in range(COLUMNS):
                sums[part_of[place], column] += counts[candidate, taken, column]
