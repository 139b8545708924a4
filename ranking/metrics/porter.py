"""Porter's stemmer (1980) with the departures that its author published since, and a few of NLTK's.

A word is [C](VC)^m[V] for runs of consonants C and of vowels V; `y` is a vowel after a consonant. A rule removes or
replaces an ending if the rest of the word is long enough, as measured by m.

Toy: `relational` loses its ending to `relate` in step 2 (m of `rel` is 1) and its `e` in step 5: `relat`.
"""

from collections.abc import Callable, Iterable
from itertools import groupby

SHORTEST = 3
IRREGULAR = {
    "skies": "sky", "sky": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
    "innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing", "cannings": "canning",
    "canning": "canning", "howe": "howe", "proceed": "proceed", "exceed": "exceed", "succeed": "succeed",
}  # fmt: skip

# An ending, its replacement, and a condition on the rest of the word.
Rule = tuple[str, str, Callable[[str], bool]]


def stem(word: str) -> str:
    word = word.lower()
    if word in IRREGULAR or len(word) < SHORTEST:
        return IRREGULAR.get(word, word)
    # Step 1a: `flies` becomes `fli`, but `dies` becomes `die`.
    word = word[:-1] if word.endswith("ies") and len(word) == 4 else _first(word, STEP_1A)
    word = _double_suffix(_first(_past(word), STEP_1C))
    for rules in (STEP_3, STEP_4, STEP_5A, STEP_5B):
        word = _first(word, rules)
    return word


def measure(text: str) -> int:
    """Count how often a vowel is followed by a consonant."""
    return "".join(kind for kind, _ in groupby(_kinds(text))).count("vc")


def _kinds(text: str) -> str:
    """One `c` or `v` per letter."""
    kinds = ""
    for letter in text:
        vowel = letter in "aeiou" or (letter == "y" and kinds.endswith("c"))
        kinds += "v" if vowel else "c"
    return kinds


def _closes_short(text: str) -> bool:
    """Whether the text ends in consonant, vowel, consonant other than w, x, y; or is one vowel and one consonant."""
    kinds = _kinds(text)
    return (kinds.endswith("cvc") and text[-1] not in "wxy") or kinds == "vc"


def _first(word: str, rules: Iterable[Rule]) -> str:
    """Apply the first rule whose ending the word has, if its condition holds."""
    for ending, instead, condition in rules:
        if word.endswith(ending):
            before = word.removesuffix(ending)
            return before + instead if condition(before) else word
    return word


def _past(word: str) -> str:
    """Step 1b, and the repair that follows it."""
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return _first(word, STEP_1B)
    before = next((word.removesuffix(ending) for ending in ("ed", "ing") if word.endswith(ending)), "")
    if "v" not in _kinds(before):
        return word
    if before.endswith(("at", "bl", "iz")):
        return before + "e"
    if len(before) > 1 and before[-1] == before[-2] and _kinds(before)[-1] == "c":
        return before if before[-1] in "lsz" else before[:-1]
    return before + "e" if measure(before) == 1 and _closes_short(before) else before


def _double_suffix(word: str) -> str:
    """Step 2; a word that loses `li` may then have another ending."""
    if word.endswith("alli") and measure(word.removesuffix("alli")) > 0:
        return _double_suffix(word.removesuffix("li"))
    return _first(word, STEP_2)


def _rules(least: int, rules: str) -> list[Rule]:
    """Parse rules `ending>replacement` that apply if the rest of the word has a measure of more than `least`."""
    pairs = (rule.split(">") for rule in rules.split())
    return [(ending, instead, lambda before: measure(before) > least) for ending, instead in pairs]


STEP_1A = _rules(-1, "sses>ss ies>i ss>ss s>")
STEP_1B = _rules(0, "eed>ee")
STEP_1C: list[Rule] = [("y", "i", lambda before: len(before) > 1 and _kinds(before)[-1] == "c")]
STEP_2 = [
    *_rules(0, "ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e ousli>ous"),
    *_rules(0, "ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive"),
    *_rules(0, "biliti>ble fulli>ful"),
    # The measure includes the l.
    ("ogi", "og", lambda before: before.endswith("l") and measure(before) > 0),
]
STEP_3 = _rules(0, "icate>ic ative> alize>al iciti>ic ical>ic ful> ness>")
STEP_4 = [
    *_rules(1, "al> ance> ence> er> ic> able> ible> ant> ement> ment> ent>"),
    ("ion", "", lambda before: before.endswith(("s", "t")) and measure(before) > 1),
    *_rules(1, "ou> ism> ate> iti> ous> ive> ize>"),
]
STEP_5A: list[Rule] = [
    ("e", "", lambda before: measure(before) > 1 or (measure(before) == 1 and not _closes_short(before)))
]
STEP_5B: list[Rule] = [("ll", "l", lambda before: measure(before + "l") > 1)]
