"""M2 files: sentences with the edits of one or more annotators.

An S line holds a tokenised sentence; each A line below it holds one edit,
`A start end|||type|||correction|||REQUIRED|||-NONE-|||annotator`; a blank line ends the sentence.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from judgments.rules.files.problems import Problem, refuse, shorten
from judgments.rules.files.text_files import TextFile
from judgments.rules.files.values import Check, list_of, text, whole
from judgments.rules.progress import unless_cancelled
from judgments.rules.texts.edits import in_order

NOTHING_TO_CORRECT = "noop"
# An edit of these types marks an error that the annotator could not correct. With or without words it changes no text:
# so are the references made that were published with the shared task of 2014.
UNCLEAR = frozenset({"UNK", "Um"})
EMPTY_CORRECTION = "-NONE-"
NO_TYPE = "-NONE-"
BROKEN_BAR = "\N{BROKEN BAR}"
MOST_ANNOTATORS = 100


@dataclass(frozen=True)
class AnnotatedEdit:
    """The tokens from start to end become another text, or one of several."""

    line: int
    start: int
    end: int
    corrections: tuple[str, ...]
    kind: str

    @property
    def is_made(self) -> bool:
        """Whether the edit is applied in the corrected sentence."""
        return self.kind not in UNCLEAR


@dataclass(frozen=True)
class AnnotatedSentence:
    """A sentence and each annotator's edits; an explicit noop gives an empty list."""

    line: int
    text: str
    edits: dict[int, list[AnnotatedEdit]]

    @cached_property
    def length(self) -> int:
        return len(self.text.split())

    def to_rows(self, annotator: int) -> list[list[Any]] | None:
        """One annotator's edits in the format of the database, from left to right; None without a line of theirs."""
        if annotator not in self.edits:
            return None
        return [[edit.start, edit.end, [*edit.corrections], edit.kind] for edit in in_order(self.edits[annotator])]


def read_m2(file: TextFile, *, may_overlap: bool = False) -> list[AnnotatedSentence]:
    """Parse the sentences of an M2 file, or raise all problems in it.

    Overlapping edits cannot correct a sentence, but an output can be scored against them.
    """
    refuse(file.problems)
    sentences: list[AnnotatedSentence] = []
    problems: list[Problem] = []
    for number, line in enumerate(unless_cancelled(file.lines), 1):
        if line.startswith("S ") or line == "S":
            sentences.append(AnnotatedSentence(number, line[2:].strip(), {}))
        elif line.startswith("A "):
            if not sentences:
                problems.append(Problem(file.name, number, "an annotation comes before the first sentence (S line)"))
            elif fault := _take_annotation(sentences[-1], number, line):
                problems.append(Problem(file.name, number, fault))
        elif line.strip():
            problems.append(Problem(file.name, number, "expected a line that begins with S or A, or a blank line"))
    if not sentences and not problems:
        problems.append(Problem(file.name, None, "contains no sentence (no line begins with S)"))
    if (count := len(annotators(sentences))) > MOST_ANNOTATORS:
        what = f"names {count} annotators; at most {MOST_ANNOTATORS} are allowed, because each becomes a reference"
        problems.append(Problem(file.name, None, what))
    if not may_overlap:
        problems += [
            Problem(file.name, after.line, f"annotator {annotator}'s edit overlaps the one on line {before.line}")
            for sentence in sentences
            for annotator, edits in sentence.edits.items()
            for before, after in pairwise(in_order(edit for edit in edits if edit.is_made))
            if after.start < before.end
        ]
    refuse(shorten(file.name, problems))
    return sentences


def annotators(sentences: list[AnnotatedSentence]) -> list[int]:
    return sorted({annotator for sentence in sentences for annotator in sentence.edits})


def correct_sentence(sentence: AnnotatedSentence, annotator: int) -> str | None:
    """The sentence with one annotator's edits applied, insertions at one place in the order of the file.

    None if the annotator has no line: as in the M2 scorer, an annotator who finds no error writes a noop.
    """
    if annotator not in sentence.edits:
        return None
    tokens = sentence.text.split()
    result: list[str] = []
    done = 0
    for edit in in_order(edit for edit in sentence.edits[annotator] if edit.is_made):
        result += tokens[done : edit.start] + edit.corrections[0].split()
        done = edit.end
    return " ".join(result + tokens[done:])


def annotation(start: int, end: int, kind: str, correction: str, annotator: int) -> str:
    """Write an edit as a line; the format cannot escape its separator, so that is replaced."""
    written = correction.replace("|", BROKEN_BAR) if "||" in correction or correction.endswith("|") else correction
    kind = kind.replace("|", BROKEN_BAR) or NO_TYPE
    if kind == NOTHING_TO_CORRECT or not written:
        kind = kind_in_m2(kind)
    return f"A {start} {end}|||{kind}|||{written or EMPTY_CORRECTION}|||REQUIRED|||-NONE-|||{annotator}"


def kind_in_m2(category: str) -> str:
    """The type of an edit that is made, whatever its category is called: toy, `Um-` for `Um`."""
    return f"{category}-" if category in UNCLEAR or category == NOTHING_TO_CORRECT else category


def noop(annotator: int) -> str:
    """The line of an annotator who finds nothing to correct."""
    return f"A -1 -1|||{NOTHING_TO_CORRECT}|||{EMPTY_CORRECTION}|||REQUIRED|||-NONE-|||{annotator}"


def _take_annotation(sentence: AnnotatedSentence, number: int, line: str) -> str | None:
    fields = line[2:].split("|||")
    if len(fields) != 6:
        return f"an annotation has 6 fields separated by |||, this one has {len(fields)}"
    span, kind, correction, *_, annotator = fields
    try:
        start, end = map(int, span.split())
        who = int(annotator)
    except ValueError:
        who = -1
    if who < 0:
        return "the span must be two whole numbers and the last field the annotator's number"
    edits = sentence.edits.setdefault(who, [])
    if kind == NOTHING_TO_CORRECT or start == -1:
        return None
    if not 0 <= start <= end <= sentence.length:
        return f"the span {span[:40]} does not lie within the sentence of {sentence.length} tokens"
    texts = tuple("" if text == EMPTY_CORRECTION else " ".join(text.split()) for text in correction.split("||"))
    edits.append(AnnotatedEdit(number, start, end, texts, kind))
    return None


MOST_EDITS, MOST_CORRECTIONS = 10_000, 100
STORED: tuple[Check, ...] = (whole(), whole(), list_of(text(), MOST_CORRECTIONS), text(200))


def _fault_of_edit(edit: Any) -> str | None:
    if not isinstance(edit, list) or len(edit) != len(STORED):
        return "holds an edit that is not start, end, corrections and type"
    faults = filter(None, (check(part) for check, part in zip(STORED, edit, strict=True)))
    return next((f"holds an edit that {fault}" for fault in faults), None)


# Why a value is not a list of stored edits (start and end by tokens, corrections, type), or None.
fault_of_stored = list_of(_fault_of_edit, MOST_EDITS)
