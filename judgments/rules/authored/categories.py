"""Error categories that judges choose from: two published lists, or the organiser's own.

The organiser's list is plain text, one category a line, `Name: one line of help`; lines that begin with # are comments.
"""

import re
from typing import NamedTuple

from judgments.rules.authored.blocks import without_comments
from judgments.rules.files.problems import Problem, refuse

FILE = "categories"
MOST = 100
LONGEST_NAME = 40
LONGEST_HELP = 300


class Category(NamedTuple):
    """An error category with a line of help and an example."""

    name: str
    help: str
    example: str = ""


def gettext_noop(text: str) -> str:
    """Mark a text for translation where it is shown."""
    return text


CONLL2014 = (
    Category("Vt", gettext_noop("Tense of a verb"), "Yesterday I see > saw him"),
    Category("Vm", gettext_noop("Modal verb: can, may, should and the like"), "You can > should not worry"),
    Category("V0", gettext_noop("A verb is missing"), "The room too small > is too small"),
    Category("Vform", gettext_noop("Form of a verb: infinitive, participle, -ing"), "She enjoys to read > reading"),
    Category("SVA", gettext_noop("Verb and subject do not agree in number or person"), "My dogs barks > bark"),
    Category("ArtOrDet", gettext_noop("Article or determiner"), "We took train > the train"),
    Category("Nn", gettext_noop("Singular or plural of a noun"), "three window > windows"),
    Category("Npos", gettext_noop("Possessive of a noun"), "my sister > sister's bike"),
    Category("Pform", gettext_noop("Form of a pronoun"), "Between you and I > me"),
    Category("Pref", gettext_noop("It is unclear or wrong whom a pronoun stands for"), "Tom lost it > his key"),
    Category("Prep", gettext_noop("Preposition"), "I arrived to > at the station"),
    Category("Wci", gettext_noop("Wrong word, or words that do not go together"), "to make > do homework"),
    Category("Wa", gettext_noop("Abbreviation"), "at 5 o.c. > o'clock"),
    Category("Wform", gettext_noop("Right word, wrong part of speech or derivation"), "a danger > dangerous road"),
    Category("Wtone", gettext_noop("Too casual or too formal for the text"), "The kids > children were examined"),
    Category("Srun", gettext_noop("Sentences run into each other"), "It rained, we > . We stayed"),
    Category("Smod", gettext_noop("Dangling or misplaced modifier"), "Running, the > I lost it"),
    Category("Spar", gettext_noop("List elements have different forms"), "to swim and running > to run"),
    Category("Sfrag", gettext_noop("Sentence fragment"), "Because of the rain > It was because of the rain"),
    Category("Ssub", gettext_noop("Subordinate clause"), "I know what > that he came"),
    Category("WOinc", gettext_noop("Order of words"), "What you want > do you want"),
    Category("WOadv", gettext_noop("Place of an adjective or adverb"), "He drives always > always drives"),
    Category("Trans", gettext_noop("Word or phrase that links sentences or clauses"), "But > However, it failed"),
    Category("Mec", gettext_noop("Spelling, punctuation, capital letters"), "in poland > Poland"),
    Category("Rloc-", gettext_noop("Redundant words"), "to return back > to return"),
    Category("Cit", gettext_noop("Citation"), "as in Smith 2001 > (Smith, 2001)"),
    Category("Others", gettext_noop("Any other error"), "of cause > of course"),
    Category("Um", gettext_noop("The meaning is unclear, so it cannot be corrected"), "It makes the go of"),
)  # fmt: skip

ERRANT = (
    Category("ADJ", gettext_noop("Choice of an adjective"), "a tall > high price"),
    Category("ADJ:FORM", gettext_noop("Form of an adjective: comparative, superlative"), "more big > bigger"),
    Category("ADV", gettext_noop("Choice of an adverb"), "She speaks good > well"),
    Category("CONJ", gettext_noop("Conjunction"), "tired and > but happy"),
    Category("CONTR", gettext_noop("Contraction"), "it 's > is late"),
    Category("DET", gettext_noop("Article or other determiner"), "I have a > an orange"),
    Category("MORPH", gettext_noop("Same stem, another part of speech"), "a beauty > beautiful lake"),
    Category("NOUN", gettext_noop("Choice of a noun"), "I read the journal > newspaper"),
    Category("NOUN:INFL", gettext_noop("Wrongly formed plural of a noun"), "two childs > children"),
    Category("NOUN:NUM", gettext_noop("Singular or plural of a noun"), "many book > books"),
    Category("NOUN:POSS", gettext_noop("Possessive of a noun"), "the neighbours > neighbour's cat"),
    Category("ORTH", gettext_noop("Capital letters, and words written together or apart"), "my birth day > birthday"),
    Category("OTHER", gettext_noop("Any other error, such as a paraphrase"), "in these days > nowadays"),
    Category("PART", gettext_noop("Particle of a verb"), "look for > after the baby"),
    Category("PREP", gettext_noop("Preposition"), "depend of > on it"),
    Category("PRON", gettext_noop("Pronoun"), "He washed him > himself"),
    Category("PUNCT", gettext_noop("Punctuation"), "Well I > Well, I think"),
    Category("SPELL", gettext_noop("Spelling"), "definately > definitely"),
    Category("UNK", gettext_noop("There is an error, but it cannot be corrected"), "He was on the of"),
    Category("VERB", gettext_noop("Choice of a verb"), "She said > told me"),
    Category("VERB:FORM", gettext_noop("Form of a verb: infinitive, participle, -ing"), "I want go > to go"),
    Category("VERB:INFL", gettext_noop("Wrongly formed form of a verb"), "he getted > got"),
    Category("VERB:SVA", gettext_noop("Verb and subject do not agree in number or person"), "he walk > walks"),
    Category("VERB:TENSE", gettext_noop("Tense of a verb, with its modal and auxiliary verbs"), "I go > went in May"),
    Category("WO", gettext_noop("Order of words"), "a car red > red car"),
)  # fmt: skip

PUBLISHED = {"conll2014": CONLL2014, "errant": ERRANT}


def categories_of(chosen: str, own: str = "") -> tuple[Category, ...]:
    """The published list of this name, the organiser's own list, or none."""
    return read_categories(own) if chosen == "own" else PUBLISHED.get(chosen, ())


def read_categories(text: str) -> tuple[Category, ...]:
    """Parse an organiser's own categories, or raise all problems in them."""
    problems: list[Problem] = []
    found: dict[str, Category] = {}
    for number, line in without_comments(text):
        if not line:
            continue
        name, _, about = (part.strip() for part in line.partition(": " if ": " in line else ":"))
        fault = _fault(name, about) or (f"names {name!r} a second time" if name.casefold() in found else None)
        if fault:
            problems.append(Problem(FILE, number, fault))
        found.setdefault(name.casefold(), Category(name, about))
    if not found:
        what = "names no category; write a line for each, as in Tense: the time of a verb"
        problems.append(Problem(FILE, None, what))
    if len(found) > MOST:
        problems.append(Problem(FILE, None, f"names {len(found)} categories; at most {MOST} are allowed"))
    refuse(problems)
    return tuple(found.values())


def _fault(name: str, about: str) -> str | None:
    if not name:
        return "has no name before the colon"
    if len(name) > LONGEST_NAME:
        return f"has a name of {len(name)} characters; at most {LONGEST_NAME} are allowed"
    if len(about) > LONGEST_HELP:
        return f"has {len(about)} characters of help; at most {LONGEST_HELP} are allowed"
    if re.search(r"\||[\x00-\x1f\x7f]", name + about):
        return "has a character that cannot be exported; remove | and control characters"
    return None
