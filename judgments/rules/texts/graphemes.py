"""Graphemes: characters as readers see them, often several code points; no edit mark splits one.

Close to the extended grapheme clusters of Unicode Standard Annex 29, but sometimes keeps more together.
"""

import unicodedata
from collections.abc import Iterator

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
    """Split a text into graphemes, such as a letter with its accents or an emoji with everything joined to it."""
    if text.isascii():
        yield from text
        return
    cluster = ""
    for character in text:
        if cluster and not _belongs(cluster, character):
            yield cluster
            cluster = ""
        cluster += character
    if cluster:
        yield cluster


def _belongs(cluster: str, character: str) -> bool:
    """Whether readers see a character as part of the one before."""
    if cluster.isspace():
        return False
    return _extends(character) or cluster.endswith(JOINER) or _completes(cluster, character)


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
    return _is_linked(cluster) or _makes_syllable(ord(cluster[-1]), code)


def _is_linked(cluster: str) -> bool:
    """Whether a cluster waits for another consonant: only marks follow its linker."""
    return next((sign in LINKERS for sign in reversed(cluster) if sign in LINKERS or not _extends(sign)), False)


def _makes_syllable(before: int, after: int) -> bool:
    if before in INITIALS:
        return after in INITIALS or after in VOWELS or after in SYLLABLES
    is_open = before in SYLLABLES and (before - SYLLABLES.start) % FINALS_PER_SYLLABLE == 0
    if is_open or before in VOWELS:
        return after in VOWELS or after in FINALS
    return (before in SYLLABLES or before in FINALS) and after in FINALS
