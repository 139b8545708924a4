"""Recorded corrections, and what the readers of their file formats share."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from judgments.exchange.importers.rules.recorded import LONGEST_LABEL, Group, RecordedJudgment
from judgments.rules.files.names import fault_of_pseudonym
from judgments.rules.files.problems import Problem, Problems, refuse, shorten
from judgments.rules.files.text_files import is_one_line, read_text
from judgments.rules.texts.edits import LONGEST_REPLACEMENT, MOST_EDITS, Edit, Fault, faults_in

LONGEST_CATEGORY = 40
# Fault.CUTTING is allowed: an edit of whole words may split a grapheme, if a combining accent follows a space.
FAULTS = {
    Fault.OUTSIDE: "outside its sentence",
    Fault.IDLE: "that changes nothing; leave it out",
    Fault.OVERLAPPING: "that overlaps with another",
    Fault.DOUBLED: "that inserts at the same place as another; combine them",
    Fault.TOO_LONG: f"that writes more than {LONGEST_REPLACEMENT:,} characters",
    Fault.NO_LINE: "that contains a line break or a control character",
}


class Sentences(NamedTuple):
    """The sentences of a campaign: the line of each in the uploaded files (from 0), and its text."""

    positions: tuple[int, ...]
    texts: tuple[str, ...]


def correction(
    line: int, judge: str, place: int, edits: tuple[Edit, ...], skip_reason: str = "", seconds: float | None = None
) -> RecordedJudgment:
    """A judge's correction of a sentence of the campaign (counted from 0), or the reason of a skip."""
    groups = () if skip_reason else (Group("", edits),)
    return RecordedJudgment(line, judge, place, groups, seconds, skip_reason=skip_reason)


# A reader takes a file's name and content, the sentences, and names for judges whom the file only numbers.
Reader = Callable[[str, bytes, Sentences, Sequence[str]], list[RecordedJudgment]]


def lines_of(name: str, content: bytes) -> list[str]:
    """The lines of a text file; raise its problems."""
    file = read_text(name, content)
    refuse(file.problems)
    return file.lines


def check_sentences(name: str, lines: Sequence[tuple[int, str]], sentences: Sentences) -> None:
    """Refuse a file about other sentences; `lines` has the line number and text of each."""
    if len(lines) != len(sentences.texts):
        what = f"has {len(lines)} sentences where the campaign has {len(sentences.texts)}; they must be the same"
        raise Problems([Problem(name, None, what)])
    problems = [
        Problem(name, line, f"is not the sentence of the campaign, which is {text[:60]!r}")
        for (line, line_text), text in zip(lines, sentences.texts, strict=True)
        if line_text.split() != text.split()
    ]
    refuse(shorten(name, problems))


def checked(name: str, recorded: list[RecordedJudgment], sentences: Sentences) -> list[RecordedJudgment]:
    """Return the corrections, or raise all problems in them."""
    problems = [
        Problem(name, one.line, fault) for one in recorded for fault in _faults(one, sentences.texts[one.about])
    ]
    if not recorded:
        problems.append(Problem(name, None, "contains no correction"))
    refuse(shorten(name, problems))
    return recorded


def _faults(one: RecordedJudgment, text: str) -> Iterator[str]:
    if fault := fault_of_pseudonym(one.judge):
        yield fault
    if len(one.skip_reason) > LONGEST_LABEL or not is_one_line(one.skip_reason):
        yield f"has a label that is not a single line of at most {LONGEST_LABEL} characters; shorten it"
    edits: tuple[Edit, ...] = one.groups[0].value if one.groups else ()
    for place, fault in faults_in(text, edits, categories=None):
        if fault == Fault.TOO_MANY:
            yield f"has {len(edits)} edits of one sentence; the maximum is {MOST_EDITS}"
        elif fault in FAULTS:
            edit = edits[place - 1]
            yield f"has an edit from {edit.start} to {edit.end} {FAULTS[fault]}"
    for edit in edits:
        if len(edit.category) > LONGEST_CATEGORY:
            yield f"has a category of more than {LONGEST_CATEGORY} characters: {edit.category[:20]!r}..."
        elif not is_one_line(edit.category):
            yield f"has a category that is not a single line: {edit.category!a}"
