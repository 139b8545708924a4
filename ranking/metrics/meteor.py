"""METEOR as in NLTK: the version of Lavie and Agarwal (2007) with a greedy alignment.

Words in lower case are matched exactly, the remaining ones by stems, and then by synonyms of the stems; each stage goes
through the candidate from its end and takes the last free word of the reference. With m matches in c runs that are
adjacent in both texts, P = m / candidate and R = m / reference, the score is

    P R / (alpha P + (1 - alpha) R) * (1 - gamma (c / m)^beta)

The best reference counts; the score of an output is the mean over its sentences.

Toy: the candidate `the cats sat` and the reference `the cat sat down` match three words in one run: P = 1, R = 3/4, so
.75 / (.9 + .1 * .75) * (1 - .5 / 27) = .7550.

Stems are Porter's (1980) with the departures that its author published since, and a few of NLTK's. A word is
[C](VC)^m[V] for runs of consonants C and of vowels V; `y` is a vowel after a consonant. A rule removes or replaces an
ending if the rest of the word is long enough, as measured by m. Toy: `relational` loses its ending to `relate` in
step 2 (m of `rel` is 1) and its `e` in step 5: `relat`.

Synonyms are from WordNet's own database files, as the manual page wndb describes them. An index file has a line per
word with the offsets of its synsets, a data file has a line per synset at its offset, and an exception file has a line
per irregular form with its base forms. Regular forms are also looked up without endings.
"""

import mmap
import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from pathlib import Path

import numpy as np

from ranking.metrics.base import ABSENT, Progress, Scores, SummedMetric, check_setting, in_chunks, no_progress
from ranking.metrics.material import Candidates, Material, MetricError, Vocabulary, starts_of
from ranking.metrics.ngrams import KnownTexts, check_texts
from ranking.numbers.kernels import kernel

NOWHERE = -1
# Where Debian's package wordnet-base keeps its files.
DEBIAN = Path("/usr/share/wordnet")
PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")
ENDINGS = {
    "noun": (("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
             ("men", "man"), ("ies", "y")),
    "verb": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}  # fmt: skip
BLOCK = 16000
FILES = [name.format(part) for name in ("index.{}", "data.{}", "{}.exc") for part in PARTS_OF_SPEECH]


def installed_wordnet() -> Path | None:
    """Return the folder that WordNet's own variable names, or that of Debian's package wordnet-base."""
    folder = Path(os.environ.get("WNSEARCHDIR") or DEBIAN)
    return folder if all((folder / name).exists() for name in FILES) else None


@dataclass(frozen=True)
class Meteor(SummedMetric):
    """METEOR from 0 to 1. Columns of counts: matches, runs, the candidate's length, the reference's.

    Synonyms come from a folder of WordNet's files, by default the one that is installed; without one there are none.
    """

    alpha: float = 0.9
    beta: float = 3.0
    gamma: float = 0.5
    synonyms: bool = True
    wordnet: Path | None = field(default_factory=installed_wordnet)
    name = "meteor"
    cuts_words = False
    title = about = "METEOR"

    def __post_init__(self) -> None:
        check_setting("METEOR", "alpha", self.alpha, 0.01, 0.99)
        check_setting("METEOR", "beta", self.beta, 0, 100)
        check_setting("METEOR", "gamma", self.gamma, 0, 1)
        if not self.synonyms:
            object.__setattr__(self, "wordnet", None)

    def signature(self, material: Material) -> str:
        synonyms = f"+synonym|wordnet:{open_wordnet(self.wordnet).version}" if self.wordnet else ""
        return (
            f"{self.name}|alpha:{self.alpha:g}|beta:{self.beta:g}|gamma:{self.gamma:g}|case:lc|language:en"
            f"|stages:exact+stem{synonyms}|references:{material.references}"
        )

    def count(self, material: Material, candidates: Candidates, progress: Progress = no_progress) -> np.ndarray:
        check_texts("METEOR", material, candidates)
        vocabulary = Vocabulary()
        texts = KnownTexts.of(material.texts, vocabulary.words)
        tokens = vocabulary.words(candidates.texts)
        # Numbers of the words in lower case, of the stem of each of these, and of the synonyms of each stem.
        small: dict[str, int] = {}
        lowered = np.array([small.setdefault(word.lower(), len(small)) for word in vocabulary.numbers], dtype=np.int32)
        names: dict[str, int] = {}
        stems = np.array([names.setdefault(stem(word), len(names)) for word in small], dtype=np.int32)
        # The synonyms of each stem among the stems, one after the other, and where those of each stem begin.
        found: list[list[int]] = [[] for _ in names]
        if self.wordnet:
            synonyms_of = open_wordnet(self.wordnet).synonyms
            found = [sorted(names[name] for name in synonyms_of(word) if name in names) for word in names]
        synonyms = np.array([number for numbers in found for number in numbers], dtype=np.int32), starts_of(found)
        numbers, known_numbers = lowered[tokens.numbers], lowered[texts.tokens.numbers]

        def work(chunk: slice) -> np.ndarray:
            sentence, starts = candidates.sentence[chunk], tokens.starts[chunk.start : chunk.stop + 1]
            counts = np.full((len(sentence), material.references, 4), ABSENT, np.int32)
            last = np.full(len(stems) + 1, NOWHERE, np.int32)
            others = known_numbers, texts.tokens.starts, texts.present
            _count(numbers, starts, sentence, *others, stems, *synonyms, last, counts)
            return counts

        return in_chunks(work, len(candidates), progress)

    def summands(self, counts: np.ndarray) -> np.ndarray:
        """Return the score of each candidate, and whether it has a reference."""
        return np.stack((self.of_candidates(counts)["METEOR"], (counts[:, :, 0] != ABSENT).any(axis=1)), axis=1)

    def of_sums(self, sums: np.ndarray, sentences: int) -> Scores:
        return {"METEOR": sums[:, 0] / np.maximum(sums[:, 1], 1)}

    def of_candidates(self, counts: np.ndarray) -> Scores:
        matched, runs, length, other = np.moveaxis(np.maximum(counts, 0), 2, 0)
        some = np.maximum(matched, 1)
        precision, recall = some / np.maximum(length, 1), some / np.maximum(other, 1)
        mean = precision * recall / (self.alpha * precision + (1 - self.alpha) * recall)
        scores = np.where(matched > 0, (1 - self.gamma * (runs / some) ** self.beta) * mean, 0.0)
        return {"METEOR": scores.max(axis=1, initial=0)}


@kernel
def _count(
    numbers, starts, sentence, known_numbers, known_starts, present, stems, synonyms, synonym_starts, last, counts
):  # fmt: skip
    """Align each candidate with each reference of its sentence."""
    texts = present.shape[1]
    itself, firsts = np.arange(len(last)).astype(np.int32), np.arange(len(last) + 1)
    for candidate in range(len(sentence)):
        words = numbers[starts[candidate] : starts[candidate + 1]]
        for text in range(texts):
            if not present[sentence[candidate], text]:
                continue
            place = sentence[candidate] * texts + text
            others = known_numbers[known_starts[place] : known_starts[place + 1]]
            partner, free = np.full(len(words), NOWHERE, np.int32), np.ones(len(others), np.bool_)
            stemmed, other_stems = stems[words], stems[others]
            _match(words, others, partner, free, last, itself, firsts)
            _match(stemmed, other_stems, partner, free, last, itself, firsts)
            if len(synonyms):
                _match(stemmed, other_stems, partner, free, last, synonyms, synonym_starts)
            row = counts[candidate, text]
            row[0], row[1], row[2], row[3] = 0, 0, len(words), len(others)
            for at in range(len(words)):
                if partner[at] != NOWHERE:
                    row[0] += 1
                    if at == 0 or partner[at - 1] == NOWHERE or partner[at - 1] + 1 != partner[at]:
                        row[1] += 1


@kernel
def _match(words, others, partner, free, last, alike, starts):
    """Match each unmatched word, from right to left, with the last free word that is like it.

    Word n is like alike[starts[n]:starts[n + 1]]; `last` is NOWHERE for each word, before and after.
    """
    # The last free place of each word, and the previous one with the same word for each place.
    before = np.empty(len(others), np.int32)
    for place in range(len(others)):
        if free[place]:
            before[place], last[others[place]] = last[others[place]], place
    for place in range(len(words) - 1, -1, -1):
        if partner[place] == NOWHERE:
            best = NOWHERE
            for number in range(starts[words[place]], starts[words[place] + 1]):
                best = max(best, last[alike[number]])
            if best != NOWHERE:
                partner[place], free[best], last[others[best]] = best, False, before[best]
    for place in range(len(others)):
        last[others[place]] = NOWHERE


SHORTEST = 3
IRREGULAR = {
    "skies": "sky", "sky": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
    "innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing", "cannings": "canning",
    "canning": "canning", "howe": "howe", "proceed": "proceed", "exceed": "exceed", "succeed": "succeed",
}  # fmt: skip

# An ending, its replacement, and a condition on the rest of the word.
Rule = tuple[str, str, Callable[[str], bool]]


def stem(word: str) -> str:
    word = word.lower()
    if word in IRREGULAR or len(word) < SHORTEST:
        return IRREGULAR.get(word, word)
    # Step 1a: `flies` becomes `fli`, but `dies` becomes `die`.
    word = word[:-1] if word.endswith("ies") and len(word) == 4 else _first(word, STEP_1A)
    word = _double_suffix(_first(_past(word), STEP_1C))
    for rules in (STEP_3, STEP_4, STEP_5A, STEP_5B):
        word = _first(word, rules)
    return word


def measure(text: str) -> int:
    """Count how often a vowel is followed by a consonant."""
    return "".join(kind for kind, _ in groupby(_kinds(text))).count("vc")


def _kinds(text: str) -> str:
    """One `c` or `v` per letter."""
    kinds = ""
    for letter in text:
        vowel = letter in "aeiou" or (letter == "y" and kinds.endswith("c"))
        kinds += "v" if vowel else "c"
    return kinds


def _closes_short(text: str) -> bool:
    """Whether the text ends in consonant, vowel, consonant other than w, x, y; or is one vowel and one consonant."""
    kinds = _kinds(text)
    return (kinds.endswith("cvc") and text[-1] not in "wxy") or kinds == "vc"


def _first(word: str, rules: Iterable[Rule]) -> str:
    """Apply the first rule whose ending the word has, if its condition holds."""
    for ending, instead, condition in rules:
        if word.endswith(ending):
            before = word.removesuffix(ending)
            return before + instead if condition(before) else word
    return word


def _past(word: str) -> str:
    """Step 1b, and the repair that follows it."""
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return _first(word, STEP_1B)
    before = next((word.removesuffix(ending) for ending in ("ed", "ing") if word.endswith(ending)), "")
    if "v" not in _kinds(before):
        return word
    if before.endswith(("at", "bl", "iz")):
        return before + "e"
    if len(before) > 1 and before[-1] == before[-2] and _kinds(before)[-1] == "c":
        return before if before[-1] in "lsz" else before[:-1]
    return before + "e" if measure(before) == 1 and _closes_short(before) else before


def _double_suffix(word: str) -> str:
    """Step 2; a word that loses `li` may then have another ending."""
    if word.endswith("alli") and measure(word.removesuffix("alli")) > 0:
        return _double_suffix(word.removesuffix("li"))
    return _first(word, STEP_2)


def _rules(least: int, rules: str) -> list[Rule]:
    """Parse rules `ending>replacement` that apply if the rest of the word has a measure of more than `least`."""
    pairs = (rule.split(">") for rule in rules.split())
    return [(ending, instead, lambda before: measure(before) > least) for ending, instead in pairs]


STEP_1A = _rules(-1, "sses>ss ies>i ss>ss s>")
STEP_1B = _rules(0, "eed>ee")
STEP_1C: list[Rule] = [("y", "i", lambda before: len(before) > 1 and _kinds(before)[-1] == "c")]
STEP_2 = [
    *_rules(0, "ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e ousli>ous"),
    *_rules(0, "ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive"),
    *_rules(0, "biliti>ble fulli>ful"),
    # The measure includes the l.
    ("ogi", "og", lambda before: before.endswith("l") and measure(before) > 0),
]
STEP_3 = _rules(0, "icate>ic ative> alize>al iciti>ic ical>ic ful> ness>")
STEP_4 = [
    *_rules(1, "al> ance> ence> er> ic> able> ible> ant> ement> ment> ent>"),
    ("ion", "", lambda before: before.endswith(("s", "t")) and measure(before) > 1),
    *_rules(1, "ou> ism> ate> iti> ous> ive> ize>"),
]
STEP_5A: list[Rule] = [
    ("e", "", lambda before: measure(before) > 1 or (measure(before) == 1 and not _closes_short(before)))
]
STEP_5B: list[Rule] = [("ll", "l", lambda before: measure(before + "l") > 1)]


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
        self.synsets, self.index = _mapped(folder / f"data.{part}"), _mapped(folder / f"index.{part}")
        # Where blocks of lines begin, and the words that those behind the first begin with.
        self.starts = [0, *(self.index.rfind(b"\n", 0, at) + 1 for at in range(BLOCK, len(self.index), BLOCK))]
        self.words = [b"", *(self.index[start : self.index.find(b" ", start) + 1] for start in self.starts[1:])]
        self.starts.append(len(self.index))
        forms = (line.split() for line in (folder / f"{part}.exc").read_text(encoding="utf-8").splitlines())
        self.irregular = {words[0]: words[1:] for words in forms if words}
        # From the licence at the top of each file.
        version = re.search(rb"WordNet (\d[\d.]*\d)", self.synsets[:2000])
        self.version = version[1].decode() if version else "?"

    def synonyms(self, word: str) -> Iterator[str]:
        others = self.irregular.get(word) or [
            word.removesuffix(ending) + instead for ending, instead in self.endings if word.endswith(ending)
        ]
        for fields in map(self._fields, {word, *others}):
            for offset in fields[-int(fields[2]) :] if fields else ():
                at = int(offset)
                # The words of a synset; the fourth field is their number in hexadecimal.
                words = self.synsets[at : self.synsets.find(b"|", at)].decode().split(" ")
                for name in words[4 : 4 + 2 * int(words[3], 16) : 2]:
                    if "_" not in name:
                        # Adjectives may end in a syntactic marker in brackets.
                        yield name.partition("(")[0]

    def _fields(self, form: str) -> list[bytes]:
        """The word, its part of speech, the number of synsets, ..., and their offsets; nothing for an unknown word.

        Lines are in the order of their bytes, after those of the licence, which begin with spaces.
        """
        if not form.strip():
            return []
        key = form.encode() + b" "
        block = bisect_right(self.words, key)
        low, high = self.starts[block - 1 : block + 1]
        while low < high:
            middle = (low + high) // 2
            start = self.index.rfind(b"\n", low, middle) + 1 or low
            line = self.index[start : self.index.find(b"\n", middle)]
            if line.startswith(key):
                return line.split()
            low, high = (start + len(line) + 1, high) if line < key else (low, start)
        return []


def _mapped(path: Path) -> mmap.mmap:
    """A file of which only the pages that are looked at take memory."""
    with path.open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    if hasattr(mmap, "MADV_RANDOM"):
        mapped.madvise(mmap.MADV_RANDOM)  # without the pages around them
    return mapped
