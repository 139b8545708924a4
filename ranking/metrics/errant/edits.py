"""The edits that lead from a source to another sentence, each with its kind."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from threading import Lock

import numpy as np
from numba import njit
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from ranking.metrics.base import Progress, no_progress
from ranking.metrics.errant.alignment import steps
from ranking.metrics.errant.merging import edit_spans
from ranking.metrics.errant.parsing import PARSED_AT_ONCE, Classifier, Parser, Sentence, classifier, parser
from ranking.metrics.material import Edit, Edits

# A source and what became of it, both with single spaces.
Pair = tuple[str, str]
# A report asks for the same pairs again and again; some 50 MB.
MOST_KEPT = 50_000


class Extractor:
    """Edits of pairs, the last of which it keeps, for parsing takes nearly all the time."""

    def __init__(self, parser: Parser, classifier: Classifier) -> None:
        self.parser, self.classifier = parser, classifier
        self.kept: dict[Pair, Edits] = {}
        self.lock = Lock()

    def edits(self, pairs: Iterable[Pair], progress: Progress = no_progress) -> dict[Pair, Edits]:
        """The edits of every pair; pairs with the same source are best given one after the other."""
        asked = list(dict.fromkeys(pairs))
        with self.lock:
            found = {pair: self.kept[pair] for pair in asked if pair in self.kept}
            found |= {(source, text): () for source, text in asked if source == text}
            for part in _parts([pair for pair in asked if pair not in found]):
                made = self._made(part)
                found |= made
                self._keep(made)
                progress(len(found), len(asked))
        return found

    def _made(self, pairs: Sequence[Pair]) -> dict[Pair, Edits]:
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        parsed = dict(zip(texts, self.parser.parse(texts), strict=True))
        return {pair: tuple(self.between(parsed[pair[0]], parsed[pair[1]])) for pair in pairs}

    def between(self, source: Sentence, other: Sentence) -> Iterator[Edit]:
        """Edits from left to right."""
        for start, end, begin, stop in spans(source, other).tolist():
            kind = self.classifier.kind(source, other, (start, end, begin, stop))
            yield Edit(start, end, (" ".join(other.words[begin:stop]),), kind)

    def _keep(self, made: dict[Pair, Edits]) -> None:
        self.kept |= made
        for pair in list(self.kept)[: max(len(self.kept) - MOST_KEPT, 0)]:
            del self.kept[pair]


@cache
def extractor() -> Extractor:
    """One a process, since the model is large."""
    return Extractor(parser(), classifier())


def spans(source: Sentence, other: Sentence) -> np.ndarray:
    """Start and end of each edit in the source, and in the other sentence; words that both end with are kept."""
    common = _common_end(source.seen.spelling, other.seen.spelling)
    ours, theirs = source.words[: len(source.words) - common], other.words[: len(other.words) - common]
    unlike = cdist(ours, theirs, scorer=Indel.normalized_distance, dtype=np.float64).reshape(len(ours), len(theirs))
    return _spans(source.seen, other.seen, unlike)


@njit(cache=True, nogil=True)
def _spans(source, other, unlike):
    return edit_spans(steps(source, other, unlike), source, other, unlike)


@njit(cache=True, nogil=True)
def _common_end(source, other):
    common = 0
    while common < len(source) and common < len(other) and source[-1 - common] == other[-1 - common]:
        common += 1
    return common


def _parts(pairs: Sequence[Pair]) -> Iterator[list[Pair]]:
    """So many pairs at once, but all neighbours of one source together, so that it is parsed once."""
    part: list[Pair] = []
    for pair in pairs:
        if len(part) >= PARSED_AT_ONCE and pair[0] != part[-1][0]:
            yield part
            part = []
        part.append(pair)
    if part:
        yield part
