"""Edits as rows: stored, loaded into the form, described to their judge, and exported."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from judgments.models import Campaign, Judgment, Segment, Slot
from judgments.models import Edit as StoredEdit
from judgments.protocols.base import AnswerTable
from judgments.protocols.rows import ROWS_AT_ONCE, Answer, Columns, Head, empty_cells
from judgments.rules.files.csv_tables import cells
from judgments.rules.texts.edits import Edit, corrected, entangled


def fault(answers: Sequence[Mapping[str, Any]], length: int) -> str | None:
    if any(not edit["start"] <= edit["end"] <= length for edit in answers):
        return "has an edit that does not lie in its sentence"
    if len({edit["position"] for edit in answers}) < len(answers):
        return "has two edits in one position"
    if any(entangled([Edit(edit["start"], edit["end"], edit["replacement"]) for edit in answers])):
        return "has edits that overlap"
    return None


ANSWERS = AnswerTable(StoredEdit, fault)


def store(judgment: Judgment, slots: Sequence[Slot], edits: Sequence[Edit]) -> None:
    StoredEdit.objects.bulk_create(
        StoredEdit(judgment=judgment, position=position, **edit._asdict()) for position, edit in enumerate(edits)
    )


def load(judgment: Judgment, slots: Sequence[Slot]) -> dict[str, Any]:
    """The form as it was submitted; a skip contains no statement about errors."""
    stored = StoredEdit.objects.filter(judgment=judgment).order_by("position")
    edits = [Edit(*row) for row in stored.values_list(*Edit._fields)]
    source = judgment.screen.segment.text or ""
    return {
        "edits_1": [edit._asdict() for edit in edits],
        "text_1": corrected(source, edits),
        "fine_1": not edits and not judgment.skipped,
    }


def described(judgments: QuerySet[Judgment]) -> Mapping[int, str]:
    texts = dict(judgments.filter(skipped=False).values_list("pk", "screen__segment__text"))
    edits: dict[int, list[Edit]] = {judgment: [] for judgment in texts}
    rows = StoredEdit.objects.filter(judgment__in=texts).order_by("judgment", "position")
    for judgment, start, end, replacement in rows.values_list("judgment", "start", "end", "replacement"):
        edits[judgment].append(Edit(start, end, replacement))
    return {judgment: corrected(text or "", edits[judgment]) for judgment, text in texts.items()}


def columns(campaign: Campaign) -> Columns:
    """The start, end, original text and replacement of each edit."""
    rows = Segment.objects.filter(campaign=campaign)
    texts = dict(rows.values_list("position", "text").iterator(ROWS_AT_ONCE))

    def written(head: Head, number: int, answer: Answer) -> str:
        _, start, end, replacement, category = answer.said
        return cells([number, start, end, (texts[head.position] or "")[start:end], replacement, category])

    names = ("edit", "start", "end", "original", "replacement", "category")
    return Columns(names, written, empty_cells(names))
