"""Kinds of edits that need no parser: by what becomes of the words.

Toy: `Ive` for `I've` is punctuation, `infront` for `in front` is case or spaces, `goes` for `go` a replacement.
"""

from unicodedata import category

SPELLING, PUNCTUATION = "case or spaces", "punctuation"
INSERTION, DELETION, REPLACEMENT = "insertion", "deletion", "replacement"
KINDS = (REPLACEMENT, INSERTION, DELETION, PUNCTUATION, SPELLING)


def kind_of(old: str, new: str) -> str:
    before, after = ("".join(text.split()).casefold() for text in (old, new))
    if before == after:
        return SPELLING
    if _letters(before) == _letters(after):
        return PUNCTUATION
    return REPLACEMENT if before and after else INSERTION if after else DELETION


def _letters(text: str) -> str:
    """A text without punctuation and symbols."""
    return "".join(sign for sign in text if category(sign)[0] not in "PS")
