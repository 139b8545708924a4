"""METEOR by NLTK, exact words and stems: python -m benchmarks.nltk_meteor REFERENCE REFERENCE OUTPUT ..."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from nltk.translate.meteor_score import meteor_score


class NoSynonyms:
    """Stands for NLTK's WordNet, without synonyms."""

    def synsets(self, word: str) -> list[str]:
        return []


def meteor(output: Sequence[str], references: Iterable[Sequence[str]]) -> float:
    split = ([line.split() for line in each] for each in zip(output, *references, strict=True))
    return sum(meteor_score(rights, line, wordnet=NoSynonyms()) for line, *rights in split) / len(output)


if __name__ == "__main__":
    first, second, *outputs = (Path(path).read_text(encoding="utf-8").splitlines() for path in sys.argv[1:])
    print(*(meteor(output, [first, second]) for output in outputs))
