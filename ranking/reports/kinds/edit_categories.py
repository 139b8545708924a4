"""What is known of edits beside people's verdicts: their categories, and whether references make them.

Without a parser, categories say what becomes of the words.

Toy: `Ive` for `I've` is punctuation, `infront` for `in front` is case or spaces, `goes` for `go` a replacement.
"""

from collections.abc import Iterable, Iterator, Sequence
from unicodedata import category

import numpy as np

from judgments.models import Campaign, System
from judgments.rules.texts.edits import Edit, apply_edits
from judgments.rules.texts.token_edits import by_tokens
from ranking.metrics.errant_edits import extractor
from ranking.metrics.errant_parser import is_installed
from ranking.metrics.material import Edits
from ranking.scores.texts import language_code, material_of

# The edits of references as the campaign has them: those of M2 files, or the differences of words.
GIVEN, BY_ERRANT = "references", "references, edits by ERRANT"
Span = tuple[int, int, str]
# The number of a sentence from 0, and an edit of its normalised text.
Placed = tuple[int, Edit]


def parsed_language(campaign: Campaign, with_errant: bool) -> str | None:
    """The language for ERRANT's parser; None if there is no parser for it, or categories are not ERRANT's."""
    language = language_code(campaign)
    return language if with_errant and is_installed(language) else None


def categories_of(texts: Sequence[str], edits: Sequence[Placed], language: str | None) -> list[str]:
    """The category of each edit made alone: by ERRANT, several joined by +; or by what becomes of the words."""
    if language is None:
        return [kind_of(texts[place][edit.start : edit.end], edit.replacement) for place, edit in edits]
    pairs = [(texts[place], apply_edits(texts[place], [edit])) for place, edit in edits]
    found = extractor(language).edits(pairs)
    return ["+".join(dict.fromkeys(one.kind for one in found[pair])) for pair in pairs]


def kind_of(old: str, new: str) -> str:
    before, after = ("".join(text.split()).casefold() for text in (old, new))
    if before == after:
        return "case or spaces"
    # Without punctuation and symbols.
    letters = ["".join(sign for sign in text if category(sign)[0] not in "PS") for text in (before, after)]
    if letters[0] == letters[1]:
        return "punctuation"
    return "replacement" if before and after else "insertion" if after else "deletion"


def in_references(
    campaign: Campaign, texts: Sequence[str], edits: Sequence[Placed], language: str | None
) -> tuple[tuple[str, ...], np.ndarray]:
    """Ways of looking up edits in references, and for each edit (row) whether a reference makes it; NaN if unknown."""
    if not System.objects.filter(campaign=campaign, kind=System.Kind.REFERENCE).exists():
        return (), np.empty((len(edits), 0))
    material = material_of(campaign)
    made: dict[str, list[set[Span] | None]] = {GIVEN: list(_given(zip(*material.edits, strict=True)))}
    if language is not None:
        pairs = [
            [(source, text) for text in row if text is not None]
            for source, row in zip(material.source, zip(*material.texts, strict=True), strict=True)
        ]
        found = extractor(language).edits(pair for row in pairs for pair in row)
        made[BY_ERRANT] = list(_given([found[pair] for pair in row] for row in pairs))
    columns = [[_is_in(texts[place], edit, sets[place]) for place, edit in edits] for sets in made.values()]
    return tuple(made), np.array(columns, dtype=float).reshape(len(made), len(edits)).T


def _given(sentences: Iterable[Iterable[Edits | None]]) -> Iterator[set[Span] | None]:
    """All edits of the references of each sentence; None for a sentence without any."""
    for row in sentences:
        known = [edits for edits in row if edits is not None]
        spans = {(edit.start, edit.end, text) for edits in known for edit in edits for text in edit.corrections}
        yield spans if known else None


def _is_in(text: str, edit: Edit, spans: set[Span] | None) -> float:
    if spans is None:
        return np.nan
    tokens = by_tokens(text, [edit])
    return float(bool(tokens) and all(one[:3] in spans for one in tokens))
