"""METEOR by NLTK: python -m benchmarks.nltk_meteor [WORDNET] REFERENCE REFERENCE OUTPUT ...

With a folder of WordNet's files synonyms count, as they do for our METEOR where it finds such a folder.
"""

import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory
from typing import Any

import nltk
from nltk.corpus.reader.wordnet import WordNetCorpusReader
from nltk.translate.meteor_score import meteor_score

LEXICOGRAPHERS = 45


class NoSynonyms:
    """Stands for NLTK's WordNet, without synonyms."""

    def synsets(self, word: str) -> list[str]:
        return []


class Reader(WordNetCorpusReader):
    def map_wn(self, *words: str) -> None:
        """Other versions of WordNet, for other languages, are not at hand."""


@contextmanager
def wordnet_in(folder: Path) -> Iterator[Any]:
    """NLTK's reader of these files; it wants to know the lexicographers' files too, which METEOR does not need."""
    with TemporaryDirectory() as copied:
        for file in folder.iterdir():
            if file.is_file():
                copy(file, copied)
        names = (f"{number:02}\tfile{number}\t1\n" for number in range(LEXICOGRAPHERS))
        Path(copied, "lexnames").write_text("".join(names), encoding="utf-8")
        nltk.data.path.append(copied)  # it reads nothing elsewhere
        warnings.simplefilter("ignore", UserWarning)
        yield Reader(copied, None)


def meteor(output: Sequence[str], references: Iterable[Sequence[str]], wordnet: Any) -> float:
    split = ([line.split() for line in each] for each in zip(output, *references, strict=True))
    return sum(meteor_score(rights, line, wordnet=wordnet) for line, *rights in split) / len(output)


if __name__ == "__main__":
    folders, files = ([path for path in map(Path, sys.argv[1:]) if path.is_dir() is wanted] for wanted in (True, False))
    first, second, *outputs = (path.read_text(encoding="utf-8").splitlines() for path in files)
    with wordnet_in(folders[0]) if folders else nullcontext(NoSynonyms()) as wordnet:
        print(*(meteor(output, [first, second], wordnet) for output in outputs))
