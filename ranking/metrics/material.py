"""The material of scoring: source sentences, their corrections by people as texts and as edits,
what is scored, and all of these as rows of numbers for kernels: one number for each distinct word or character.

Toy: the source `a cat sat` with the edit (1, 2, dog) of reference 0 has the reference text `a dog sat`.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import accumulate, chain, groupby
from typing import NamedTuple, Self

import numpy as np

FROM_M2, FROM_TEXTS = "m2", "texts"


class MetricError(ValueError):
    """A metric cannot score this; the message says why and what to do."""


class Edit(NamedTuple):
    """Replace tokens start to end of the source by one of the corrections: words joined by single spaces."""

    start: int
    end: int
    corrections: tuple[str, ...]
    kind: str = ""


Edits = tuple[Edit, ...]


def in_characters(text: str) -> str:
    """Make each character a word: `我爱 you` becomes `我 爱 y o u`."""
    return " ".join("".join(text.split()))


def count_lines(lines: Sequence[object]) -> str:
    return f"{len(lines)} line{'s' * (len(lines) != 1)}"


@dataclass(frozen=True)
class Material:
    """Source sentences, and the text and edits of every sentence by each reference; None if the reference lacks it.

    Edits of the kinds in `left_out` only mark an error: they change no text. Without `given`, edits are the smallest
    difference between the texts and the source, word by word, which most metrics do not need.
    """

    source: tuple[str, ...]
    texts: tuple[tuple[str | None, ...], ...]
    given: tuple[tuple[Edits | None, ...], ...] | None
    edits_from: str
    left_out: frozenset[str] = frozenset()
    texts_from: str = FROM_TEXTS

    @classmethod
    def of_texts(cls, source: Sequence[str], references: Sequence[Sequence[str | None]]) -> Self:
        """Read references from plain texts."""
        for number, reference in enumerate(references, 1):
            if len(reference) != len(source):
                raise MetricError(
                    f"Reference {number} has {count_lines(reference)} where the source has {len(source)};"
                    " every file needs one line per sentence."
                )
        return cls(tuple(source), tuple(map(tuple, references)), None, FROM_TEXTS)

    @classmethod
    def of_edits(
        cls,
        source: Sequence[str],
        references: Sequence[Sequence[Edits | None]],
        left_out: frozenset[str] = frozenset(),
    ) -> Self:
        """Read references from edits; if no reference covers a sentence, the first one leaves it unchanged."""
        rows = list(zip(*references, strict=True))
        first = tuple(() if all(edits is None for edits in row) else row[0] for row in rows)
        return cls(tuple(source), (), (first, *map(tuple, references[1:])), FROM_M2, left_out).as_edits()

    @cached_property
    def edits(self) -> tuple[tuple[Edits | None, ...], ...]:
        if self.given is not None:
            return self.given
        return tuple(
            tuple(
                None if text is None else tuple(Edit(*span) for span in difference(sentence.split(), text.split()))
                for sentence, text in zip(self.source, reference, strict=True)
            )
            for reference in self.texts
        )

    def with_edits_of(self, other: "Material") -> Self:
        other.check_source(self.source)
        return replace(self, given=other.edits, edits_from=other.edits_from, left_out=other.left_out)

    def check_source(self, source: Sequence[str], name: str = "the M2 file") -> None:
        if len(source) != self.sentences:
            blank = sum(not text.strip() for text in source)
            lines = "line of the source is" if blank == 1 else "lines of the source are"
            cause = (
                f" {blank} {lines} blank. In a campaign blank lines separate documents, but here every line is a"
                " sentence, so remove them from all files."
            )
            raise MetricError(
                f"The source has {len(source)} sentences, and {name} has {self.sentences}; they must be the same."
                + (cause if len(source) - blank == self.sentences else "")
            )
        for number, (text, own) in enumerate(zip(source, self.source, strict=True), 1):
            if text.split() != own.split():
                raise MetricError(
                    f"Sentence {number} of {name} is not that of the source: {own[:60]!r} against {text[:60]!r}."
                )

    @property
    def sentences(self) -> int:
        return len(self.source)

    @property
    def references(self) -> int:
        return len(self.texts)

    def as_edits(self) -> Self:
        """Replace the references by those with edits, and their texts by the results of these edits."""
        texts = tuple(
            tuple(
                None if edits is None else apply_edits(text, self.changing_edits(edits))
                for text, edits in zip(self.source, row, strict=True)
            )
            for row in self.edits
        )
        return replace(self, texts=texts, given=self.edits, texts_from=self.edits_from)

    def in_characters(self) -> Self:
        """Make each character a word; edits that came as such keep what they replace."""
        source = tuple(map(in_characters, self.source))
        texts = tuple(tuple(None if text is None else in_characters(text) for text in row) for row in self.texts)
        if self.edits_from == FROM_TEXTS:
            return self.of_texts(source, texts)
        bounds = [list(accumulate(map(len, text.split()), initial=0)) for text in self.source]
        edits = tuple(
            tuple(
                None if known is None else tuple(
                    Edit(at[edit.start], at[edit.end], tuple(map(in_characters, edit.corrections)), edit.kind)
                    for edit in known
                )
                for at, known in zip(bounds, row, strict=True)
            )
            for row in self.edits
        )  # fmt: skip
        return replace(self, source=source, texts=texts, given=edits)

    def changing_edits(self, edits: Edits) -> Edits:
        """Return the edits that change the text."""
        return tuple(edit for edit in edits if edit.kind not in self.left_out)

    @property
    def convention(self) -> str:
        """How the texts were made of edits, as a part of signatures."""
        return "" if self.texts_from == FROM_TEXTS else f"|unclear:{'left-out' if self.left_out else 'applied'}"

    @cached_property
    def digest(self) -> str:
        """Eight digits that differ for other sources or references."""
        content = json.dumps((self.source, self.texts, self.given), ensure_ascii=False)
        return sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:8]

    def only(self, references: Iterable[int]) -> Self:
        """Select some of the references; edits stay as they are if there are more or fewer of them than texts."""
        chosen = list(references)
        some = replace(self, texts=tuple(self.texts[number] for number in chosen))
        if self.given is None or len(self.given) != len(self.texts):
            return some
        return replace(some, given=tuple(self.given[number] for number in chosen))

    def at(self, sentences: Sequence[int]) -> Self:
        """Select some of the sentences."""
        return replace(
            self,
            source=tuple(self.source[number] for number in sentences),
            texts=tuple(tuple(row[number] for number in sentences) for row in self.texts),
            given=self.given and tuple(tuple(row[number] for number in sentences) for row in self.given),
        )


@dataclass(frozen=True)
class Candidates:
    """The outputs of several systems: distinct texts in the order of their sentences, and which of them each system has
    for each sentence.

    The last rows of `chosen`, as many as there are `people`, are of references that are scored like systems.

    Toy: the outputs of systems A, B and C are `x`, `y` and `x`: two candidates, the first of A and C, the second of B.
    """

    texts: tuple[str, ...]
    sentence: np.ndarray
    chosen: np.ndarray
    people: int = 0

    @classmethod
    def of(cls, systems: Sequence[Sequence[str]], people: Sequence[Sequence[str]] = ()) -> Self:
        """Collect outputs with one line per sentence; texts that differ only in white space are the same."""
        outputs = [*systems, *people]
        for number, lines in enumerate(outputs, 1):
            if len(lines) != len(outputs[0]):
                raise MetricError(
                    f"Output {number} has {count_lines(lines)} where the first has {len(outputs[0])};"
                    " every file needs one line per sentence."
                )
        sentences = len(outputs[0]) if outputs else 0
        chosen = np.empty((len(outputs), sentences), dtype=np.int32)
        texts: list[str] = []
        sentence: list[int] = []
        for place in range(sentences):
            lines = [output[place] for output in outputs]
            written = {line: " ".join(line.split()) for line in dict.fromkeys(lines)}
            known = {text: number for number, text in enumerate(dict.fromkeys(written.values()), len(texts))}
            texts += known
            sentence += [place] * len(known)
            chosen[:, place] = [known[written[line]] for line in lines]
        return cls(tuple(texts), np.array(sentence, dtype=np.int32), chosen, len(people))

    def in_characters(self) -> Self:
        return replace(self, texts=tuple(map(in_characters, self.texts)))

    @property
    def of_systems(self) -> np.ndarray:
        return self.chosen[: len(self.chosen) - self.people]

    @cached_property
    def signature(self) -> str:
        """The number of systems, and eight digits that differ for other outputs; their order does not matter."""
        outputs = sorted([self.texts[number] for number in row] for row in self.of_systems)
        content = json.dumps(outputs, ensure_ascii=False).encode("utf-8", "surrogatepass")
        return f"systems:{len(outputs)}:{sha256(content).hexdigest()[:8]}"

    def __len__(self) -> int:
        return len(self.texts)


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Apply the first correction of each edit to a sentence; overlapping edits are all applied."""
    words, built, done = text.split(), [], 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        built += words[done : edit.start] + edit.corrections[0].split()
        done = max(done, edit.end)
    return " ".join(built + words[done:])


def difference(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield start, end and replacement of each difference, from left to right.

    Toy: `a cat sat` and `a big dog sat` differ by (1, 2, big dog).
    """
    from rapidfuzz.distance import Levenshtein

    for is_equal, run in groupby(Levenshtein.opcodes(before, after), key=lambda change: change.tag == "equal"):
        if not is_equal:
            changes = list(run)
            first, last = changes[0], changes[-1]
            yield first.src_start, last.src_end, (" ".join(after[first.dest_start : last.dest_end]),)


@dataclass(frozen=True)
class Tokens:
    """Text t is numbers[starts[t]:starts[t + 1]]."""

    numbers: np.ndarray
    starts: np.ndarray

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> np.ndarray:
        return np.diff(self.starts)

    @cached_property
    def owners(self) -> np.ndarray:
        """The text of each number."""
        return np.repeat(np.arange(len(self)), self.lengths)

    def part(self, first: int, last: int) -> "Tokens":
        starts = self.starts[first : last + 1]
        return Tokens(self.numbers[starts[0] : starts[-1]], starts - starts[0])


class Vocabulary:
    """Numbers of words, in the order of their first occurrence."""

    def __init__(self) -> None:
        self.numbers: defaultdict[str, int] = defaultdict()
        self.numbers.default_factory = self.numbers.__len__

    def words(self, texts: Iterable[str]) -> Tokens:
        """Encode words separated by white space; case counts."""
        split = [text.split() for text in texts]
        starts = starts_of(split)
        words = map(self.numbers.__getitem__, chain.from_iterable(split))
        return Tokens(np.fromiter(words, dtype=np.int32, count=starts[-1]), starts)


def characters(texts: Iterable[str]) -> Tokens:
    """Encode characters as their code points."""
    kept = list(texts)
    numbers = np.frombuffer("".join(kept).encode("utf-32-le", "surrogatepass"), dtype=np.int32)
    return Tokens(numbers, starts_of(kept))


def starts_of(parts: Iterable[Sized]) -> np.ndarray:
    """Return where each part begins when they are joined, and where the last one ends."""
    return np.fromiter(accumulate(map(len, parts), initial=0), dtype=np.int64)
