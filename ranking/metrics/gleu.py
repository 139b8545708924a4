"""GLEU (Napoles et al., 2015, in its form of 2016 "without tuning"), and charGLEU over characters.

For each order n, the n-grams that a candidate shares with the reference count for it, and those that it shares with the
source but that the reference lacks count against it; the sum is never below zero:

    max(0, sum of min(h, r) - sum over n-grams that the reference lacks of min(h, s)) / (length + 1 - n)

GLEU is the geometric mean of these fractions, summed over sentences, times exp(min(0, 1 - r / c)) for the lengths of
references and candidates. With several references it is the mean over draws of one reference per sentence.

Toy of order 1: the source `a cat sat`, the reference `a dog sat`, the candidate `a cat sat`: 2 words are shared with
the reference, and `cat` is only the source's: (2 - 1) / 3.

The draws of one reference per sentence are the same for every output, and those of the published program. Draw j takes
the numbers that follow the seed 101 j, one per sentence; int(number * references) is the reference. This is how randint
worked in Python 2, which that program used; Python 3 draws integers differently.
"""

from collections.abc import Callable
from dataclasses import dataclass
from unicodedata import normalize

import numpy as np

from ranking.metrics.base import (
    ABSENT,
    Progress,
    Scores,
    SummedMetric,
    check_setting,
    in_chunks,
    no_progress,
    sums_of,
)  # fmt: skip
from ranking.metrics.material import Candidates, Material, Vocabulary, characters
from ranking.metrics.ngrams import ELSEWHERE, Encode, KnownTexts, check_texts
from ranking.numbers.kernels import kernel

SEED = 101
OUTPUTS_AT_ONCE = 16
MOST_ORDER, MOST_DRAWS = 20, 10_000


def random_numbers(draws: int, places: int) -> np.ndarray:
    """Return a row per draw: the numbers of `random.random()` after `random.seed(101 * draw)`."""
    numbers, generator = np.empty((draws, places)), np.random.RandomState(0)
    for draw, row in enumerate(numbers):
        # NumPy spreads a seed in a list over the state of the generator as Python's random does.
        generator.seed([SEED * draw])
        row[:] = generator.random_sample(places)
    return numbers


def over_draws(
    counts: np.ndarray, chosen: np.ndarray, draws: int, score: Callable[[slice, np.ndarray], np.ndarray]
) -> np.ndarray:
    """Return the mean score of each output over draws.

    Counts are by candidate, reference and column, below zero where a reference is missing, which is then not drawn.
    `score` takes some outputs and their sums by draw and column, and returns scores by output and draw.
    """
    present = counts[:, :, 0] >= 0
    order = np.argsort(~present, axis=1, kind="stable")
    drawn = np.where(present[:, :, None], counts, 0)
    drawn = np.ascontiguousarray(np.take_along_axis(drawn, order[:, :, None], axis=1).transpose(0, 2, 1))
    references = present.sum(axis=1)
    draws = draws if references.max(initial=1) > 1 else 1
    numbers = random_numbers(draws, chosen.shape[1])

    def work(block: slice) -> np.ndarray:
        sums = np.empty((len(chosen[block]), draws, counts.shape[2]), dtype=np.int64)
        _add(drawn, references, np.ascontiguousarray(chosen[block], np.int32), numbers, sums)
        return score(block, sums).mean(axis=1)

    return in_chunks(work, len(chosen), no_progress, OUTPUTS_AT_ONCE)


@kernel
def _add(drawn, references, chosen, numbers, sums):
    """Sum each column by output and draw; the counts of an output are made contiguous first."""
    columns, most = drawn.shape[1], drawn.shape[2]
    places = chosen.shape[1]
    counts, many = np.empty((columns, places * most), np.int32), np.empty(places)
    drawing = np.empty(places, np.int32)
    for row in range(chosen.shape[0]):
        for place in range(places):
            many[place] = references[chosen[row, place]]
            for column in range(columns):
                for reference in range(most):
                    counts[column, place * most + reference] = drawn[chosen[row, place], column, reference]
        for draw in range(numbers.shape[0]):
            for place in range(places):
                drawing[place] = place * most + np.int32(numbers[draw, place] * many[place])
            for column in range(columns):
                total = 0
                for place in range(places):
                    total += counts[column, drawing[place]]
                sums[row, draw, column] = total


@dataclass(frozen=True)
class _Overlap(SummedMetric):
    """Columns of counts: numerators, denominators, the candidate's length, the reference's.

    Summed are means over references: the expectation that draws estimate.
    """

    order: int = 4

    def __post_init__(self) -> None:
        check_setting(self.title, "order", self.order, 1, MOST_ORDER)

    @property
    def settings(self) -> tuple[str, ...]:
        return (f"n:{self.order}",)

    def signature(self, material: Material) -> str:
        return "|".join((self.name, *self.settings, f"references:{material.references}"))

    def encoder(self) -> Encode:
        return Vocabulary().words

    def count(self, material: Material, candidates: Candidates, progress: Progress = no_progress) -> np.ndarray:
        check_texts(self.title, material, candidates)
        encode, place, order = self.encoder(), candidates.sentence, self.order
        known, tokens = KnownTexts.of((material.source, *material.texts), encode), encode(candidates.texts)
        shared, elsewhere = known.count_shared(tokens, place, order, ELSEWHERE, progress)
        counts = np.empty((len(place), material.references, 2 * order + 2), np.int32)
        counts[..., :order] = np.maximum(shared - elsewhere, 0)[:, 1:]
        counts[..., order:-2] = np.maximum(tokens.lengths[:, None] - np.arange(order), 0)[:, None]
        counts[..., -2], counts[..., -1] = tokens.lengths[:, None], known.lengths[place, 1:]
        counts[~known.present[place, 1:]] = ABSENT
        return counts

    def of_candidates(self, counts: np.ndarray) -> Scores:
        """Average over references, with every count of 0 replaced by 1."""
        present = counts[:, :, 0] != ABSENT
        each = self.score(np.maximum(counts, 1)) * present
        return {self.title: each.sum(axis=1) / np.maximum(present.sum(axis=1), 1)}

    def summands(self, counts: np.ndarray) -> np.ndarray:
        present = (counts[:, :, :1] != ABSENT).sum(axis=1)
        return np.maximum(counts, 0).sum(axis=1) / np.maximum(present, 1)

    def of_sums(self, sums: np.ndarray, sentences: int) -> Scores:
        return {self.title: self.score(sums)}

    def score(self, sums: np.ndarray) -> np.ndarray:
        """Compute GLEU from sums in the last axis; 0 where one of them is 0."""
        positive = sums.min(axis=-1, keepdims=True) > 0
        sums = np.where(positive, sums, 1)
        fractions = sums[..., : self.order] / sums[..., self.order : 2 * self.order]
        brevity = np.minimum(0, 1 - sums[..., -1] / sums[..., -2])
        return np.exp(brevity + np.log(fractions).mean(axis=-1)) * positive[..., 0]


@dataclass(frozen=True)
class Gleu(_Overlap):
    """GLEU over words, the mean over draws of one reference per sentence."""

    draws: int = 500
    name = "gleu"
    title = "GLEU"
    about = "GLEU: n-grams of references, less those of the source"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_setting(self.title, "draws", self.draws, 1, MOST_DRAWS)

    @property
    def settings(self) -> tuple[str, ...]:
        return (*super().settings, f"draws:{self.draws}")

    def of_systems(self, counts: np.ndarray, chosen: np.ndarray) -> Scores:
        """Sum for every draw only the columns that depend on the reference."""
        order = self.order
        own = sums_of(np.maximum(counts[:, :, order:-1].max(axis=1), 0), chosen)

        def score(block: slice, sums: np.ndarray) -> np.ndarray:
            alike = np.broadcast_to(own[block, None], (*sums.shape[:2], order + 1))
            return self.score(np.concatenate([sums[..., :-1], alike, sums[..., -1:]], axis=-1))

        return {self.title: over_draws(counts[:, :, [*range(order), -1]], chosen, self.draws, score)}

    def of_resampled(self, counts: np.ndarray, chosen: np.ndarray, draws: np.ndarray) -> Scores:
        """Resample the expectation, which differs from the mean over draws by as good as a constant."""
        drawn, expected = self.of_systems(counts, chosen)[self.title], super().of_systems(counts, chosen)[self.title]
        moved = super().of_resampled(counts, chosen, draws)[self.title] + (drawn - expected)[:, None]
        return {self.title: np.clip(moved, 0, 1)}


@dataclass(frozen=True)
class GleuExpected(_Overlap):
    """GLEU over words, from means over references: the expectation that draws estimate."""

    name = "gleu-expected"
    title = "GLEU expected"


@dataclass(frozen=True)
class _OverCharacters(_Overlap):
    """Characters in normalization form C, with or without the single spaces between words."""

    order: int = 5
    spaces: bool = True
    cuts_words = False

    @property
    def settings(self) -> tuple[str, ...]:
        return (*super().settings, "characters:nfc", f"spaces:{'yes' if self.spaces else 'no'}")

    def encoder(self) -> Encode:
        between = " " if self.spaces else ""
        return lambda texts: characters(normalize("NFC", between.join(text.split())) for text in texts)


@dataclass(frozen=True)
class CharGleu(_OverCharacters, Gleu):
    name = "chargleu"
    title = "charGLEU"
    about = "charGLEU: the same with characters"


@dataclass(frozen=True)
class CharGleuExpected(_OverCharacters, GleuExpected):
    name = "chargleu-expected"
    title = "charGLEU expected"
