"""Small made texts for metrics of n-grams: few words, so that they repeat, and everything that may be missing."""

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from ranking.metrics.base import Metric
from ranking.metrics.material import Candidates, Material

WORDS = ["a", "b", "B", "ab,", "(c", "naïve", "nai\u0308ve", "𝄞", ".", "running", "ran", "runs"]


class Texts(NamedTuple):
    material: Material
    outputs: list[list[str]]

    @property
    def candidates(self) -> Candidates:
        return Candidates.of(self.outputs)

    def references(self, sentence: int) -> list[str]:
        return [texts[sentence] for texts in self.material.texts if texts[sentence] is not None]

    def scores(self, metric: Metric, name: str | None = None) -> np.ndarray:
        counts = metric.count(self.material, self.candidates)
        return metric.of_systems(counts, self.candidates.chosen)[name or metric.main_scores[0]]

    def streams(self) -> list[list[str | None]]:
        return [list(texts) for texts in self.material.texts]


@st.composite
def texts(draw: st.DrawFn) -> Texts:
    """One to four references, of which the first may be missing where there is another."""
    line = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)
    sentences, references = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    lines = st.lists(line, min_size=sentences, max_size=sentences)
    maybe = st.lists(st.none() | line, min_size=sentences, max_size=sentences)
    streams = [draw(maybe) for _ in range(references - 1)] + [draw(lines)]
    outputs = draw(st.lists(lines, min_size=1, max_size=3))
    return Texts(Material.of_texts(draw(lines), draw(st.permutations(streams))), outputs)


def monster(references: int = 10, words: int = 600) -> Texts:
    """A line of 600 words, an empty one and an empty source, with ten references."""
    long = " ".join(f"word{number % 97}" for number in range(words))
    streams = [[f"{number} {long}", "x", "", "a b"] for number in range(references)]
    return Texts(Material.of_texts([long, "", "a", "a b"], streams), [[long, "x", "a", ""], ["", "", "", "b a"]])
