"""Corrections from lines of JSON, as `corrections.jsonl` has them."""

import json
from collections.abc import Sequence
from typing import Any

from judgments.exchange.importers.rules.corrections import RecordedCorrection, Sentences, checked
from judgments.exchange.importers.rules.rankings import seconds_of
from judgments.rules.files.problems import Problem, Problems, shorten
from judgments.rules.files.text_files import read_text
from judgments.rules.texts.edits import Edit


def read_corrections_jsonl(
    name: str, content: bytes, sentences: Sentences, judges: Sequence[str]
) -> list[RecordedCorrection]:
    """An object a judgment; of its fields `judge`, `line`, `edits` (by characters) and `label` are read."""
    file = read_text(name, content)
    if file.problems:
        raise Problems(file.problems)
    places = {position: place for place, position in enumerate(sentences.positions)}
    recorded, problems = [], []
    for number, line in enumerate(file.lines, 1):
        if not line.strip():
            continue
        told = _told(number, line, places, sentences)
        if isinstance(told, RecordedCorrection):
            recorded.append(told)
        else:
            problems.append(Problem(name, number, told))
    if problems:
        raise Problems(shorten(name, problems))
    return checked(name, recorded, sentences)


def _told(number: int, line: str, places: dict[int, int], sentences: Sentences) -> RecordedCorrection | str:
    try:
        told: Any = json.loads(line)
    except (ValueError, RecursionError):
        return "is no JSON"
    if not isinstance(told, dict):
        return "is no object of JSON"
    judge, position, label = told.get("judge"), told.get("line"), told.get("label") or ""
    if not isinstance(judge, str) or not isinstance(label, str):
        return "needs a judge, and a label only as a text"
    if type(position) is not int or position - 1 not in places:
        return f"is about line {str(position)[:20]}, which the campaign does not have"
    place = places[position - 1]
    source = told.get("source")
    if source is not None and (not isinstance(source, str) or source.split() != sentences.texts[place].split()):
        return f"is not about the sentence of the campaign, which is {sentences.texts[place][:60]!r}"
    edits = _edits(told.get("edits"))
    if edits is None:
        return "needs edits: a list of objects with start, end, replacement and perhaps category"
    if label and edits:
        return "has a label and edits; it can have one of them"
    return RecordedCorrection(number, judge, place, edits, label, _seconds(told.get("seconds")))


def _edits(told: Any) -> tuple[Edit, ...] | None:
    if told is None or not isinstance(told, list):
        return None
    edits = []
    for one in told:
        if not isinstance(one, dict):
            return None
        start, end, replacement = one.get("start"), one.get("end"), one.get("replacement")
        category = one.get("category", "")
        if type(start) is not int or type(end) is not int:
            return None
        if not isinstance(replacement, str) or not isinstance(category, str):
            return None
        edits.append(Edit(start, end, replacement, category))
    return tuple(sorted(edits, key=lambda edit: edit[:2]))


def _seconds(told: Any) -> float | None:
    return seconds_of(told) if type(told) in (int, float) else None
