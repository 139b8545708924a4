"""What outputs are scored against: the source, and its corrections by people, as texts and as edits.

Toy: the source `a cat sat` with the edit (1, 2, dog) of reference 0 has the reference text `a dog sat`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

from judgments.rules.m2 import AnnotatedSentence, annotators
from ranking.metrics.differences import difference

FROM_M2, FROM_TEXTS = "m2", "texts"


class MetricError(ValueError):
    """A metric cannot score this; the text says why and what to do."""


class Edit(NamedTuple):
    """Tokens start to end of the source become one of the corrections, each of them words joined by single spaces."""

    start: int
    end: int
    corrections: tuple[str, ...]
    kind: str = ""


Edits = tuple[Edit, ...]


@dataclass(frozen=True)
class Material:
    """Source sentences, and for each reference a text and edits of every sentence; None where a reference has none."""

    source: tuple[str, ...]
    texts: tuple[tuple[str | None, ...], ...]
    edits: tuple[tuple[Edits | None, ...], ...]
    edits_from: str

    @classmethod
    def of_texts(cls, source: Sequence[str], references: Sequence[Sequence[str | None]]) -> Self:
        """References as plain texts; their edits are the smallest difference to the source, word by word."""
        for number, reference in enumerate(references, 1):
            if len(reference) != len(source):
                raise MetricError(
                    f"Reference {number} has {len(reference)} lines where the source has {len(source)};"
                    " every file needs one line a sentence."
                )
        edits = tuple(
            tuple(
                None if text is None else tuple(Edit(*span) for span in difference(sentence.split(), text.split()))
                for sentence, text in zip(source, reference, strict=True)
            )
            for reference in references
        )
        return cls(tuple(source), tuple(map(tuple, references)), edits, FROM_TEXTS)

    @classmethod
    def of_m2(cls, sentences: Sequence[AnnotatedSentence]) -> Self:
        """References as an M2 file has them; on a sentence where nobody left a line, the first found nothing wrong."""
        source = tuple(sentence.text for sentence in sentences)
        rows = [_edits_of(sentence) for sentence in sentences]
        everyone = annotators(list(sentences)) or [0]
        for row in rows:
            if not row:
                row[everyone[0]] = ()
        edits = tuple(tuple(row.get(number) for row in rows) for number in everyone)
        texts = tuple(
            tuple(None if made is None else rebuilt(text, made) for text, made in zip(source, reference, strict=True))
            for reference in edits
        )
        return cls(source, texts, edits, FROM_M2)

    @property
    def sentences(self) -> int:
        """How many there are."""
        return len(self.source)

    @property
    def references(self) -> int:
        """How many there are."""
        return len(self.texts)

    def only(self, references: Iterable[int]) -> Self:
        """The same with some of the references."""
        chosen = list(references)
        texts = tuple(self.texts[number] for number in chosen)
        edits = tuple(self.edits[number] for number in chosen)
        return replace(self, texts=texts, edits=edits)


def rebuilt(text: str, edits: Iterable[Edit]) -> str:
    """A sentence with edits made, the first correction of each; what overlaps with an edit before it is kept too."""
    words, built, done = text.split(), [], 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        built += words[done : edit.start] + edit.corrections[0].split()
        done = max(done, edit.end)
    return " ".join(built + words[done:])


def _edits_of(sentence: AnnotatedSentence) -> dict[int, Edits]:
    return {
        number: tuple(
            Edit(edit.start, edit.end, edit.corrections, edit.kind)
            for edit in sorted(edits, key=lambda edit: (edit.start, edit.end))
        )
        for number, edits in sentence.edits.items()
    }
