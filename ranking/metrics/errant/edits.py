"""The edits that turn a source into another sentence, each with its kind.

A run is a sequence of steps between kept or reordered words. A reordering is an edit by itself. In a run with a
substitution, these rules are tried on every part of at least two steps with a substitution, the longest first, from the
left; the first rule that applies cuts the run, and the rest on either side is treated in the same way:

* a possessive ending is an edit by itself if it comes first, and belongs to the step before it if it comes last;
* if the last words differ only in case: an initial part that turns one word into several, the first of which is in
  upper case, is an edit, and so are the word and a punctuation mark before it;
* a difference only in spaces, hyphens and apostrophes is an edit;
* so is a change in the number of words of one part of speech, or of auxiliaries, particles and verbs;
* of two steps: two substitutions are two edits, a substitution of similar words is cut off, and so is a determiner at
  the end.

A run that no rule cuts is one edit if it has a word of an open class, else each step is one. A run of deletions, or of
insertions, is one edit.

Toy: `now a days` and `nowadays` have two deletions and a substitution, and differ only in spaces: one edit.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from threading import Lock
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from ranking.metrics.base import Progress, no_progress
from ranking.metrics.errant.alignment import DELETED, INSERTED, KEPT, REORDERED, SUBSTITUTED, steps
from ranking.metrics.errant.kinds import Classifier, EnglishKinds, UniversalKinds
from ranking.metrics.errant.parsing import ADJ, ADV, AUX, DET, ENGLISH, NOUN, PART, VERB, Parser, Sentence
from ranking.metrics.errant.parsing import PARSED_AT_ONCE as AT_ONCE
from ranking.metrics.material import Edit, Edits
from ranking.numbers.kernels import kernel

# A source and its correction, both with single spaces.
Pair = tuple[str, str]
# Reports request the same pairs repeatedly; this takes some 50 MB.
MOST_KEPT = 50_000


class Extractor:
    """Extracts the edits of pairs and caches the last ones, because parsing takes nearly all the time."""

    def __init__(self, parser: Parser, classifier: Classifier) -> None:
        self.parser, self.classifier = parser, classifier
        self.kept: dict[Pair, Edits] = {}
        self.lock = Lock()

    def edits(self, pairs: Iterable[Pair], progress: Progress = no_progress) -> dict[Pair, Edits]:
        """Extract the edits of every pair; pass pairs with the same source one after the other."""
        distinct = list(dict.fromkeys(pairs))
        with self.lock:
            found = {pair: self.kept[pair] for pair in distinct if pair in self.kept}
            found |= {(source, text): () for source, text in distinct if source == text}
            for part in _parts([pair for pair in distinct if pair not in found]):
                made = self._made(part)
                found |= made
                self.kept |= made
                for pair in list(self.kept)[: max(len(self.kept) - MOST_KEPT, 0)]:
                    del self.kept[pair]
                progress(len(found), len(distinct))
        return found

    def _made(self, pairs: Sequence[Pair]) -> dict[Pair, Edits]:
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        parsed = dict(zip(texts, self.parser.parse(texts), strict=True))
        return {pair: tuple(self.between(parsed[pair[0]], parsed[pair[1]])) for pair in pairs}

    def between(self, source: Sentence, other: Sentence) -> Iterator[Edit]:
        for start, end, begin, stop in spans(source, other).tolist():
            kind = self.classifier.kind(source, other, (start, end, begin, stop))
            yield Edit(start, end, (" ".join(other.words[begin:stop]),), kind)


def spaced(text: str) -> str:
    """The text as one of a pair."""
    return " ".join(text.split())


@cache
def extractor(language: str = ENGLISH) -> Extractor:
    """Load one per process and language, since models are large."""
    return Extractor(Parser(language), EnglishKinds() if language == ENGLISH else UniversalKinds())


def spans(source: Sentence, other: Sentence) -> np.ndarray:
    """Return start and end of each edit in the source and in the other sentence, ignoring their common end."""
    common = _common_end(source.seen.spelling, other.seen.spelling)
    ours, theirs = source.words[: len(source.words) - common], other.words[: len(other.words) - common]
    unlike = cdist(ours, theirs, scorer=Indel.normalized_distance, dtype=np.float64).reshape(len(ours), len(theirs))
    return _spans(source.seen, other.seen, unlike)


@kernel
def _spans(source, other, unlike):
    return edit_spans(steps(source, other, unlike), source, other, unlike)


@kernel
def _common_end(source, other):
    common = 0
    while common < len(source) and common < len(other) and source[-1 - common] == other[-1 - common]:
        common += 1
    return common


def _parts(pairs: Sequence[Pair]) -> Iterator[list[Pair]]:
    """Split pairs into batches, with neighbours of one source in the same batch, so that it is parsed once."""
    part: list[Pair] = []
    for pair in pairs:
        if len(part) >= AT_ONCE and pair[0] != part[-1][0]:
            yield part
            part = []
        part.append(pair)
    if part:
        yield part


ALIKE = 0.75
SPAN = 4


class Spread(NamedTuple):
    """For each word, the end of its run of one part of speech, and the number of earlier words by property."""

    same_until: np.ndarray
    other_than_verbs: np.ndarray
    open: np.ndarray


@kernel
def edit_spans(steps, source, other, unlike):
    """Return start and end of every edit in the source and in the other sentence, from left to right."""
    spans = np.empty((len(steps), SPAN), np.int64)
    many, step = 0, 0
    spreads = _spread(source.part), _spread(other.part)
    # The number of substitutions before each step.
    substituted = np.zeros(len(steps) + 1, np.int64)
    substituted[1:] = np.cumsum(steps[:, 0] == SUBSTITUTED)
    while step < len(steps):
        if steps[step, 0] == KEPT:
            step += 1
        elif steps[step, 0] == REORDERED:
            spans[many] = steps[step, 1:]
            many, step = many + 1, step + 1
        else:
            after = step + 1
            while after < len(steps) and steps[after, 0] != KEPT and steps[after, 0] != REORDERED:
                after += 1
            many = _cut(steps, step, after, substituted, source, other, spreads, unlike, spans, many)
            step = after
    return spans[:many]


@kernel
def _cut(steps, first, last, substituted, source, other, spreads, unlike, spans, many):
    """Append the edits of one run; returns the new number of edits."""
    # A stack of the parts still to do, the leftmost on top, with the longest length to try: no rule applies to longer
    # parts, unless they now begin the rest. Length 0 stands for an edit.
    waiting = [(first, last, last - first)]
    while waiting:
        low, high, longest = waiting.pop()
        if low == high:
            continue
        if longest == 0 or high - low == 1:
            many = _add(steps, low, high, spans, many)
            continue
        has_one = substituted[high] > substituted[low]
        begin, end = -1, -1
        if has_one:
            begin, end, longest = _first_rule(steps, low, high, longest, substituted, source, other, spreads, unlike)
        if begin >= 0:
            waiting.append((end, high, longest))
            waiting.append((begin, end, 0))
            waiting.append((low, begin, longest))
        elif _is_one(steps, low, high, has_one, spreads):
            many = _add(steps, low, high, spans, many)
        else:
            for step in range(low, high):
                many = _add(steps, step, step + 1, spans, many)
    return many


@kernel
def _add(steps, low, high, spans, many):
    spans[many, 0], spans[many, 1] = steps[low, 1], steps[high - 1, 2]
    spans[many, 2], spans[many, 3] = steps[low, 3], steps[high - 1, 4]
    return many + 1


@kernel
def _is_one(steps, low, high, has_substitution, spreads):
    """Whether a run that no rule cuts is one edit."""
    if has_substitution:
        left, right = spreads[0].open, spreads[1].open
        return left[steps[high - 1, 2]] > left[steps[low, 1]] or right[steps[high - 1, 4]] > right[steps[low, 3]]
    kinds = steps[low:high, 0]
    return (kinds == DELETED).all() or (kinds == INSERTED).all()


@kernel
def _first_rule(steps, low, high, longest, substituted, source, other, spreads, unlike):
    """Return the edit made by the first rule that applies, and its length; else -1, -1, -1.

    A rule that only cuts makes an edit without steps.
    """
    for length in range(high - low, 1, -1):
        for first in range(low, (high - length if length <= longest else low) + 1):
            if substituted[first + length] == substituted[first]:
                continue
            begin, end = _rule(steps, low, high, first, first + length - 1, source, other, spreads, unlike)
            if begin >= 0:
                return begin, end, length
    return -1, -1, -1


@kernel
def _rule(steps, low, high, first, last, source, other, spreads, unlike):
    """Return the edit that a rule makes of the steps first to last within a run, or -1, -1."""
    start, end, begin, stop = steps[first, 1], steps[last, 2], steps[first, 3], steps[last, 4]
    left, right = end - start, stop - begin
    if first == low and (source.is_possessive[start] or other.is_possessive[begin]):
        return low, low + 1
    if source.is_possessive[end - 1] or other.is_possessive[stop - 1]:
        return last - 1, last + 1
    if source.lower[end - 1] == other.lower[stop - 1]:
        if first == low and ((left == 1 and other.is_upper[begin]) or (right == 1 and source.is_upper[start])):
            return first, last + 1
        if (left > 1 and source.is_punctuation[end - 2]) or (right > 1 and other.is_punctuation[stop - 2]):
            return last - 1, last + 1
    if _spelled_alike(source, start, end, other, begin, stop):
        return first, last + 1
    if left != right and _are_of_one_part(source.part, start, end, other.part, begin, stop, spreads):
        return first, last + 1
    if last - first == 1:
        if left == right == 2 or _is_alike(steps, first, unlike) or _is_alike(steps, last, unlike):
            return first + 1, first + 1
        if last == high - 1 and _is_determiner(steps[last], source.part, other.part):
            return last, last + 1
    return -1, -1


@kernel
def _spelled_alike(source, start, end, other, begin, stop):
    left, last, right = source.starts[start], source.starts[end], other.starts[begin]
    if last - left != other.starts[stop] - right:
        return False
    while left < last:
        if source.letters[left] != other.letters[right]:
            return False
        left, right = left + 1, right + 1
    return True


@kernel
def _are_of_one_part(source, start, end, other, begin, stop, spreads):
    """Whether all words have one part of speech, or all are auxiliaries, particles and verbs."""
    ours, theirs = spreads
    if source[start] == other[begin] and ours.same_until[start] >= end and theirs.same_until[begin] >= stop:
        return True
    return (
        ours.other_than_verbs[start] == ours.other_than_verbs[end]
        and theirs.other_than_verbs[begin] == theirs.other_than_verbs[stop]
    )


@kernel
def _is_alike(steps, step, unlike):
    return steps[step, 0] == SUBSTITUTED and 1 - unlike[steps[step, 1], steps[step, 3]] > ALIKE


@kernel
def _is_determiner(step, source, other):
    return (step[0] != INSERTED and source[step[2] - 1] == DET) or (step[0] != DELETED and other[step[4] - 1] == DET)


@kernel
def _spread(parts):
    many = len(parts)
    same_until, others, opened = np.empty(many, np.int64), np.zeros(many + 1, np.int64), np.zeros(many + 1, np.int64)
    for word in range(many - 1, -1, -1):
        goes_on = word + 1 < many and parts[word + 1] == parts[word]
        same_until[word] = same_until[word + 1] if goes_on else word + 1
    for word in range(many):
        part = parts[word]
        others[word + 1] = others[word] + (part not in (AUX, PART, VERB))
        opened[word + 1] = opened[word] + (part in (ADJ, ADV, AUX, NOUN, VERB))
    return Spread(same_until, others, opened)
