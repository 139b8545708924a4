"""Synonyms from WordNet's own database files, as the manual page wndb describes them.

An index file has a line per word with the offsets of its synsets, a data file has a line per synset at its offset, and
an exception file has a line per irregular form with its base forms. Regular forms are also looked up without endings.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ranking.metrics.material import MetricError

DEBIAN = Path("/usr/share/wordnet")
PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")
ENDINGS = {
    "noun": (("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
             ("men", "man"), ("ies", "y")),
    "verb": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}  # fmt: skip
FILES = [name.format(part) for name in ("index.{}", "data.{}", "{}.exc") for part in PARTS_OF_SPEECH]


def installed_wordnet() -> Path | None:
    """Return the folder of Debian's package wordnet-base, if it is installed."""
    return DEBIAN if all((DEBIAN / name).exists() for name in FILES) else None


@cache
def open_wordnet(folder: Path) -> "WordNet":
    return WordNet(folder)


class WordNet:
    def __init__(self, folder: Path) -> None:
        if missing := [name for name in FILES if not (folder / name).is_file()]:
            raise MetricError(
                f"WordNet's file {missing[0]} is not in {folder};"
                " give the folder of its database files, or score without synonyms."
            )
        self.parts = [_PartOfSpeech(folder, part) for part in PARTS_OF_SPEECH]
        self.found: dict[str, frozenset[str]] = {}
        self.version = self.parts[0].version

    def synonyms(self, word: str) -> frozenset[str]:
        """Return all single words of all synsets of a lower-case word, whatever its part of speech."""
        if word not in self.found:
            self.found[word] = frozenset(name for part in self.parts for name in part.synonyms(word))
        return self.found[word]


class _PartOfSpeech:
    """The files of one part of speech."""

    def __init__(self, folder: Path, part: str) -> None:
        self.endings = ENDINGS[part]
        self.synsets = (folder / f"data.{part}").read_bytes()
        index = (folder / f"index.{part}").read_text(encoding="utf-8").splitlines()
        self.index = dict(line.split(" ", 1) for line in index if not line.startswith(" "))
        forms = (line.split() for line in (folder / f"{part}.exc").read_text(encoding="utf-8").splitlines())
        self.irregular = {words[0]: words[1:] for words in forms if words}
        # From the licence at the top of each file.
        version = re.search(rb"WordNet (\d[\d.]*\d)", self.synsets[:2000])
        self.version = version[1].decode() if version else "?"

    def synonyms(self, word: str) -> Iterator[str]:
        others = self.irregular.get(word) or [
            word.removesuffix(ending) + instead for ending, instead in self.endings if word.endswith(ending)
        ]
        for form in {word, *others} & self.index.keys():
            # The part of speech, the number of synsets, ..., and their offsets.
            fields = self.index[form].split()
            for offset in fields[-int(fields[1]) :]:
                yield from self._words(int(offset))

    def _words(self, offset: int) -> Iterator[str]:
        """Read the words of a synset; the fourth field is their number in hexadecimal."""
        fields = self.synsets[offset : self.synsets.index(b"|", offset)].decode().split(" ")
        for name in fields[4 : 4 + 2 * int(fields[3], 16) : 2]:
            if "_" not in name:
                # Adjectives may end in a syntactic marker in brackets.
                yield name.partition("(")[0]
