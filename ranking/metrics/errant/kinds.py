"""Kinds of edits: an operation and a category, such as M:DET for a missing determiner.

The order is that of counts: all of M, then R, then U, each by the alphabet, then UNK, which is an edit that says where
something is wrong but not what should stand there.
"""

OPERATIONS = ("M", "R", "U")
# The categories of a missing or unnecessary word.
ONE_SIDED = (
    "ADJ", "ADV", "CONJ", "CONTR", "DET", "NOUN", "NOUN:POSS", "OTHER", "PART", "PREP", "PRON", "PUNCT", "VERB",
    "VERB:FORM", "VERB:TENSE",
)  # fmt: skip
CATEGORIES = tuple(sorted(
    (*ONE_SIDED, "ADJ:FORM", "MORPH", "NOUN:INFL", "NOUN:NUM", "ORTH", "SPELL", "VERB:INFL", "VERB:SVA", "WO")
))  # fmt: skip
# The parser may rarely classify a word as white space; its edits count too.
BLANK, UNKNOWN = "SPACE", "UNK"
KINDS = (
    *(
        f"{operation}:{category}"
        for operation in OPERATIONS
        for category in (*(CATEGORIES if operation == "R" else ONE_SIDED), BLANK)
    ),
    UNKNOWN,
)
NUMBERS = {kind: number for number, kind in enumerate(KINDS)}
