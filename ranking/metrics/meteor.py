"""METEOR as in NLTK: the version of Lavie and Agarwal (2007) with a greedy alignment.

Words in lower case are matched exactly, the remaining ones by stems, and then by synonyms of the stems; each stage goes
through the candidate from its end and takes the last free word of the reference. With m matches in c runs that are
adjacent in both texts, P = m / candidate and R = m / reference, the score is

    P R / (alpha P + (1 - alpha) R) * (1 - gamma (c / m)^beta)

The best reference counts; the score of an output is the mean over its sentences.

Toy: the candidate `the cats sat` and the reference `the cat sat down` match three words in one run: P = 1, R = 3/4, so
.75 / (.9 + .1 * .75) * (1 - .5 / 27) = .7550.
"""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ranking.metrics.base import ABSENT, Metric, Progress, Scores, check_setting, in_chunks, no_progress
from ranking.metrics.candidates import Candidates
from ranking.metrics.material import Material
from ranking.metrics.ngrams import KnownTexts, check_texts
from ranking.metrics.porter import stem
from ranking.metrics.tokens import Vocabulary, starts_of
from ranking.metrics.wordnet import installed_wordnet, open_wordnet
from ranking.numbers.kernels import kernel

NOWHERE = -1


@dataclass(frozen=True)
class Meteor(Metric):
    """METEOR from 0 to 1. Columns of counts: matches, runs, the candidate's length, the reference's.

    Synonyms come from a folder of WordNet's files, by default that of Debian's package; None disables synonyms.
    """

    alpha: float = 0.9
    beta: float = 3.0
    gamma: float = 0.5
    wordnet: Path | None = field(default_factory=installed_wordnet)
    name = "meteor"
    cuts_words = False
    title = about = "METEOR"

    def __post_init__(self) -> None:
        check_setting("METEOR", "alpha", self.alpha, 0.01, 0.99)
        check_setting("METEOR", "beta", self.beta, 0, 100)
        check_setting("METEOR", "gamma", self.gamma, 0, 1)

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
        # The synonyms of stem n are numbers[starts[n]:starts[n + 1]].
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

    def of_systems(self, counts: np.ndarray, chosen: np.ndarray) -> Scores:
        """Mean over sentences that have a reference."""
        scores = self.of_candidates(counts)["METEOR"]
        scored = (counts[:, :, 0] != ABSENT).any(axis=1)
        means = [scores[row].sum() / max(scored[row].sum(), 1) for row in chosen]
        return {"METEOR": np.array(means, dtype=float)}

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
    for candidate in range(len(sentence)):
        words = numbers[starts[candidate] : starts[candidate + 1]]
        for text in range(texts):
            if not present[sentence[candidate], text]:
                continue
            place = sentence[candidate] * texts + text
            others = known_numbers[known_starts[place] : known_starts[place + 1]]
            partner, free = np.full(len(words), NOWHERE, np.int32), np.ones(len(others), np.bool_)
            _match(words, others, partner, free, last)
            stemmed, other_stems = stems[words], stems[others]
            _match(stemmed, other_stems, partner, free, last)
            if len(synonyms):
                _match_synonyms(stemmed, other_stems, partner, free, last, synonyms, synonym_starts)
            row = counts[candidate, text]
            row[0], row[1], row[2], row[3] = 0, 0, len(words), len(others)
            for at in range(len(words)):
                if partner[at] != NOWHERE:
                    row[0] += 1
                    if at == 0 or partner[at - 1] == NOWHERE or partner[at - 1] + 1 != partner[at]:
                        row[1] += 1


@kernel
def _match(words, others, partner, free, last):
    """Match each unmatched word, from right to left, with the last free equal word."""
    before = _chain(others, free, last)
    for place in range(len(words) - 1, -1, -1):
        other = last[words[place]]
        if partner[place] == NOWHERE and other != NOWHERE:
            partner[place], free[other], last[words[place]] = other, False, before[other]
    last[others] = NOWHERE


@kernel
def _match_synonyms(words, others, partner, free, last, synonyms, starts):
    """Match each unmatched word, from right to left, with the last free synonym."""
    before = _chain(others, free, last)
    for place in range(len(words) - 1, -1, -1):
        if partner[place] != NOWHERE:
            continue
        best = NOWHERE
        for number in range(starts[words[place]], starts[words[place] + 1]):
            best = max(best, last[synonyms[number]])
        if best != NOWHERE:
            partner[place], free[best], last[others[best]] = best, False, before[best]
    last[others] = NOWHERE


@kernel
def _chain(others, free, last):
    """Store the last free place of each word; return, for each place, the previous one with the same word."""
    before = np.empty(len(others), np.int32)
    for place in range(len(others)):
        if free[place]:
            before[place], last[others[place]] = last[others[place]], place
    return before
