"""Tutorials: examples with the expected answers, written by organisers as plain text.

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
"""

from dataclasses import dataclass
from typing import NamedTuple

from judgments.rules.authored.blocks import BlockLine, read_blocks
from judgments.rules.files.problems import Problem

FILE = "tutorial"
MOST = 20


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
    most_versions = MOST
    has_alternatives = False

    def fault_of_expected(self, expected: str) -> str | None:
        raise NotImplementedError

    def fault_of_source(self, source: str) -> str | None:
        return None

    def fault_of_version(self, source: str, version: ExampleVersion) -> str | None:
        return None


def read_tutorial(text: str, rules: ExampleRules) -> list[Example]:
    """Parse the examples of a text, or raise all problems in it."""
    return read_blocks(FILE, text, lambda block, problems: _read_example(block, rules, problems))


def _read_example(block: list[BlockLine], rules: ExampleRules, problems: list[Problem]) -> Example:
    source, why = "", ""
    versions = []
    for line in block:
        expected, colon, version = (part.strip() for part in line.text.partition(":"))
        if line.text.startswith(">") and source:
            what = "a second sentence in one example; leave an empty line before each > ..."
            problems.append(Problem(FILE, line.number, what))
        elif line.text.startswith(">"):
            source = line.rest
        elif line.text.startswith("!"):
            why = f"{why} {line.rest}".strip()
        elif not colon:
            what = "begin with > (the sentence), ! (why) or the expected answer and a colon"
            problems.append(Problem(FILE, line.number, what))
        elif (found := rules.fault_of_expected(expected)) is not None:
            problems.append(Problem(FILE, line.number, found))
        elif rules.has_alternatives and not version:
            problems.append(Problem(FILE, line.number, f"has no sentence after {expected}:"))
        elif source and (found := rules.fault_of_version(source, ExampleVersion(expected, version))) is not None:
            problems.append(Problem(FILE, line.number, found))
        else:
            versions.append(ExampleVersion(expected, version))
    if not source:
        problems.append(Problem(FILE, block[0].number, "this example has no sentence; begin it with a line > ..."))
    elif (found := rules.fault_of_source(source)) is not None:
        problems.append(Problem(FILE, block[0].number, found))
    if not rules.fewest_versions <= len(versions) <= rules.most_versions:
        problems.append(Problem(FILE, block[0].number, _wanted(rules)))
    if rules.has_alternatives:
        versions = [ExampleVersion("\n".join(version.text for version in versions), "")]
    return Example(source, tuple(versions), why)


def _wanted(rules: ExampleRules) -> str:
    if rules.most_versions == 1:
        return "an example needs one expected answer, followed by a colon"
    number = f"{rules.fewest_versions} to {rules.most_versions}"
    if rules.has_alternatives:
        return f"an example needs {number} lines as: with the corrected sentence"
    return f"an example needs {number} versions with the answers expected for them, such as 1: text"
