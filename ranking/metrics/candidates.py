"""The outputs of several systems for every sentence, each distinct text once.

Toy: the outputs of systems A, B and C are `x`, `y` and `x`: two candidates, the first of A and C, the second of B.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Self

import numpy as np

from ranking.metrics.material import MetricError, count_lines
from ranking.metrics.tokens import in_characters


@dataclass(frozen=True)
class Candidates:
    """Distinct texts in the order of their sentences, and which of them each system has for each sentence.

    The last rows of `chosen`, as many as there are `people`, are of references that are scored like systems.
    """

    texts: tuple[str, ...]
    sentence: np.ndarray
    chosen: np.ndarray
    people: int = 0

    @classmethod
    def of(cls, systems: Sequence[Sequence[str]], people: Sequence[Sequence[str]] = ()) -> Self:
        """Collect outputs with one line per sentence; texts that differ only in white space are the same."""
        outputs = [*systems, *people]
        for number, lines in enumerate(outputs, 1):
            if len(lines) != len(outputs[0]):
                raise MetricError(
                    f"Output {number} has {count_lines(lines)} where the first has {len(outputs[0])};"
                    " every file needs one line per sentence."
                )
        sentences = len(outputs[0]) if outputs else 0
        chosen = np.empty((len(outputs), sentences), dtype=np.int32)
        texts: list[str] = []
        sentence: list[int] = []
        for place in range(sentences):
            lines = [output[place] for output in outputs]
            written = {line: " ".join(line.split()) for line in dict.fromkeys(lines)}
            known = {text: number for number, text in enumerate(dict.fromkeys(written.values()), len(texts))}
            texts += known
            sentence += [place] * len(known)
            chosen[:, place] = [known[written[line]] for line in lines]
        return cls(tuple(texts), np.array(sentence, dtype=np.int32), chosen, len(people))

    def in_characters(self) -> Self:
        return replace(self, texts=tuple(map(in_characters, self.texts)))

    @property
    def of_systems(self) -> np.ndarray:
        return self.chosen[: len(self.chosen) - self.people]

    @cached_property
    def signature(self) -> str:
        """The number of systems, and eight digits that differ for other outputs; their order does not matter."""
        outputs = sorted([self.texts[number] for number in row] for row in self.of_systems)
        content = json.dumps(outputs, ensure_ascii=False).encode("utf-8", "surrogatepass")
        return f"systems:{len(outputs)}:{sha256(content).hexdigest()[:8]}"

    def __len__(self) -> int:
        return len(self.texts)
