"""Rubrics: the scales by which judges rate whole texts, and perhaps the errors that they mark, as plain text.

    ? Grammaticality: How many errors are left?
    4: Perfect
    3: A few small errors
    2: Serious errors
    1: Incomprehensible
    -: Other, or I cannot say

    ! Errors to mark
    minor: small, and easily overlooked
    major = 5: changes the meaning, or disturbs readers

Each block that begins with ? is a scale, from its lowest number to its highest; the words of numbers in between may be
left out. The line -: is offered to judges who cannot say; without it, they must choose a number. The block that begins
with ! names severities of errors, each with its weight in counts, 1 if none is given.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from judgments.rules.authored.blocks import BlockLine, read_blocks
from judgments.rules.files.problems import Problem, Problems, refuse

FILE = "rubric"
LONGEST_NAME, LONGEST_WORDS = 40, 300
MOST_SCALES, MOST_SEVERITIES = 8, 5
LARGEST, HEAVIEST = 1000, 100
# Scales of more points have a field for a number instead of a button for each.
MOST_BUTTONS = 11
POINT = re.compile(r"(?P<value>-|\d{1,4})\s*:(?P<words>.*)")
WEIGHT = re.compile(r"\d{1,3}(\.\d{1,2})?")
# The other columns of exported judgments, which a scale or a severity of the same name would double.
COLUMNS = frozenset((
    "campaign", "judge", "screen", "segment", "document", "candidate", "systems", "shown_position", "score", "reasons",
    "errors", "error_words", "skip_reason", "wall_seconds", "active_seconds", "revision", "submitted_at", "excluded",
    "flagged", "comment", "program", "view", "after_feedback", "adjudicator", "weight", "judgment", "user", "worker",
))  # fmt: skip
Said = Mapping[str, float | None]


class RubricScale(NamedTuple):
    """A scale with the words of its points; `other` is offered to judges who cannot say."""

    name: str
    help: str
    words: tuple[tuple[int, str], ...]
    other: str = ""

    @property
    def lowest(self) -> int:
        return min(value for value, _ in self.words)

    @property
    def highest(self) -> int:
        return max(value for value, _ in self.words)

    @property
    def buttons(self) -> list[tuple[int, str]]:
        """Each value with its words, from the lowest, unless there are too many for buttons."""
        values = range(self.lowest, self.highest + 1)
        words = dict(self.words)
        return [(value, words.get(value, "")) for value in values] if len(values) <= MOST_BUTTONS else []

    def fault(self, value: object) -> str | None:
        if value is None:
            return None if self.other else f"{self.name} needs a number"
        if type(value) is not int or not self.lowest <= value <= self.highest:
            return f"{self.name} is a whole number from {self.lowest} to {self.highest}"
        return None


class Severity(NamedTuple):
    """How bad an error is, and how much it weighs in counts."""

    name: str
    help: str
    weight: float = 1.0


@dataclass(frozen=True)
class Rubric:
    scales: tuple[RubricScale, ...] = ()
    severities: tuple[Severity, ...] = ()

    def scale(self, name: str) -> RubricScale | None:
        return next((scale for scale in self.scales if scale.name == name), None)

    @property
    def has_other(self) -> bool:
        return any(scale.other for scale in self.scales)

    def score(self, said: Said) -> float | None:
        """The mean of the scales that are answered, each stretched to 0 to 100; None if none is.

        Toy: 3 of 1 to 4 and 1 of 1 to 4 make the mean of 66.7 and 0, which is 33.3; 3 and no answer make 66.7.
        """
        given = [
            100 * (value - scale.lowest) / (scale.highest - scale.lowest)
            for scale in self.scales
            if (value := said.get(scale.name)) is not None
        ]
        return sum(given) / len(given) if given else None


NO_RUBRIC = Rubric()


@lru_cache(maxsize=256)
def read_rubric(text: str) -> Rubric:
    """Parse a rubric, or raise all problems in it."""
    scales: list[RubricScale] = []
    marked: list[list[Severity]] = []  # the severities of each block

    def read_block(block: list[BlockLine], problems: list[Problem]) -> None:
        first, lines = block[0], block[1:]
        if first.text.startswith("?"):
            scale = _read_scale(first, lines, problems)
            if any(scale.name.casefold() == other.name.casefold() for other in scales):
                problems.append(Problem(FILE, first.number, f"names the scale {scale.name!r} a second time"))
            scales.append(scale)
        elif not first.text.startswith("!"):
            what = "a block begins with ? and the name of a scale, or with ! before the severities of errors"
            problems.append(Problem(FILE, first.number, what))
        elif marked:
            problems.append(Problem(FILE, first.number, "a second block of severities; join the two"))
        else:
            marked.append(_read_severities(first, lines, problems))

    read_blocks(FILE, text, read_block)
    severities = marked[0] if marked else []
    problems = []
    names = {scale.name.casefold() for scale in scales}
    for severity in severities:
        if severity.name.casefold() in names:
            problems.append(Problem(FILE, None, f"has a scale and a severity {severity.name!r}; rename one of them"))
    if not scales:
        problems.append(Problem(FILE, None, "has no scale; begin one with a line such as ? Grammaticality"))
    if len(scales) > MOST_SCALES:
        problems.append(Problem(FILE, None, f"has {len(scales)} scales; at most {MOST_SCALES} are allowed"))
    refuse(problems)
    return Rubric(tuple(scales), tuple(severities))


def _read_scale(first: BlockLine, lines: Sequence[BlockLine], problems: list[Problem]) -> RubricScale:
    name, _, about = (part.strip() for part in first.rest.partition(":"))
    if fault := _fault_of_name(name) or _fault_of_words(about):
        problems.append(Problem(FILE, first.number, fault))
    words: dict[int, str] = {}
    other = ""
    for line in lines:
        point = POINT.fullmatch(line.text)
        if point is None or not point["words"].strip():
            what = "write a number, a colon and its words, as in 4: Perfect, or -: and words for those who cannot say"
            problems.append(Problem(FILE, line.number, what))
            continue
        said = point["words"].strip()
        value = None if point["value"] == "-" else int(point["value"])
        fault = _fault_of_words(said)
        if value in words or (value is None and other):
            fault = f"gives {'-' if value is None else value} a second time"
        elif value is not None and value > LARGEST:
            fault = f"has the number {value}; at most {LARGEST} is allowed"
        if fault:
            problems.append(Problem(FILE, line.number, fault))
        if value is None:
            other = said
        else:
            words[value] = said
    if len(words) < 2:
        problems.append(Problem(FILE, first.number, "a scale needs words for at least its lowest and highest number"))
    return RubricScale(name, about, tuple(sorted(words.items())) or ((0, ""), (1, "")), other)


def _read_severities(first: BlockLine, lines: Sequence[BlockLine], problems: list[Problem]) -> list[Severity]:
    found: list[Severity] = []
    for line in lines:
        before, _, words = map(str.strip, line.text.partition(":"))
        name, equals, written = map(str.strip, before.partition("="))
        if equals and not WEIGHT.fullmatch(written):
            name, written = "", ""
        weight = float(written or 1)
        fault = _fault_of_name(name) or _fault_of_words(words)
        if name.casefold() in (other.name.casefold() for other in found):
            fault = f"names the severity {name!r} a second time"
        if weight > HEAVIEST:
            fault = f"has a weight of {weight:g}; at most {HEAVIEST} is allowed"
        if fault:
            problems.append(Problem(FILE, line.number, fault))
        found.append(Severity(name, words, weight))
    if not 1 <= len(found) <= MOST_SEVERITIES:
        what = f"needs one to {MOST_SEVERITIES} lines with the severities of errors, such as minor: easily overlooked"
        problems.append(Problem(FILE, first.number, what))
    return found


def _fault_of_name(name: str) -> str | None:
    if not name:
        return "has no name; write one, as in ? Grammaticality: How many errors are left?"
    if len(name) > LONGEST_NAME:
        return f"has a name of {len(name)} characters; at most {LONGEST_NAME} are allowed"
    if name.casefold() in COLUMNS:
        return f"has the name of another column of exports, {name!r}; choose another, such as 'overall {name}'"
    return (
        "has a name with a comma, an equals sign or a control character; remove it"
        if re.search(r"[,=\x00-\x1f\x7f]", name)
        else None
    )


def _fault_of_words(words: str) -> str | None:
    if len(words) > LONGEST_WORDS:
        return f"has {len(words)} characters of words; at most {LONGEST_WORDS} are allowed"
    return "has a control character; remove it" if re.search(r"[\x00-\x1f\x7f]", words) else None


def fault_of_rubric(text: str) -> str | None:
    """Why a text is no rubric, or None; an empty one stands for the ready-made one."""
    try:
        if text.strip():
            read_rubric(text)
    except Problems as found:
        return str(found)
    return None


def fault_of_reasons(stored: Any) -> str | None:
    """What is wrong with stored reasons by the names of scales."""
    if not isinstance(stored, dict) or len(stored) > MOST_SCALES:
        return f"is not an object of at most {MOST_SCALES} scales"
    for name, words in stored.items():
        if _fault_of_name(name) or not isinstance(words, str) or _fault_of_words(words):
            return f"has a reason that is impossible: {name[:LONGEST_NAME]!r}"
    return None


def fault_of_said(stored: Any) -> str | None:
    """What is wrong with stored values by the names of scales, whatever the rubric is."""
    if not isinstance(stored, dict) or len(stored) > MOST_SCALES:
        return f"is not an object of at most {MOST_SCALES} scales"
    for name, value in stored.items():
        if _fault_of_name(name):
            return f"has a scale whose name is impossible: {name[:LONGEST_NAME]!r}"
        is_number = type(value) in (int, float) and 0 <= value <= LARGEST
        if value is not None and not is_number:
            return f"gives {name} neither null nor a number from 0 to {LARGEST}"
    return None
