"""The I-measure of Felice and Briscoe (2015), against whole references or against mixtures of them.

Toy: the source `a cat sat`, the reference `the dog sat`, the output `a dog sat`: TP 1, TN 1, FN 1 make WAcc
(2 + 1) / (2 + 1 + 1) = 3/4; the source alone has TN 1 of 3; I = (3/4 - 1/3) / (2/3) = 5/8.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ranking.metrics.base import ABSENT, Metric, Progress, Scores, check_setting, in_chunks, no_progress
from ranking.metrics.candidates import Candidates
from ranking.metrics.imeasure.alignment import COLUMNS, FN, TN, align
from ranking.metrics.imeasure.clusters import clusters_of
from ranking.metrics.imeasure.mixing import Sentence, best_mixture
from ranking.metrics.imeasure.scores import ALL_COLUMNS, FEATURES, best, named
from ranking.metrics.material import Material, MetricError
from ranking.metrics.tokens import Tokens, Vocabulary

# Pairs of lines need one cell for each pair of words; 5,000 words against 5,000 take 100 MB.
MOST_PAIRS = 5_000**2
# With mixing, a column after the counts: whether the mixture found is not proven to be the best.
NOT_SHOWN = ALL_COLUMNS
SENTENCES = 20
MOST_WEIGHT, MOST_CAP = 1000, 100_000


@dataclass(frozen=True)
class IMeasure(Metric):
    """The I-measure: a change counts `weight` times an unchanged word; `cap` limits the mixtures of a block."""

    weight: int = 2
    mixing: bool = False
    cap: int = 10_000

    name = "i-measure"
    about = "I-measure: better or worse than changing nothing"
    reads_edits = True
    kept = ("I-measure", "I-measure WAcc")
    features = FEATURES

    def __post_init__(self) -> None:
        check_setting("The I-measure", "weight", self.weight, 1, MOST_WEIGHT)
        check_setting("The I-measure", "cap", self.cap, 1, MOST_CAP)
        object.__setattr__(self, "by_reference", not self.mixing)

    def signature(self, material: Material) -> str:
        mixing = self.cap if self.mixing else "no"
        return (
            f"i-measure|weight:{self.weight}|mixing:{mixing}"
            f"|references:{len(material.edits)}|edits:{material.edits_from}"
        )

    def count(self, material: Material, candidates: Candidates, progress: Progress = no_progress) -> np.ndarray:
        """Count TP, TN, FP, FN and FPN of correction, then TN and FN of the source; if mixing, by the best mixture."""
        material = material.as_edits()
        _check_lengths(material, candidates)
        if self.mixing:
            return self._count_mixed(material, candidates, progress)
        return _count_whole(material, candidates, progress)

    def of_systems(self, counts: np.ndarray, chosen: np.ndarray) -> Scores:
        """Score summed counts, each sentence against the best reference for the output."""
        best_counts = self._best(counts).astype(np.int64)
        summed = np.stack([best_counts[row].sum(axis=0) for row in chosen]) if len(chosen) else best_counts[:0]
        return self._named(summed, chosen.shape[1])

    def of_candidates(self, counts: np.ndarray) -> Scores:
        return self._named(self._best(counts), 1)

    def _best(self, counts: np.ndarray) -> np.ndarray:
        return counts if self.mixing else best(counts, self.weight)

    def _named(self, counts: np.ndarray, sentences: int) -> Scores:
        scores = named(counts, self.weight, sentences)
        return scores | {"I-measure not shown best": counts[..., NOT_SHOWN]} if self.mixing else scores

    def _count_mixed(self, material: Material, candidates: Candidates, progress: Progress) -> np.ndarray:
        ends = np.searchsorted(candidates.sentence, np.arange(material.sentences + 1))
        texts = [candidates.texts[first:last] for first, last in pairwise(ends)]

        def work(chunk: slice) -> np.ndarray:
            sentences = range(chunk.start, chunk.stop)
            rows = [row for sentence in sentences for row in self._mixed(material, sentence, texts[sentence])]
            return np.array(rows, dtype=np.int32).reshape(-1, ALL_COLUMNS + 1)

        return in_chunks(work, material.sentences, progress, SENTENCES)

    def _mixed(self, material: Material, number: int, texts: tuple[str, ...]) -> Iterator[tuple[int, ...]]:
        found = clusters_of(material, number)
        if found is None:
            yield from [(0,) * (ALL_COLUMNS + 1)] * len(texts)
            return
        sentence = Sentence(material.source[number].split(), found)
        for text in texts:
            choice = best_mixture(sentence, text.split(), self.weight, self.cap)
            yield *choice.counts, not choice.is_best


def _count_whole(material: Material, candidates: Candidates, progress: Progress) -> np.ndarray:
    """Count by reference; the texts are the sources, each reference in turn, and the candidates."""
    references = [text or "" for reference in material.texts for text in reference]
    texts = Vocabulary().words([*material.source, *references, *candidates.texts])
    of_source = in_chunks(
        lambda chunk: _against(texts, material, np.r_[chunk], np.r_[chunk]), material.sentences, no_progress
    )
    first = len(texts) - len(candidates)

    def work(chunk: slice) -> np.ndarray:
        sentence = candidates.sentence[chunk]
        mine = _against(texts, material, sentence, np.arange(first, len(texts))[chunk])
        return np.concatenate((mine, of_source[sentence][..., [TN, FN]]), axis=-1)

    counts = in_chunks(work, len(candidates), progress)
    absent = np.array([[text is None for text in reference] for reference in material.texts], dtype=bool)
    counts[absent.reshape(material.references, material.sentences).T[candidates.sentence]] = ABSENT
    return counts


def _against(texts: Tokens, material: Material, sentence: np.ndarray, row: np.ndarray) -> np.ndarray:
    of_references = sentence[:, None] + material.sentences * np.arange(1, material.references + 1)
    triples = np.stack(np.broadcast_arrays(sentence[:, None], row[:, None], of_references), axis=-1)
    return align(texts, triples.reshape(-1, 3))[:, :COLUMNS].reshape(*of_references.shape, COLUMNS)


def _check_lengths(material: Material, candidates: Candidates) -> None:
    source, output, *references = (
        np.array([len((text or "").split()) for text in texts], dtype=np.int64)
        for texts in (material.source, candidates.texts, *material.texts)
    )
    reference, longest = np.max([np.zeros_like(source), *references], axis=0), np.zeros_like(source)
    np.maximum.at(longest, candidates.sentence, output)
    too_long = np.maximum(source * reference, longest * np.maximum(source, reference)) > MOST_PAIRS
    if too_long.any():
        raise MetricError(
            f"Sentence {too_long.argmax() + 1} is too long for the I-measure, which compares lines of at most 5,000"
            " words; shorten its source, its reference or an output."
        )
