"""Ratings of whole texts that others collected: a table with a row for each number, and MultiGEC's blocks by system.

Toy of the table: `essay,system,annotator,scale,value` and `7,Heron,ada,Fluency,3`; toy of the blocks:

    #Heron
    Grammaticality: 3 Fluency: 2
    Grammaticality: 4 Fluency: Other

with a line for each text, in their order. Words instead of a number are a missing rating and its reason.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from judgments.exchange.importers.rules.ratings import Ratings
from judgments.exchange.importers.rules.recorded import LONGEST_LABEL, RecordedGroup, RecordedJudgment
from judgments.rules.authored.rubrics import Rubric, RubricScale
from judgments.rules.files.csv_tables import read_rows, whole_number
from judgments.rules.files.names import fault_of_name, fault_of_pseudonym
from judgments.rules.files.problems import Problem, Problems, count_lines, refuse, shorten
from judgments.rules.files.text_files import read_text

ESSAY_COLUMNS = ("essay", "essay_id", "essay id")
NEEDED = ("system", "annotator", "scale", "value")
PAIR = re.compile(r"(?P<scale>[^:]+):\s*(?P<value>[^\s:]+)(?:\s+|$)")


class EssayScores(NamedTuple):
    """What was said of one version by scale, in the order of the rubric, and reasons for what is missing."""

    scores: tuple[tuple[str, int | None], ...]
    reasons: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        """A part of the keys of judgments, as in `RecordedScore`."""
        return f"Said(scores={self.scores!r}, reasons={self.reasons!r})"

    @property
    def is_missing(self) -> bool:
        return all(number is None for _, number in self.scores)


def read_essay_table(name: str, content: bytes, rubric: Rubric) -> Ratings:
    """Read a table, or raise all problems in it."""
    problems: list[Problem] = []
    found: dict[tuple[str, str, str], tuple[int, dict[str, str]]] = {}
    for line, row in read_rows(name, content, NEEDED, if_empty="contains no rating below its header"):
        essay = next((row[column] for column in ESSAY_COLUMNS if column in row), None)
        if essay is None:
            raise Problems([Problem(name, 1, "lacks the column essay, which has the id of each text")])
        place = essay, row["system"], row["annotator"]
        fault = "names no text; write its id" if not essay else _fault_of_names(row["system"], row["annotator"])
        scale = rubric.scale(row["scale"])
        _, values = found.setdefault(place, (line, {}))
        if not fault and scale is None:
            fault = f"has the scale {row['scale'][:40]!r}; the rubric has {_named(rubric)}"
        elif not fault and row["scale"] in values:
            fault = f"rates {row['system']} on {row['scale']} a second time for this text and annotator"
        elif not fault and scale:
            fault = _fault_of_value(scale, row["value"])
        if fault:
            problems.append(Problem(name, line, fault))
        values[row["scale"]] = row["value"]
    refuse(shorten(name, problems))
    return Ratings([_rated(line, *place, rubric, values) for place, (line, values) in found.items()])


def read_essay_blocks(name: str, content: bytes, rubric: Rubric, essays: Sequence[str], annotator: str) -> Ratings:
    """Read blocks by system; lines that misspell a scale are left out and named. Without essays, lines are numbered."""
    file = read_text(name, content)
    refuse(file.problems)
    problems: list[Problem] = []
    rated: list[RecordedJudgment] = []
    notes: list[str] = []
    seen: set[str] = set()
    for system, first, lines in _blocks(file.lines):
        if fault := _fault_of_names(system, annotator) or (f"{system} has a second block" if system in seen else None):
            problems.append(Problem(name, first, fault))
        if essays and len(lines) != len(essays):
            what = f"the block of {system} has {count_lines(len(lines))}, and the campaign {len(essays)} texts"
            problems.append(Problem(name, first, what))
            continue
        seen.add(system)
        for place, (line, text) in enumerate(lines):
            values = {found["scale"].strip(): found["value"] for found in PAIR.finditer(text)}
            unknown = [scale for scale in values if not rubric.scale(scale)]
            fault = _fault_of_line(rubric, values, text)
            if values and unknown:
                what = f"line {line} names {', '.join(map(repr, unknown))}, which is no scale of the rubric"
                notes.append(f"{name}: {what}; the line is left out")
            elif fault:
                problems.append(Problem(name, line, fault))
            else:
                essay = essays[place] if essays else str(place + 1)
                rated.append(_rated(line, essay, system, annotator, rubric, values))
    if not seen and not problems:
        problems.append(Problem(name, None, "has no block; begin each with a line # and the name of a system"))
    if notes and not rated and not problems:
        problems.append(Problem(name, None, f"names no scale of the rubric, which has {_named(rubric)}"))
    refuse(shorten(name, problems))
    return Ratings(rated, notes=notes)


def _blocks(lines: Iterable[str]) -> Iterator[tuple[str, int, list[tuple[int, str]]]]:
    """Each system with the number of its heading, and its numbered lines; lines before the first heading have none."""
    system, first = "", 1
    block: list[tuple[int, str]] = []
    for number, line in enumerate([*lines, "#"], 1):
        if not line.startswith("#"):
            block += [(number, line.strip())] if line.strip() else []
            continue
        if system or block:
            yield system, first, block
        system, first, block = line[1:].strip(), number, []


def _fault_of_names(system: str, annotator: str) -> str | None:
    if not system:
        return "names no system; write # and its name before its lines"
    return fault_of_name(system) or fault_of_pseudonym(annotator)


def _fault_of_line(rubric: Rubric, values: Mapping[str, str], text: str) -> str | None:
    if not values or PAIR.sub("", text).strip():
        return f"{text[:60]!r} cannot be read; write the scales with their numbers, as in Grammaticality: 3 Fluency: 2"
    faults = (_fault_of_value(scale, values[scale.name]) for scale in rubric.scales if scale.name in values)
    return next(filter(None, faults), None)


def _fault_of_value(scale: RubricScale, value: str) -> str | None:
    if value.lstrip("-").replace(".", "", 1).isdigit():
        number = whole_number(value)
        fits = number is not None and scale.lowest <= number <= scale.highest
        return None if fits else f"has {value[:40]} on {scale.name}, which goes from {scale.lowest} to {scale.highest}"
    return None if len(value) <= LONGEST_LABEL else f"has a reason of more than {LONGEST_LABEL} characters; shorten it"


def _rated(
    line: int, essay: str, system: str, annotator: str, rubric: Rubric, values: Mapping[str, str]
) -> RecordedJudgment:
    """What an annotator said of a system's version: numbers by scale, and words as reasons.

    Scales that the file leaves out are not mentioned.
    """
    given = [(scale.name, values[scale.name]) for scale in rubric.scales if scale.name in values]
    scores = tuple((scale, whole_number(value)) for scale, value in given)
    reasons = tuple((scale, value) for scale, value in given if value and whole_number(value) is None)
    return RecordedJudgment(line, annotator, essay, (RecordedGroup(system, EssayScores(scores, reasons)),))


def _named(rubric: Rubric) -> str:
    return ", ".join(scale.name for scale in rubric.scales)
