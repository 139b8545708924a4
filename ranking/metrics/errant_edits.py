"""The edits that turn a source into another sentence, as ERRANT finds them, each with its kind.

Words are aligned by Damerau-Levenshtein distance with similarity. Keeping a word costs 0, deleting or inserting one
costs 1. A substitution costs 0 where only case differs, else

    0.499 if the lemmas differ  +  0, 0.25 or 0.5 for parts of speech that are the same, both open, or neither
    +  the share of letters that are not common to both

and k + 1 words in another order, ignoring case, cost k. Words that are the same are always kept. Of operations with
equal costs, reordering is preferred, then substitution, insertion and deletion.

Then the steps are merged. A run is a sequence of steps between kept or reordered words. A reordering is an edit by
itself. In a run with a substitution, these rules are tried on every part of at least two steps with a substitution, the
longest first, from the left; the first rule that applies cuts the run, and the rest on either side is treated in the
same way:

* a possessive ending is an edit by itself if it comes first, and belongs to the step before it if it comes last;
* if the last words differ only in case: an initial part that turns one word into several, the first of which is in
  upper case, is an edit, and so are the word and a punctuation mark before it;
* a difference only in spaces, hyphens and apostrophes is an edit;
* so is a change in the number of words of one part of speech, or of auxiliaries, particles and verbs;
* of two steps: two substitutions are two edits, a substitution of similar words is cut off, and so is a determiner at
  the end.

A run that no rule cuts is one edit if it has a word of an open class, else each step is one. A run of deletions, or of
insertions, is one edit.

Toys: `a big dog` and `a dog big` have two words in another order, which costs 1; two substitutions would cost more.
`now a days` and `nowadays` have two deletions and a substitution, and differ only in spaces: one edit.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from threading import Lock

import numpy as np
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from ranking.metrics.base import Progress, no_progress
from ranking.metrics.errant_parser import (
    ADJ,
    ADV,
    AUX,
    DET,
    ENGLISH,
    NOUN,
    PARSED_AT_ONCE,
    PART,
    VERB,
    Classify,
    ParsedSentence,
    SpacyParser,
    classify_by_universal_parts,
    english_classifier,
)  # fmt: skip
from ranking.metrics.material import Candidates, Edit, Edits, Material
from ranking.numbers.kernels import kernel

# A source and its correction.
TextPair = tuple[str, str]
# Reports request the same pairs repeatedly; this takes some 50 MB.
MOST_CACHED = 50_000
# The operation of a step, which the ranges of its words in the source and in the other sentence follow.
KEPT, SUBSTITUTED, DELETED, INSERTED, REORDERED = range(5)


class Extractor:
    """Extracts the edits of pairs and caches the last ones, because parsing takes nearly all the time."""

    def __init__(self, parser: SpacyParser, classify: Classify) -> None:
        self.parser, self.classify = parser, classify
        self.cached: dict[TextPair, Edits] = {}
        self.lock = Lock()

    def edits(self, pairs: Iterable[TextPair], progress: Progress = no_progress) -> dict[TextPair, Edits]:
        """Extract the edits of every pair; pass pairs with the same source one after the other."""
        distinct = list(dict.fromkeys(pairs))
        with self.lock:
            found = {pair: self.cached[pair] for pair in distinct if pair in self.cached}
            found |= {(source, text): () for source, text in distinct if source == text}
            for batch in _batches([pair for pair in distinct if pair not in found]):
                texts = list(dict.fromkeys(text for pair in batch for text in pair))
                parsed = dict(zip(texts, self.parser.parse(texts), strict=True))
                made: dict[TextPair, Edits] = {}
                for pair in batch:
                    source, other = parsed[pair[0]], parsed[pair[1]]
                    edits = []
                    for start, end, begin, stop in spans(source, other).tolist():
                        kind = self.classify(source, other, (start, end, begin, stop))
                        edits.append(Edit(start, end, (" ".join(other.words[begin:stop]),), kind))
                    made[pair] = tuple(edits)
                found |= made
                self.cached |= made
                for pair in list(self.cached)[: max(len(self.cached) - MOST_CACHED, 0)]:
                    del self.cached[pair]
                progress(len(found), len(distinct))
        return found


def _batches(pairs: Sequence[TextPair]) -> Iterator[list[TextPair]]:
    """Split pairs into batches, with neighbours of one source in the same batch, so that it is parsed once."""
    batch: list[TextPair] = []
    for pair in pairs:
        if len(batch) >= PARSED_AT_ONCE and pair[0] != batch[-1][0]:
            yield batch
            batch = []
        batch.append(pair)
    if batch:
        yield batch


@cache
def extractor(language: str = ENGLISH) -> Extractor:
    """Load one per process and language, since models are large."""
    parser = SpacyParser(language)
    return Extractor(parser, english_classifier() if language == ENGLISH else classify_by_universal_parts)


def edits_of_texts(
    material: Material, candidates: Candidates, progress: Progress, language: str = ENGLISH
) -> tuple[list[Edits], list[list[Edits | None]]]:
    """Extract the edits of each candidate, and those of each reference for each sentence, None if it lacks it."""
    source, texts = material.source, material.texts
    mine = [(source[place], text) for place, text in zip(candidates.sentence.tolist(), candidates.texts, strict=True)]
    firsts = np.searchsorted(candidates.sentence, np.arange(len(source) + 1))
    pairs: list[TextPair] = []
    for place, line in enumerate(source):
        pairs += [(line, right) for row in texts if (right := row[place]) is not None]
        pairs += mine[firsts[place] : firsts[place + 1]]
    edits = extractor(language).edits(pairs, progress)
    of_references = [
        [None if text is None else edits[line, text] for line, text in zip(source, row, strict=True)] for row in texts
    ]
    return [edits[pair] for pair in mine], of_references


def spans(source: ParsedSentence, other: ParsedSentence) -> np.ndarray:
    """Return start and end of each edit in the source and in the other sentence, ignoring their common end."""
    common = _common_end(source.seen.spelling, other.seen.spelling)
    ours, theirs = source.words[: len(source.words) - common], other.words[: len(other.words) - common]
    unlike = cdist(ours, theirs, scorer=Indel.normalized_distance, dtype=np.float64).reshape(len(ours), len(theirs))
    return _edit_spans(source.seen, other.seen, unlike)


@kernel
def _common_end(source, other):
    common = 0
    while common < len(source) and common < len(other) and source[-1 - common] == other[-1 - common]:
        common += 1
    return common


@kernel
def _steps(source, other, unlike):
    """Return the steps of the cheapest alignment, from left to right; unlike[i, j] is the share of unshared letters.

    Its shape is the number of words to align, counted from the first ones.
    """
    many, length = unlike.shape
    cost = np.empty((many + 1, length + 1), np.float64)
    # The number of words of a reordering, else 0.
    done, reordered = np.empty((many + 1, length + 1), np.int8), np.zeros((many + 1, length + 1), np.int32)
    cost[0, :], done[0, :] = np.arange(length + 1), INSERTED
    cost[:, 0], done[:, 0] = np.arange(many + 1), DELETED
    for i in range(many):
        for j in range(length):
            if source.spelling[i] == other.spelling[j]:
                cost[i + 1, j + 1], done[i + 1, j + 1] = cost[i, j], KEPT
                continue
            least, best, swapped = np.inf, REORDERED, _reordered(cost, source.lower, other.lower, i, j)
            if swapped:
                least = cost[i - swapped, j - swapped] + swapped
            price = 0.0
            if source.lower[i] != other.lower[j]:
                one, another = source.part[i], other.part[j]
                are_open = one in (ADJ, ADV, NOUN, VERB) and another in (ADJ, ADV, NOUN, VERB)
                of_parts = 0.0 if one == another else 0.25 if are_open else 0.5
                price = (0.0 if source.lemma[i] == other.lemma[j] else 0.499) + of_parts + unlike[i, j]
            if cost[i, j] + price < least:
                least, best = cost[i, j] + price, SUBSTITUTED
            if cost[i + 1, j] + 1 < least:
                least, best = cost[i + 1, j] + 1, INSERTED
            if cost[i, j + 1] + 1 < least:
                least, best = cost[i, j + 1] + 1, DELETED
            cost[i + 1, j + 1], done[i + 1, j + 1], reordered[i + 1, j + 1] = least, best, swapped + 1
    i, j = many, length
    place = i + j
    found = np.empty((place, 5), np.int64)
    while i + j > 0:
        kind = done[i, j]
        wide = reordered[i, j] if kind == REORDERED else 1
        down, right = 0 if kind == INSERTED else wide, 0 if kind == DELETED else wide
        place -= 1
        found[place, 0] = kind
        found[place, 1], found[place, 2], found[place, 3], found[place, 4] = i - down, i, j - right, j
        i, j = i - down, j - right
    return found[place:]


@kernel
def _reordered(cost, source, other, i, j):
    """Return the length of the shortest reordering that ends with these words, or 0.

    It does not reach beyond a word that is kept.
    """
    before = 1
    # Different sums mean different words; if sums are equal, the words are compared.
    left, right = source[i], other[j]
    while before <= i and before <= j and cost[i - before + 1, j - before + 1] != cost[i - before, j - before]:
        left += source[i - before]
        right += other[j - before]
        if left == right:
            ours, theirs = np.sort(source[i - before : i + 1]), np.sort(other[j - before : j + 1])
            if (ours == theirs).all():
                return before
        before += 1
    return 0


@kernel
def _edit_spans(source, other, unlike):
    """Return start and end of every edit in the source and in the other sentence, from left to right."""
    steps = _steps(source, other, unlike)
    spans = np.empty((len(steps), 4), np.int64)
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
        # The edit that the first rule makes that applies, to parts as long as possible.
        begin, end, most = -1, -1, longest
        for length in range(high - low if has_one else 0, 1, -1):
            for at in range(low, (high - length if length <= most else low) + 1):
                if begin < 0 and substituted[at + length] > substituted[at]:
                    begin, end = _rule(steps, low, high, at, at + length - 1, source, other, spreads, unlike)
                    longest = length
            if begin >= 0:
                break
        if begin >= 0:
            waiting.append((end, high, longest))
            waiting.append((begin, end, 0))
            waiting.append((low, begin, longest))
            continue
        kinds, (_, _, ours), (_, _, theirs) = steps[low:high, 0], spreads[0], spreads[1]
        if has_one:
            is_one = (
                ours[steps[high - 1, 2]] > ours[steps[low, 1]] or theirs[steps[high - 1, 4]] > theirs[steps[low, 3]]
            )
        else:
            is_one = (kinds == DELETED).all() or (kinds == INSERTED).all()
        for step in range(low, low + 1 if is_one else high):
            many = _add(steps, step, high if is_one else step + 1, spans, many)
    return many


@kernel
def _add(steps, low, high, spans, many):
    spans[many, 0], spans[many, 1] = steps[low, 1], steps[high - 1, 2]
    spans[many, 2], spans[many, 3] = steps[low, 3], steps[high - 1, 4]
    return many + 1


@kernel
def _rule(steps, low, high, first, last, source, other, spreads, unlike):
    """Return the edit that a rule makes of the steps first to last within a run, or -1, -1.

    A rule that only cuts makes an edit without steps.
    """
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
    mine, theirs = source.starts[start], other.starts[begin]
    is_same = source.starts[end] - mine == other.starts[stop] - theirs
    letter = 0
    while is_same and mine + letter < source.starts[end]:
        is_same = source.letters[mine + letter] == other.letters[theirs + letter]
        letter += 1
    if is_same:
        return first, last + 1
    if left != right:
        (same_until, others, _), (same_there, others_there, _) = spreads
        are_of_one = source.part[start] == other.part[begin] and same_until[start] >= end and same_there[begin] >= stop
        if are_of_one or (others[start] == others[end] and others_there[begin] == others_there[stop]):
            return first, last + 1
    if last - first == 1:
        is_cut = left == right == 2
        for step in (first, last):
            is_cut |= steps[step, 0] == SUBSTITUTED and 1 - unlike[steps[step, 1], steps[step, 3]] > 0.75
        if is_cut:
            return first + 1, first + 1
        one = steps[last]
        is_determiner = (one[0] != INSERTED and source.part[one[2] - 1] == DET) or (
            one[0] != DELETED and other.part[one[4] - 1] == DET
        )
        if last == high - 1 and is_determiner:
            return last, last + 1
    return -1, -1


@kernel
def _spread(parts):
    """Return, for each word, the end of its run of one part of speech, and how many words before it are neither an
    auxiliary, a particle nor a verb, and how many are of an open class.
    """
    many = len(parts)
    same_until, others, opened = np.empty(many, np.int64), np.zeros(many + 1, np.int64), np.zeros(many + 1, np.int64)
    for word in range(many - 1, -1, -1):
        goes_on = word + 1 < many and parts[word + 1] == parts[word]
        same_until[word] = same_until[word + 1] if goes_on else word + 1
    for word in range(many):
        part = parts[word]
        others[word + 1] = others[word] + (part not in (AUX, PART, VERB))
        opened[word + 1] = opened[word] + (part in (ADJ, ADV, AUX, NOUN, VERB))
    return same_until, others, opened
