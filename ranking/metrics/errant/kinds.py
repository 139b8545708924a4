"""The kinds of edits: as the package errant names them in English, by parts of speech in other languages.

Outside English, an edit that changes only case or spaces is ORTH, one that only orders words anew WO, one word that
becomes another form of the same lemma MORPH; any other is of the part of speech that all its words share, or OTHER.

Toy: `das Haus sind` and `das Haus ist` have R:MORPH if both verbs have the lemma `sein`, and R:VERB otherwise.
"""

from importlib import import_module
from typing import Protocol

from ranking.metrics.errant.parsing import LACKING, Sentence
from ranking.metrics.material import MetricError

# The universal parts of speech, as ERRANT calls them.
PARTS = {
    "ADJ": "ADJ", "ADP": "PREP", "ADV": "ADV", "AUX": "VERB", "CCONJ": "CONJ", "CONJ": "CONJ", "DET": "DET",
    "NOUN": "NOUN", "PART": "PART", "PRON": "PRON", "PROPN": "NOUN", "PUNCT": "PUNCT", "SCONJ": "CONJ", "VERB": "VERB",
}  # fmt: skip
# Start and end in the source, then in the other sentence.
Span = tuple[int, int, int, int]


class Classifier(Protocol):
    def kind(self, source: Sentence, other: Sentence, span: Span) -> str: ...


class EnglishKinds:
    """Kinds as the package errant names them."""

    def __init__(self) -> None:
        try:
            self.edit = import_module("errant.edit").Edit
            self.classify = import_module("errant.en.classifier").classify
        except ImportError as reason:
            raise MetricError(LACKING) from reason

    def kind(self, source: Sentence, other: Sentence, span: Span) -> str:
        return self.classify(self.edit(source.parsed, other.parsed, span)).type


class UniversalKinds:
    """Kinds by universal parts of speech, in any language."""

    def kind(self, source: Sentence, other: Sentence, span: Span) -> str:
        start, end, begin, stop = span
        ours, theirs = source.words[start:end], other.words[begin:stop]
        tokens = [*source.parsed[start:end], *other.parsed[begin:stop]]
        parts = {PARTS.get(token.pos_, "OTHER") for token in tokens}
        part = parts.pop() if len(parts) == 1 else "OTHER"
        if not ours or not theirs:
            return f"{'U' if ours else 'M'}:{part}"
        if "".join(ours).casefold() == "".join(theirs).casefold():
            return "R:ORTH"
        if sorted(map(str.casefold, ours)) == sorted(map(str.casefold, theirs)):
            return "R:WO"
        if len(tokens) == 2 and tokens[0].lemma_ == tokens[1].lemma_ != "":
            return "R:MORPH"
        return f"R:{part}"
