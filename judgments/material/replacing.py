"""Replacing a system's outputs before any judge has seen them."""

from collections.abc import Iterable, Sequence

from judgments.material.candidates import candidates_for
from judgments.material.rules.contents import Edits, Lines
from judgments.models import Assignment, Candidate, Slot, System, SystemOutput
from judgments.models.screens import DIGITS
from judgments.rules.errors import Refused
from judgments.rules.texts.collapsing import normalise

MOST_LISTED = 10


def replace_outputs(system: System, lines: Lines, segments: Sequence[int]) -> int:
    """Put new texts in the place of earlier ones; refuse where a judge has seen one. Gives the number of changes."""
    texts = dict(zip(segments, lines.texts, strict=True))
    outputs = SystemOutput.objects.filter(system=system).select_related("candidate", "segment")
    changed = [(output, texts[output.segment_id]) for output in outputs if texts[output.segment_id] != output.text]
    if changed and system.kind == System.Kind.SOURCE:
        raise Refused("The source sentences cannot be replaced, as everything refers to them; make a new campaign.")
    if len(outputs) != len(texts) - list(texts.values()).count(None) or any(text is None for _, text in changed):
        raise Refused(f"{system.name}: the new files have outputs missing in other places; add it under another name.")
    _refuse_seen(system, [output for output, text in changed if normalise(text or "") != output.candidate.text])
    for output, text in changed:
        _replace_output(output, text or "")
    if lines.edits is not None:
        _replace_edits(outputs, dict(zip(segments, lines.edits, strict=True)))
    return len(changed)


def _replace_edits(outputs: Iterable[SystemOutput], edits: dict[int, Edits | None]) -> None:
    for output in outputs:
        output.edits = edits[output.segment_id]
    SystemOutput.objects.bulk_update(outputs, ["edits"], batch_size=500)


def _refuse_seen(system: System, changed: list[SystemOutput]) -> None:
    lines = {output.candidate_id: output.segment.position + 1 for output in changed}
    slots = Slot.objects.filter(candidate__in=lines, screen__assignment__judge__isnull=False)
    seen = sorted({lines[candidate] for candidate in slots.values_list("candidate", flat=True)})
    if seen:
        listed = ", ".join(map(str, seen[:MOST_LISTED])) + (" ..." if len(seen) > MOST_LISTED else "")
        raise Refused(
            f"{system.name}: judges have seen {len(seen)} of the outputs to replace (lines {listed}). "
            "Add the new version as a system of its own, under another name."
        )


def _replace_output(output: SystemOutput, text: str) -> None:
    """Move the output to its new candidate, and the screens with it if nobody else stands behind the old one."""
    collapsed = normalise(text)
    old = output.candidate_id
    (output.candidate_id,) = candidates_for([(output.segment_id, collapsed)]).values()
    output.verbatim = None if text == collapsed else text
    output.edits = None
    output.save(update_fields=["candidate", "verbatim", "edits"])
    if old == output.candidate_id or SystemOutput.objects.filter(candidate=old).exists():
        return
    for slot in Slot.objects.filter(candidate=old):
        if Slot.objects.filter(screen=slot.screen_id, candidate=output.candidate_id).exists():
            _remove_slot(slot)
        else:
            Slot.objects.filter(pk=slot.pk).update(candidate=output.candidate_id)
    Candidate.objects.filter(pk=old).delete()


def _remove_slot(slot: Slot) -> None:
    for assignment in Assignment.objects.filter(screen=slot.screen_id):
        Assignment.objects.filter(pk=assignment.pk).update(order=assignment.order.replace(DIGITS[slot.position], ""))
    slot.delete()
