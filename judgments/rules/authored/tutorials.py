"""Tutorials: examples with the expected answers, and comprehension checks, written by organisers as plain text.

    > She have two dog .
    1: She has two dogs .
    2: She has two dog .
    3: She have two dog .
    ! Two errors are mended in the first version, one in the second, none in the third.

The expected answer stands before the colon, in the terms of the protocol; ! explains it. A usage to be judged stands
in square brackets, and no version follows the answer:

    > He likes [the] music .
    error:

For corrections, each line is one correct version of the sentence:

    > She have two dog .
    as: She has two dogs .
    as: She has got two dogs .

A comprehension check is a question with options:

    ? Two versions are equally good. What do you do?
    + I give them the same rank.
    - I rank them as I like.
    ! The same number says that you see no difference.

+ marks a right option (there may be several), - a wrong one, and ! the explanation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from judgments.rules.authored.blocks import BlockLine, read_blocks
from judgments.rules.files.problems import Problem

TUTORIAL, QUESTIONS = "tutorial", "questions"
MOST_EXAMPLES = 20


class ExampleVersion(NamedTuple):
    """One version of an example's sentence, and the expected answer."""

    expected: str
    text: str


@dataclass(frozen=True)
class Example:
    """A sentence, its versions, and the explanation of the answers."""

    source: str
    versions: tuple[ExampleVersion, ...]
    why: str = ""

    @property
    def expected(self) -> list[str]:
        return [version.expected for version in self.versions]


class ExampleRules:
    """How many versions an example has, and which answers, sentences and versions are valid: why not, or None.

    Alternatives are read as one version whose text has one alternative a line.
    """

    fewest_versions = 1
    most_versions = MOST_EXAMPLES
    has_alternatives = False

    def fault_of_expected(self, expected: str) -> str | None:
        raise NotImplementedError

    def fault_of_source(self, source: str) -> str | None:
        return None

    def fault_of_version(self, source: str, version: ExampleVersion) -> str | None:
        return None


def read_tutorial(text: str, rules: ExampleRules) -> list[Example]:
    """Parse the examples of a text, or raise all problems in it."""
    return read_blocks(TUTORIAL, text, lambda block, problems: _read_example(block, rules, problems))


def _read_example(block: list[BlockLine], rules: ExampleRules, problems: list[Problem]) -> Example:
    source, why = "", ""
    versions = []
    for line in block:
        expected, colon, version = (part.strip() for part in line.text.partition(":"))
        if line.text.startswith(">") and source:
            what = "a second sentence in one example; leave an empty line before each > ..."
            problems.append(Problem(TUTORIAL, line.number, what))
        elif line.text.startswith(">"):
            source = line.rest
        elif line.text.startswith("!"):
            why = f"{why} {line.rest}".strip()
        elif not colon:
            what = "begin with > (the sentence), ! (why) or the expected answer and a colon"
            problems.append(Problem(TUTORIAL, line.number, what))
        elif (found := rules.fault_of_expected(expected)) is not None:
            problems.append(Problem(TUTORIAL, line.number, found))
        elif rules.has_alternatives and not version:
            problems.append(Problem(TUTORIAL, line.number, f"has no sentence after {expected}:"))
        elif source and (found := rules.fault_of_version(source, ExampleVersion(expected, version))) is not None:
            problems.append(Problem(TUTORIAL, line.number, found))
        else:
            versions.append(ExampleVersion(expected, version))
    if not source:
        problems.append(Problem(TUTORIAL, block[0].number, "this example has no sentence; begin it with a line > ..."))
    elif (found := rules.fault_of_source(source)) is not None:
        problems.append(Problem(TUTORIAL, block[0].number, found))
    if not rules.fewest_versions <= len(versions) <= rules.most_versions:
        number = f"{rules.fewest_versions} to {rules.most_versions}"
        what = f"an example needs {number} versions with the answers expected for them, such as 1: text"
        if rules.most_versions == 1:
            what = "an example needs one expected answer, followed by a colon"
        elif rules.has_alternatives:
            what = f"an example needs {number} lines as: with the corrected sentence"
        problems.append(Problem(TUTORIAL, block[0].number, what))
    if rules.has_alternatives:
        versions = [ExampleVersion("\n".join(version.text for version in versions), "")]
    return Example(source, tuple(versions), why)


class Option(NamedTuple):
    text: str
    is_right: bool


@dataclass(frozen=True)
class Question:
    """A question, its options in the order shown, and the explanation."""

    text: str
    options: tuple[Option, ...]
    why: str = ""


def rightly_answered(questions: Sequence[Question], chosen: Sequence[int]) -> list[bool]:
    return [question.options[place].is_right for question, place in zip(questions, chosen, strict=True)]


def _read_question(block: list[BlockLine], problems: list[Problem]) -> Question:
    parts: dict[str, list[str]] = {"?": [], "!": []}
    options: list[Option] = []
    for line in block:
        mark = line.text[0]
        if mark == "?" and options:
            what = "a second question in one; leave an empty line before each ? ..."
            problems.append(Problem(QUESTIONS, line.number, what))
        elif mark in parts:
            parts[mark].append(line.rest)
        elif mark in "+-":
            options.append(Option(line.rest, mark == "+"))
        else:
            what = "begin with ? (the question), + (a right option), - (a wrong one) or ! (why)"
            problems.append(Problem(QUESTIONS, line.number, what))
    question = Question(" ".join(parts["?"]), tuple(options), " ".join(parts["!"]))
    if not question.text:
        problems.append(Problem(QUESTIONS, block[0].number, "the question is missing; begin with a line ? ..."))
    if len({option.is_right for option in options}) < 2:
        problems.append(Problem(QUESTIONS, block[0].number, "a question needs a right option (+) and a wrong one (-)"))
    return question


def read_questions(text: str) -> list[Question]:
    return read_blocks(QUESTIONS, text, _read_question)
