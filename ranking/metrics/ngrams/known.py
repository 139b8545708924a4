"""Known texts of a sentence: its references, and for some metrics its source."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ranking.metrics.candidates import Candidates
from ranking.metrics.material import Material, MetricError
from ranking.metrics.tokens import Tokens

Encode = Callable[[Iterable[str]], Tokens]


@dataclass(frozen=True)
class Known:
    """Known texts of all sentences, the same number per sentence, one after the other; a missing one is empty."""

    tokens: Tokens
    present: np.ndarray

    @property
    def texts(self) -> int:
        return self.present.shape[1]

    @property
    def lengths(self) -> np.ndarray:
        return self.tokens.lengths.reshape(self.present.shape)


def known(columns: Sequence[Sequence[str | None]], encode: Encode) -> Known:
    """Regroup columns of texts by sentence, and encode them."""
    rows = list(zip(*columns, strict=True))
    present = np.array([[text is not None for text in row] for row in rows], dtype=bool).reshape(-1, len(columns))
    return Known(encode(text or "" for row in rows for text in row), present)


def check(metric: str, material: Material, candidates: Candidates) -> None:
    if not material.references:
        raise MetricError(f"{metric} needs a reference; add a file of corrections by people.")
    if len(candidates.chosen) and candidates.chosen.shape[1] != material.sentences:
        raise MetricError(
            f"The outputs have {candidates.chosen.shape[1]} lines where the source has {material.sentences};"
            " every file needs one line a sentence."
        )


def sacrebleu(material: Material, settings: str) -> str:
    """Write a signature in the format of sacrebleu, with the number of references if all sentences have the same."""
    numbers = {sum(text is not None for text in row) for row in zip(*material.texts, strict=True)}
    return f"nrefs:{numbers.pop() if len(numbers) == 1 else 'var'}|case:mixed|{settings}|version:2.6.0"
