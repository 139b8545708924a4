"""Corrections from JSON lines, as in `corrections.jsonl`."""

from collections.abc import Sequence
from typing import Any

from judgments.exchange.importers.rules.corrections import Sentences, checked, correction, lines_of
from judgments.exchange.importers.rules.recorded import RecordedJudgment, RowFault, json_object, read_each, seconds_of
from judgments.rules.texts.edits import Edit

NEEDS_EDITS = "needs edits: a list of objects with start, end, replacement and perhaps category"


def read_corrections_jsonl(
    name: str, content: bytes, sentences: Sentences, judges: Sequence[str]
) -> list[RecordedJudgment]:
    """Read one object per judgment, with fields `judge`, `line`, `edits` (by characters), `label` and `seconds`."""
    places = {position: place for place, position in enumerate(sentences.positions)}
    lines = [(number, line) for number, line in enumerate(lines_of(name, content), 1) if line.strip()]
    recorded = read_each(name, lines, lambda number, line: _correction(number, line, places, sentences))
    return checked(name, recorded, sentences)


def _correction(number: int, line: str, places: dict[int, int], sentences: Sentences) -> RecordedJudgment:
    row = json_object(line)
    judge, position, label = row.get("judge"), row.get("line"), row.get("label") or ""
    if not isinstance(judge, str) or not isinstance(label, str):
        raise RowFault("needs a judge; judge and label must be texts")
    if type(position) is not int or position - 1 not in places:
        raise RowFault(f"is about line {str(position)[:20]}, which the campaign does not have")
    place = places[position - 1]
    source = row.get("source")
    if source is not None and (not isinstance(source, str) or source.split() != sentences.texts[place].split()):
        raise RowFault(f"is not about the sentence of the campaign, which is {sentences.texts[place][:60]!r}")
    edits = _edits(row.get("edits"))
    if label and edits:
        raise RowFault("has both a label and edits; remove one of them")
    seconds: Any = row.get("seconds")
    is_number = type(seconds) in (int, float)
    return correction(number, judge, place, edits, label, seconds_of(seconds) if is_number else None)


def _edits(rows: Any) -> tuple[Edit, ...]:
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise RowFault(NEEDS_EDITS)
    edits = [Edit(row.get("start"), row.get("end"), row.get("replacement"), row.get("category", "")) for row in rows]
    if any(type(part) is not kind for edit in edits for part, kind in zip(edit, (int, int, str, str), strict=True)):
        raise RowFault(NEEDS_EDITS)
    return tuple(sorted(edits, key=lambda edit: edit[:2]))
