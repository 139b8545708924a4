"""Words of a text in any script, with the white space before them; scripts without spaces give single letters."""

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

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


JOINER = "\u200d"
# They belong to the character before without being marks: the joiners, the vowel that Thai and Lao write behind, the
# voicing marks of halfwidth Japanese.
TRAILING = {"\u200c", JOINER, "\u0e33", "\u0eb3", "\uff9e", "\uff9f"}
SKIN_TONES = range(0x1F3FB, 0x1F400)
TAGS = range(0xE0020, 0xE0080)  # the flags of England, Scotland and Wales
FLAG_LETTERS = range(0x1F1E6, 0x1F200)
# They join the consonants around them into one letter: the viramas of India, the stackers of Burma and Cambodia.
LINKERS = set("\u094d\u09cd\u0a4d\u0acd\u0b4d\u0c4d\u0ccd\u0d4d\u1039\u17d2")
# Letters of decomposed Korean syllables: initial consonants, vowels, final consonants.
INITIALS, VOWELS, FINALS = range(0x1100, 0x1160), range(0x1160, 0x11A8), range(0x11A8, 0x1200)
SYLLABLES = range(0xAC00, 0xD7A4)
FINALS_PER_SYLLABLE = 28


def clusters(text: str) -> Iterator[str]:
    """Split a text into graphemes, such as a letter with its accents or an emoji with everything joined to it.

    Graphemes are characters as readers see them, often several code points; no edit mark splits one. Close to the
    extended grapheme clusters of Unicode Standard Annex 29, but sometimes this keeps more together.
    """
    if text.isascii():
        yield from text
        return
    cluster = ""
    for character in text:
        belongs = _extends(character) or cluster.endswith(JOINER) or (cluster and _completes(cluster, character))
        if cluster and (cluster.isspace() or not belongs):
            yield cluster
            cluster = ""
        cluster += character
    if cluster:
        yield cluster


def _extends(character: str) -> bool:
    code = ord(character)
    return (
        unicodedata.category(character).startswith("M") or character in TRAILING or code in SKIN_TONES or code in TAGS
    )


def _completes(cluster: str, character: str) -> bool:
    """Whether a character completes a flag, a Korean syllable or a letter of joined consonants."""
    code = ord(character)
    if code in FLAG_LETTERS:
        return [ord(letter) in FLAG_LETTERS for letter in cluster[-2:]] in ([True], [False, True])
    if unicodedata.category(character) != "Lo":
        return False
    # A cluster waits for another consonant if only marks follow its linker.
    if next((sign in LINKERS for sign in reversed(cluster) if sign in LINKERS or not _extends(sign)), False):
        return True
    before = ord(cluster[-1])
    if before in INITIALS:
        return code in INITIALS or code in VOWELS or code in SYLLABLES
    is_open = before in SYLLABLES and (before - SYLLABLES.start) % FINALS_PER_SYLLABLE == 0
    if is_open or before in VOWELS:
        return code in VOWELS or code in FINALS
    return (before in SYLLABLES or before in FINALS) and code in FINALS
