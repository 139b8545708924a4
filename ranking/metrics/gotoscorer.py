"""GoToScorer (Gotou et al., 2020): edits weighted by how many systems fail on them.

A reference cuts its source into chunks: each edit, each word outside of edits, and each place before or after these
where it inserts nothing. A candidate modifies a chunk if one of its edits overlaps it, inserts in the same place, or
inserts before its first word. It is right about an edit if it has the same, about a word if it keeps it, and about a
place without insertion if it inserts nothing there.

    TP right about an edit                   FP wrong and modified
    TN right about what is no edit           FN wrong about an edit, modified or not

Each chunk counts with its difficulty, 1 - the share of systems that are right about it. As this share is of equally
many systems everywhere, counts are of the systems that are wrong. They stay when outputs are resampled or mixed.

Toy: source `a b`, reference `a x`, systems `a x`, `a b` and `y b`. One of three is right about b → x, which weighs 2/3,
two of three are right about a, which weighs 1/3. The third has FP = 1/3 and FN = 2/3.
"""

from dataclasses import dataclass

import numpy as np

from ranking.metrics.base import ABSENT, Progress, Scores, Subsets, in_chunks, no_progress
from ranking.metrics.chunks import WORDS, check_origin, edit_arrays, edits_signature, f_precision_recall_accuracy
from ranking.metrics.f_measure import FALSE, KEPT, MISSED, TRUE, FMetric
from ranking.metrics.material import Candidates, Material, MetricError
from ranking.numbers.kernels import kernel

DIFFICULTY, NONE = "difficulty", "none"
COLUMNS = 4
# What a candidate does to a chunk.
RIGHT_KEPT, RIGHT_EDIT, WRONG_EDIT, WRONG_INSTEAD, MISSING = range(5)


@dataclass(frozen=True)
class GoToScorer(FMetric):
    """GoToScorer with its settings: the weight of recall, where edits come from, whether chunks are weighted.

    Counts are TP, FP, FN and TN by reference, and do not depend on beta.
    """

    beta: float = 0.5
    edits: str = WORDS
    weights: str = DIFFICULTY
    name = "gotoscorer"
    title = "GoToScorer"
    about = "GoToScorer: edits weighted by how many systems fail on them, F0.5"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_origin(self.title, self.edits)
        if self.weights not in (DIFFICULTY, NONE):
            raise MetricError(f"{self.title}: weights is {DIFFICULTY} or {NONE}, not {self.weights!r}.")
        for name, value in (
            ("reads_edits", self.edits == WORDS),
            ("cuts_words", self.edits == WORDS),
            ("among_systems", self.weights == DIFFICULTY),
        ):
            object.__setattr__(self, name, value)

    @property
    def features(self) -> tuple[str, ...]:
        return (*self.main_scores[1:], f"{self.title} accuracy")

    def signature(self, material: Material) -> str:
        return f"gotoscorer|beta:{self.beta:g}|weights:{self.weights}|{edits_signature(material, self.edits)}"

    def count(self, material: Material, candidates: Candidates, progress: Progress = no_progress) -> np.ndarray:
        _, *given = edit_arrays(self.title, material, candidates, self.edits, progress)
        # How many systems have each candidate.
        many = np.bincount(candidates.of_systems.ravel(), minlength=len(candidates))
        if self.weights == NONE:
            many = np.full(len(candidates), -1)
        firsts = np.searchsorted(candidates.sentence, np.arange(material.sentences + 1))

        return in_chunks(
            lambda part: _count(part.start, firsts[part.start : part.stop + 1], many, *given),
            material.sentences, progress,
        )  # fmt: skip

    def of_systems(self, counts: np.ndarray, chosen: np.ndarray) -> Scores:
        return {name: values[0] for name, values in self.of_subsets(counts, chosen, [range(counts.shape[1])]).items()}

    def of_subsets(self, counts: np.ndarray, chosen: np.ndarray, subsets: Subsets) -> Scores:
        values = f_precision_recall_accuracy(self.sum_chosen(counts, chosen, subsets), self.beta)
        return dict(zip((*self.main_scores, self.features[-1]), values, strict=True))


@kernel
def _count(begin, bounds, many, starts, candidates, references, absent):
    """Count the candidates bounds[n] to bounds[n + 1] of each sentence begin + n.

    `many` is how many systems have a candidate; if it is below zero, every chunk counts once.
    """
    per_sentence = len(absent) // max(len(starts) - 1, 1)
    first = bounds[0]
    counts = np.zeros((bounds[-1] - first, per_sentence, COLUMNS), np.int32)
    for place in range(len(bounds) - 1):
        low, high = bounds[place], bounds[place + 1]
        sentence = begin + place
        words = starts[sentence + 1] - starts[sentence]
        done = np.empty(high - low, np.int8)
        for reference in range(per_sentence):
            cell = sentence * per_sentence + reference
            if absent[cell]:
                counts[low - first : high - first, reference] = ABSENT
                continue
            edit, last = references.firsts[cell], references.firsts[cell + 1]
            here = counts[low - first : high - first, reference]
            at = 0
            while at <= words:
                # What the reference inserts before a word, or the place if nothing, then the word, or an edit of it.
                inserts = False
                while edit < last and references.starts[edit] == references.ends[edit] == at:
                    inserts = True
                    _judge(at, at, edit, low, high, many, candidates, references, done, here)
                    edit += 1
                if not inserts:
                    _judge(at, at, -1, low, high, many, candidates, references, done, here)
                if at == words:
                    break
                changes = edit < last and references.starts[edit] == at
                end = references.ends[edit] if changes else at + 1
                _judge(at, end, edit if changes else -1, low, high, many, candidates, references, done, here)
                edit += changes
                at = end
    return counts


@kernel
def _judge(start, end, gold, low, high, many, candidates, references, done, counts):
    """Count what each candidate does to a chunk; `gold` is the edit of the reference, or -1."""
    difficulty = 0
    for candidate in range(low, high):
        is_modified, is_right = False, gold < 0
        for edit in range(candidates.firsts[candidate], candidates.firsts[candidate + 1]):
            begin, stop = candidates.starts[edit], candidates.ends[edit]
            if begin == start and stop == end:
                is_modified, is_right = True, gold >= 0
                if is_right:
                    made, right = candidates.spelled[edit], references.spelled[gold]
                    length = candidates.spelled[edit + 1] - made
                    is_right = length == references.spelled[gold + 1] - right
                    for word in range(length if is_right else 0):
                        is_right &= candidates.words[made + word] == references.words[right + word]
                if is_right:
                    break
            elif start < end and (start <= begin < end or begin <= start < stop):
                # An insertion before a word that is kept does not change the word.
                is_modified, is_right = is_modified or gold >= 0 or begin < stop, is_right and begin == stop
        if is_right:
            done[candidate - low] = RIGHT_KEPT if gold < 0 else RIGHT_EDIT
        else:
            done[candidate - low] = WRONG_EDIT if gold < 0 else WRONG_INSTEAD if is_modified else MISSING
        if many[candidate] < 0:
            difficulty = 1
        elif not is_right:
            difficulty += many[candidate]
    for candidate in range(high - low):
        what = done[candidate]
        if what == RIGHT_KEPT:
            counts[candidate, KEPT] += difficulty
        elif what == RIGHT_EDIT:
            counts[candidate, TRUE] += difficulty
        if what in (WRONG_EDIT, WRONG_INSTEAD):
            counts[candidate, FALSE] += difficulty
        if what in (WRONG_INSTEAD, MISSING):
            counts[candidate, MISSED] += difficulty
