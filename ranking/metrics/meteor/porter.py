"""Porter's stemmer (1980) with the departures that its author published since, and a few of NLTK's.

A word is [C](VC)^m[V] for runs of consonants C and of vowels V; `y` is a vowel after a consonant. A rule takes an
ending away or changes it where what stands before it is long enough, as m says.

Toy: `relational` loses its ending to `relate` in step 2 (m of `rel` is 1) and its `e` in step 5: `relat`.
"""

from collections.abc import Callable, Iterable
from functools import partial
from itertools import groupby

SHORTEST = 3
IRREGULAR = {
    "skies": "sky", "sky": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
    "innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing", "cannings": "canning",
    "canning": "canning", "howe": "howe", "proceed": "proceed", "exceed": "exceed", "succeed": "succeed",
}  # fmt: skip

Condition = Callable[[str], bool]
Rule = tuple[str, str, Condition]


def stem(word: str) -> str:
    """The stem in lower case."""
    word = word.lower()
    if word in IRREGULAR:
        return IRREGULAR[word]
    if len(word) < SHORTEST:
        return word
    word = _past(_plural(word))
    word = _first(word, STEP_1C)
    word = _double_suffix(word)
    word = _first(word, STEP_3)
    word = _first(word, STEP_4)
    word = _first(word, STEP_5A)
    return _first(word, STEP_5B)


def measure(text: str) -> int:
    """How often a vowel is followed by a consonant."""
    return "".join(kind for kind, _ in groupby(_kinds(text))).count("vc")


def _kinds(text: str) -> str:
    """One `c` or `v` per letter."""
    kinds = ""
    for letter in text:
        vowel = letter in "aeiou" or (letter == "y" and kinds.endswith("c"))
        kinds += "v" if vowel else "c"
    return kinds


def _always(text: str) -> bool:
    return True


def _longer_than(least: int, text: str) -> bool:
    return measure(text) > least


def _has_vowel(text: str) -> bool:
    return "v" in _kinds(text)


def _is_double(text: str) -> bool:
    return len(text) > 1 and text[-1] == text[-2] and _kinds(text)[-1] == "c"


def _closes_short(text: str) -> bool:
    """Consonant, vowel and a consonant but w, x, y at the end; or a vowel and a consonant alone."""
    kinds = _kinds(text)
    return (kinds.endswith("cvc") and text[-1] not in "wxy") or kinds == "vc"


def _first(word: str, rules: Iterable[Rule]) -> str:
    """Apply the first rule whose ending the word has, if its condition holds."""
    for ending, instead, condition in rules:
        if word.endswith(ending):
            before = word.removesuffix(ending)
            return before + instead if condition(before) else word
    return word


def _plural(word: str) -> str:
    """Step 1a; `flies` is cut differently from `dies`."""
    if word.endswith("ies") and len(word) == 4:
        return word[:-1]
    return _first(word, STEP_1A)


def _past(word: str) -> str:
    """Step 1b, and the repair right after it."""
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return _first(word, [("eed", "ee", MORE_THAN_0)])
    for ending in ("ed", "ing"):
        before = word.removesuffix(ending)
        if before != word and _has_vowel(before):
            return _mended(before)
    return word


def _mended(word: str) -> str:
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if _is_double(word):
        return word if word[-1] in "lsz" else word[:-1]
    return word + "e" if measure(word) == 1 and _closes_short(word) else word


def _double_suffix(word: str) -> str:
    """Step 2; what loses `li` may have another ending below it."""
    if word.endswith("alli") and measure(word.removesuffix("alli")) > 0:
        return _double_suffix(word.removesuffix("li"))
    return _first(word, STEP_2)


MORE_THAN_0, MORE_THAN_1 = partial(_longer_than, 0), partial(_longer_than, 1)

STEP_1A: tuple[Rule, ...] = (
    ("sses", "ss", _always), ("ies", "i", _always), ("ss", "ss", _always), ("s", "", _always),
)  # fmt: skip
STEP_1C: tuple[Rule, ...] = (("y", "i", lambda before: len(before) > 1 and _kinds(before)[-1] == "c"),)
STEP_2: tuple[Rule, ...] = (
    *(
        (ending, instead, MORE_THAN_0)
        for ending, instead in (
            ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("bli", "ble"),
            ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"),
            ("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"),
            ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"), ("fulli", "ful"),
        )
    ),
    # The measure includes the l.
    ("ogi", "og", lambda before: before.endswith("l") and measure(before) > 0),
)  # fmt: skip
STEP_3: tuple[Rule, ...] = tuple(
    (ending, instead, MORE_THAN_0)
    for ending, instead in (
        ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", ""),
    )
)  # fmt: skip
STEP_4: tuple[Rule, ...] = (
    *(
        (ending, "", MORE_THAN_1)
        for ending in ("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent")
    ),
    ("ion", "", lambda before: before.endswith(("s", "t")) and measure(before) > 1),
    *((ending, "", MORE_THAN_1) for ending in ("ou", "ism", "ate", "iti", "ous", "ive", "ize")),
)
STEP_5A: tuple[Rule, ...] = (
    ("e", "", lambda before: measure(before) > 1 or (measure(before) == 1 and not _closes_short(before))),
)
STEP_5B: tuple[Rule, ...] = (("ll", "l", lambda before: measure(before + "l") > 1),)
