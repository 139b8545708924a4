"""One recorded correction, whatever file it came from, and what the readers of such files share."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from judgments.rules.edits import Edit
from judgments.rules.names import fault_of_pseudonym
from judgments.rules.problems import Problem, Problems, shorten

LONGEST_CATEGORY = 40
LONGEST_REASON = 200


class Sentences(NamedTuple):
    """The sentences of a campaign: the line of each in the uploaded files (from 0), and its text."""

    positions: tuple[int, ...]
    texts: tuple[str, ...]


class RecordedCorrection(NamedTuple):
    """What a judge made of a sentence, which is the first, second ... of the campaign (from 0), or why nothing.

    `line` is where it stands in the file.
    """

    line: int
    judge: str
    sentence: int
    edits: tuple[Edit, ...]
    skip_reason: str = ""
    seconds: float | None = None


# Of a file's name and content, the sentences, and names for judges who have none there.
Reader = Callable[[str, bytes, Sentences, Sequence[str]], list[RecordedCorrection]]


def named(number: int, judges: Sequence[str]) -> str:
    """The name for a judge who has a number alone."""
    return judges[number] if number < len(judges) else f"judge-{number}"


def check_sentences(name: str, told: Sequence[tuple[int, str]], sentences: Sentences) -> None:
    """Refuse a file about other sentences; `told` has the line and text of each."""
    if len(told) != len(sentences.texts):
        what = f"has {len(told)} sentences where the campaign has {len(sentences.texts)}; they must be the same"
        raise Problems([Problem(name, None, what)])
    problems = [
        Problem(name, line, f"is not the sentence of the campaign, which is {text[:60]!r}")
        for (line, here), text in zip(told, sentences.texts, strict=True)
        if here.split() != text.split()
    ]
    if problems:
        raise Problems(shorten(name, problems))


def checked(name: str, recorded: list[RecordedCorrection], sentences: Sentences) -> list[RecordedCorrection]:
    """The same if nothing is wrong with any of it."""
    problems = [
        Problem(name, one.line, fault) for one in recorded for fault in _faults(one, sentences.texts[one.sentence])
    ]
    if not recorded:
        problems.append(Problem(name, None, "holds no correction"))
    if problems:
        raise Problems(shorten(name, problems))
    return recorded


def _faults(one: RecordedCorrection, text: str) -> Iterator[str]:
    if fault := fault_of_pseudonym(one.judge):
        yield fault
    if len(one.skip_reason) > LONGEST_REASON:
        yield f"has a label of more than {LONGEST_REASON} characters; shorten it"
    for edit in one.edits:
        if not 0 <= edit.start <= edit.end <= len(text):
            yield f"has an edit from {edit.start} to {edit.end} of a sentence of {len(text)} characters"
        elif edit.start == edit.end and not edit.replacement:
            yield f"has an edit at {edit.start} that changes nothing; leave it out"
        if "\n" in edit.replacement or "\0" in edit.replacement:
            yield f"has an edit at {edit.start} that holds more than one line"
        if len(edit.category) > LONGEST_CATEGORY:
            yield f"has a category of more than {LONGEST_CATEGORY} characters: {edit.category[:20]!r}..."
    for before, after in pairwise(sorted(one.edits, key=lambda edit: edit[:2])):
        if after.start < before.end or after[:2] == before[:2]:
            yield f"has edits that overlap, at {before.start} and {after.start}"
