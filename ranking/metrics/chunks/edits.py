"""The edits of candidates and references as arrays for kernels, by differences of words or by ERRANT.

Toy: the source `a b c` and the edits (0, 0, x) and (1, 3, y z) give two edits, of which the first inserts one word and
the second replaces two words by two.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from ranking.metrics.base import Progress
from ranking.metrics.candidates import Candidates
from ranking.metrics.material import Edit, Edits, Material, MetricError, difference
from ranking.metrics.tokens import Vocabulary, starts_of
from ranking.numbers.kernels import kernel

WORDS, ERRANT = "words", "errant"
KINDS = (WORDS, ERRANT)


class Edited(NamedTuple):
    """Text t has the edits firsts[t] to firsts[t + 1], from left to right; none overlap.

    Edit e replaces the words starts[e] to ends[e] of the source by words[spelled[e]:spelled[e + 1]].
    """

    firsts: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    spelled: np.ndarray
    words: np.ndarray


class Found(NamedTuple):
    """The edits of candidates and of references; cell s * references + r is reference r of sentence s.

    Source s is words[starts[s]:starts[s + 1]]. A reference is absent where it has no text for a sentence.
    """

    words: np.ndarray
    starts: np.ndarray
    candidates: Edited
    references: Edited
    absent: np.ndarray


def check_kind(metric: str, kind: str) -> None:
    if kind not in KINDS:
        raise MetricError(f"{metric}: edits is {' or '.join(KINDS)}, not {kind!r}.")


def references_of(material: Material, kind: str) -> int:
    return len(material.edits if kind == WORDS else material.texts)


def signed(material: Material, kind: str) -> str:
    """Name the references and where edits come from, as a part of signatures."""
    if kind == WORDS:
        origin = material.edits_from
    else:
        from ranking.metrics.errant.parsing import versions

        origin = f"{kind}|{versions()}"
    return f"references:{references_of(material, kind)}|edits:{origin}"


def find(metric: str, material: Material, candidates: Candidates, kind: str, progress: Progress) -> Found:
    if not references_of(material, kind):
        raise MetricError(f"{metric} compares edits with those of references, and there is no reference. Add one.")
    of_candidates, of_references = (_by_words if kind == WORDS else _by_errant)(material, candidates, progress)
    vocabulary = Vocabulary()
    cells = list(chain.from_iterable(zip(*of_references, strict=True)))
    source = vocabulary.words(material.source)
    return Found(
        source.numbers,
        source.starts,
        _encoded(of_candidates, vocabulary),
        _encoded((edits or () for edits in cells), vocabulary),
        np.array([edits is None for edits in cells], dtype=np.bool_),
    )


# Start, end, corrections, as in Edit.
Plain = tuple[int, int, tuple[str, ...]] | Edit
Rows = Sequence[Sequence[Sequence[Plain] | None]]
Both = tuple[Sequence[Sequence[Plain]], Rows]


def _by_words(material: Material, candidates: Candidates, _: Progress) -> Both:
    source = [text.split() for text in material.source]
    pairs = zip(candidates.texts, candidates.sentence.tolist(), strict=True)
    made = [tuple(difference(source[place], text.split())) for text, place in pairs]
    right = [
        [edits and tuple(edit for edit in _apart(material.made(edits)) if _changes(edit, words))
         for words, edits in zip(source, row, strict=True)]
        for row in material.edits
    ]  # fmt: skip
    return made, right


def _changes(edit: Edit, source: Sequence[str]) -> bool:
    return source[edit.start : edit.end] != edit.corrections[0].split()


def _by_errant(material: Material, candidates: Candidates, progress: Progress) -> Both:
    from ranking.metrics.errant.edits import extractor, spaced
    from ranking.metrics.errant.metric import pairs_of

    source = [spaced(text) for text in material.source]
    texts = [[None if text is None else spaced(text) for text in row] for row in material.texts]
    edits = extractor().edits(pairs_of(source, texts, candidates), progress)
    made = [
        edits[source[place], text] for text, place in zip(candidates.texts, candidates.sentence.tolist(), strict=True)
    ]
    right = [[None if text is None else edits[line, text] for line, text in zip(source, row, strict=True)]
             for row in texts]  # fmt: skip
    return made, right


def _encoded(texts: Iterable[Sequence[Plain]], vocabulary: Vocabulary) -> Edited:
    rows = list(texts)
    edits = list(chain.from_iterable(rows))
    words = vocabulary.words(edit[2][0] for edit in edits)
    starts, ends = (np.fromiter((edit[side] for edit in edits), np.int64, len(edits)) for side in (0, 1))
    return Edited(starts_of(rows), starts, ends, words.starts, words.numbers)


def _apart(edits: Edits) -> Iterator[Edit]:
    """Order edits, and join those that overlap, as those of one annotator may."""
    last: Edit | None = None
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if last and edit.start < last.end:
            both = f"{last.corrections[0]} {edit.corrections[0]}"
            last = Edit(last.start, max(last.end, edit.end), (both,))
            continue
        if last:
            yield last
        last = edit
    if last:
        yield last


@kernel
def same_words(one, edit, other, edit_of_other):
    """Whether two edits put the same words in place."""
    begin, place = one.spelled[edit], other.spelled[edit_of_other]
    many = one.spelled[edit + 1] - begin
    if many != other.spelled[edit_of_other + 1] - place:
        return False
    return np.array_equal(one.words[begin : begin + many], other.words[place : place + many])
