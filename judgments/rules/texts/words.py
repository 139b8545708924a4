"""Words of a text in any script, with the white space before them; scripts without spaces give single letters."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from judgments.rules.texts.graphemes import clusters

# Scripts without spaces between words: Thai, Lao, Burmese, Khmer, Japanese, Chinese.
UNSPACED = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3040, 0x312F), (0x31A0, 0x31FF), (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0xFF66, 0xFF9F), (0x20000, 0x3FFFF),
)  # fmt: skip
APOSTROPHES = "'\u2019"
HYPHENS = "-\u2010\u2011"
CLITICS = {"s", "t", "m", "d", "ll", "re", "ve"}


class Token(NamedTuple):
    """A word, punctuation mark or single letter, and the white space before it."""

    space: str
    text: str
    is_word: bool


def words_of(text: str) -> Iterator[tuple[int, int]]:
    """Where the words begin and end."""
    at = 0
    for token in tokens_of(text):
        at += len(token.space)
        if token.text:
            yield at, at + len(token.text)
        at += len(token.text)


def _is_letter(cluster: str) -> bool:
    return cluster[0].isalnum() or cluster[0] == "_"


@lru_cache(maxsize=65536)
def _stands_alone(cluster: str) -> bool:
    return any(first <= ord(cluster[0]) <= last for first, last in UNSPACED)


@lru_cache(maxsize=4096)
def tokens_of(text: str) -> list[Token]:
    """`tokenise` with a cache, for texts that come again and again."""
    return tokenise(text)


def tokenise(text: str) -> list[Token]:
    """Split a text into tokens.

    Words keep inner apostrophes and hyphens, numbers their points; white space at the end is a token without text.
    """
    signs = list(clusters(text))
    tokens = []
    at = 0
    while at < len(signs):
        begin = at
        while at < len(signs) and signs[at].isspace():
            at += 1
        word = at
        if at < len(signs):
            at = _end_of_token(signs, at)
        is_word = word < len(signs) and any(_is_letter(sign) for sign in signs[word:at])
        tokens.append(Token("".join(signs[begin:word]), "".join(signs[word:at]), is_word))
    return tokens


def _end_of_token(signs: list[str], begin: int) -> int:
    first = signs[begin]
    if first in APOSTROPHES:
        end = _end_of_letters(signs, begin + 1)
        return end if "".join(signs[begin + 1 : end]).lower() in CLITICS else begin + 1
    if not _is_letter(first) or _stands_alone(first):
        return begin + 1
    end = _end_of_letters(signs, begin)
    while end + 1 < len(signs) and _joins(signs[end - 1], signs[end], signs[end + 1]):
        end = _end_of_letters(signs, end + 1)
    return end


def _end_of_letters(signs: list[str], begin: int) -> int:
    end = begin
    while end < len(signs) and _is_letter(signs[end]) and not _stands_alone(signs[end]):
        end += 1
    return end


def _joins(before: str, sign: str, after: str) -> bool:
    """Whether a character between two others joins them into one word or number."""
    if not _is_letter(after) or _stands_alone(after):
        return False
    if sign in APOSTROPHES or sign in HYPHENS:
        return True
    return sign in ".," and before.isdecimal() and after.isdecimal()
