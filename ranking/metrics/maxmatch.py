"""M2, by MaxMatch: the edits of an output that agree best with those of a reference (Dahlmeier and Ng, 2012).

A sentence and an output span a lattice of all smallest differences (`maxmatch_lattice`). Its edges are joined to arcs,
some of which are edits of a reference, and the cheapest path is found as the official program finds it, or by the rule
alone where there are too many arcs (`maxmatch_paths`). The edits on the path are counted, and references are chosen
sentence by sentence: the one with which the counts so far have the highest

    F_beta = (1 + beta^2) correct / (beta^2 gold + proposed), and 0 / 0 = 1

and among equals the one with most correct, then with least beta^2 gold + proposed, then the first. So the order of
sentences matters, and another beta can choose another reference.

Toy: `a b c d e` and the reference's edits b -> x and d -> y. The output `a x c z e` has two changes with one word
between them: b -> x is the reference's, d -> z is not. So 1 of 2 is correct, of 2 that there should be: F is 0.5.

The cached machine code of this module includes that of the other two, but Numba notices changes only of this file:
delete `__pycache__` after changing the others.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain

import numpy as np

from ranking.metrics.base import ABSENT, Progress, Scores, Subsets, check_setting, in_chunks, no_progress
from ranking.metrics.f_measure import FMetric
from ranking.metrics.material import Candidates, Material, MetricError, Tokens, Vocabulary, characters, starts_of
from ranking.metrics.maxmatch_lattice import arcs_of, lattice_of
from ranking.metrics.maxmatch_paths import Gold, Spelling, agrees, best_path, cheapest_path
from ranking.numbers.kernels import kernel

CORRECT, PROPOSED, GOLD = range(3)
COLUMNS = 3
# With more nodes the arcs are not listed: there can be half as many as the square of this.
MOST_NODES = 1000
SUBSETS_AT_ONCE = 16
MOST_UNCHANGED = 10


@dataclass(frozen=True)
class MaxMatch(FMetric):
    """M2 with its settings: the weight of recall, words that an edit may keep, and how corrections are compared.

    Counts are correct, proposed and gold edits; they do not depend on beta.
    """

    beta: float = 0.5
    unchanged: int = 2
    ignore_case_and_space: bool = False

    name = "m2"
    title = "M2"
    about = "M2: edits that a reference has too, F0.5"
    reads_edits = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_setting("M2", "unchanged", self.unchanged, 0, MOST_UNCHANGED)

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
            spelled = _letters(word for text in candidates.texts for word in text.split())
            gold = _encode_gold(material, _letters)
        else:
            spelled = Tokens(words.numbers, np.arange(len(words.numbers) + 1))
            gold = _encode_gold(material, vocabulary.words)
        sides = source.numbers, source.starts, words.numbers, words.starts, spelled.starts, spelled.numbers
        given = candidates.sentence, *sides, gold, self.unchanged, MOST_NODES
        return in_chunks(lambda part: _count(part.start, part.stop, *given), len(candidates), progress)

    def of_systems(self, counts: np.ndarray, chosen: np.ndarray) -> Scores:
        return self.scores_of(self.totals(counts, chosen))

    def of_subsets(self, counts: np.ndarray, chosen: np.ndarray, subsets: Subsets) -> Scores:
        one_part = np.zeros(chosen.shape[1], dtype=np.int64)
        return self.scores_of(self.totals_of_parts(counts, chosen, subsets, one_part, 1)[:, :, 0])

    def totals(self, counts: np.ndarray, chosen: np.ndarray) -> np.ndarray:
        """Correct, proposed and gold edits of whole outputs, against the references chosen for them."""
        counts, chosen = np.ascontiguousarray(counts), np.ascontiguousarray(chosen, dtype=np.int64)
        everyone, one_part = np.arange(counts.shape[1]), np.zeros(chosen.shape[1], dtype=np.int64)
        given = everyone, np.array([0, len(everyone)]), float(self.beta), one_part, 1
        return in_chunks(lambda part: _sums(counts, chosen[part], *given)[0, :, 0], len(chosen), no_progress)

    def totals_of_parts(
        self, counts: np.ndarray, chosen: np.ndarray, subsets: Subsets, part_of: np.ndarray, parts: int
    ) -> np.ndarray:
        """Correct, proposed and gold edits by subset of the references, output and part of the sentences.

        Each sentence is compared with the reference chosen for the whole output, whatever its part.
        """
        references = np.array([reference for subset in subsets for reference in subset], dtype=np.int64)
        firsts = np.cumsum([0, *map(len, subsets)])
        # Contiguous in the order of access.
        counts, chosen = counts[chosen].reshape(-1, *counts.shape[1:]), np.arange(chosen.size).reshape(chosen.shape)
        given = float(self.beta), part_of, parts
        return in_chunks(
            lambda some: _sums(counts, chosen, references, firsts[some.start : some.stop + 1], *given),
            len(subsets), no_progress, SUBSETS_AT_ONCE,
        )  # fmt: skip

    def scores_of(self, sums: np.ndarray) -> Scores:
        """F, precision and recall from counts, which are the last axis; 0 / 0 is 1."""
        correct, proposed, gold = np.moveaxis(sums.astype(float), -1, 0)
        found = self.f_of(sums), _share(correct, proposed), _share(correct, gold)
        return dict(zip(self.main_scores, found, strict=True))

    def f_of(self, sums: np.ndarray) -> np.ndarray:
        correct, proposed, gold = np.moveaxis(sums.astype(float), -1, 0)
        return _share((1 + self.beta**2) * correct, self.beta**2 * gold + proposed)


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    return np.divide(part, whole, out=np.ones_like(part), where=whole > 0)


def _encode_gold(material: Material, encode: Callable[[Iterable[str]], Tokens]) -> Gold:
    cells = [
        None if edits is None else sorted(edits, key=lambda edit: (edit.start, edit.end))
        for edits in chain.from_iterable(zip(*material.edits, strict=True))
    ]
    edits = [edit for cell in cells for edit in cell or ()]
    spelled = encode([text for edit in edits for text in edit.corrections])
    return Gold(
        np.array([cell is None for cell in cells], dtype=np.bool_),
        starts_of(cell or () for cell in cells),
        np.array([edit.start for edit in edits], dtype=np.int64),
        np.array([edit.end for edit in edits], dtype=np.int64),
        starts_of(edit.corrections for edit in edits),
        spelled.starts,
        spelled.numbers,
    )


def _letters(texts: Iterable[str]) -> Tokens:
    """Encode the characters of texts in lower case, without white space.

    The array is writable; a read-only one would make Numba compile the kernels twice.
    """
    found = characters("".join(text.split()).lower() for text in texts)
    return Tokens(found.numbers.copy(), found.starts)


@kernel
def _count(
    first, last, sentence, sources, source_starts, outputs, output_starts, spelled, symbols, gold, unchanged, most_nodes
):
    """Correct, proposed and gold edits of the candidates first to last against every reference of their sentence."""
    references = len(gold.absent) // max(len(source_starts) - 1, 1)
    counts = np.full((last - first, references, COLUMNS), ABSENT, np.int32)
    for candidate in range(first, last):
        here = sentence[candidate]
        low, high = output_starts[candidate], output_starts[candidate + 1]
        source = sources[source_starts[here] : source_starts[here + 1]]
        lattice = lattice_of(source, outputs[low:high])
        spelling = Spelling(spelled[low : high + 1], symbols)
        is_long = len(lattice.rows) > most_nodes
        if not is_long:
            arcs = arcs_of(lattice, unchanged)
        for reference in range(references):
            cell = here * references + reference
            if gold.absent[cell]:
                continue
            if is_long:
                path = best_path(lattice, spelling, gold, cell, unchanged)
            else:
                path = cheapest_path(arcs, lattice, spelling, gold, cell)
            row = counts[candidate - first, reference]
            met, last = gold.firsts[cell], gold.firsts[cell + 1]
            row[CORRECT], row[PROPOSED], row[GOLD] = 0, len(path), last - met
            # An edit of the path, from left to right, can match one of the reference after all those already matched.
            for place in range(len(path) - 1, -1, -1):
                begin, end = path[place]
                for edit in range(met, last):
                    if gold.starts[edit] > lattice.rows[end]:
                        break
                    if agrees(lattice, begin, end, spelling, gold, edit):
                        row[CORRECT] += 1
                        met = edit + 1
    return counts


@kernel
def _sums(counts, chosen, references, firsts, beta, part_of, parts):
    """Counts by subset of the references, references[firsts[n]:firsts[n + 1]], output and part of the sentences.

    A sentence without a reference counts nothing.
    """
    sums, weight = np.zeros((len(firsts) - 1, len(chosen), parts, COLUMNS), np.int64), beta**2
    for number in range(len(firsts) - 1):
        subset = references[firsts[number] : firsts[number + 1]]
        for output in range(len(chosen)):
            correct, proposed, gold = 0, 0, 0
            for place in range(chosen.shape[1]):
                candidate = chosen[output, place]
                best, most, least, taken = -1.0, 0, 0.0, -1
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
                    row = counts[candidate, taken]
                    correct, proposed, gold = correct + row[CORRECT], proposed + row[PROPOSED], gold + row[GOLD]
                    for column in range(COLUMNS):
                        sums[number, output, part_of[place], column] += row[column]
    return sums
