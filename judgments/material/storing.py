"""Storing checked material in one transaction, and replacing outputs that no judge has seen."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from django.db import transaction
from django.db.models import Count

from judgments.material.rules.contents import Lines, SegmentPlace, UploadedMaterial
from judgments.material.rules.preview import in_kinds
from judgments.models import (
    Assignment,
    Campaign,
    Candidate,
    Document,
    Screen,
    Segment,
    Slot,
    Submission,
    System,
    SystemOutput,
)
from judgments.models.database import store_rows
from judgments.models.journal import note
from judgments.models.screens import DIGITS
from judgments.rules.errors import Refused
from judgments.rules.progress import Progress, no_progress
from judgments.rules.texts.collapsing import fingerprint, normalise

SEGMENTS_AT_ONCE = 1000


class StoredCounts(NamedTuple):
    """Numbers of segments, new systems of all kinds, and outputs stored, and of outputs that replaced earlier ones;
    `what` says in words how many systems of each kind are new.
    """

    segments: int
    systems: int
    outputs: int
    replaced: int
    what: str


def places_of(campaign: Campaign) -> list[SegmentPlace] | None:
    """The lines that the campaign already has, if any."""
    if not campaign.pk:
        return None
    rows = Segment.objects.filter(campaign=campaign).order_by("position")
    return [SegmentPlace(*row) for row in rows.values_list("position", "document__name", "document__domain")] or None


def source_of(campaign: Campaign) -> list[str | None] | None:
    """The source sentences that the campaign already has, if any."""
    if not campaign.pk:
        return None
    return list(Segment.objects.filter(campaign=campaign).order_by("position").values_list("text", flat=True)) or None


def distinct_outputs(campaign: Campaign) -> float:
    """The mean number of distinct judged outputs of a sentence."""
    judged = SystemOutput.objects.filter(system__campaign=campaign, system__takes_part=True)
    counted = judged.aggregate(candidates=Count("candidate", distinct=True), segments=Count("segment", distinct=True))
    return counted["candidates"] / max(counted["segments"], 1)


def refuse_closed(campaign: Campaign) -> None:
    if campaign.state in (Campaign.State.CLOSED, Campaign.State.ARCHIVED):
        raise Refused(f"The campaign is {campaign.get_state_display()}; reopen it before changing its material.")


def has_screens(campaign: Campaign) -> bool:
    return Screen.objects.filter(campaign=campaign).exists()


def systems_to_replace(campaign: Campaign, material: UploadedMaterial) -> list[str]:
    """Return the names of systems whose outputs would be replaced; refuse roles that storing would refuse."""
    refuse_closed(campaign)
    existing = {system.name for system, _, _ in _updated_roles(campaign, material)}
    return [lines.name for lines in material.everything() if lines.name in existing]


@transaction.atomic
def store_material(campaign: Campaign, material: UploadedMaterial, progress: Progress = no_progress) -> StoredCounts:
    """Store checked material: the first upload creates the segments, later ones add systems or replace outputs."""
    # Storing and assigning wait for this lock; inserts that only refer to the campaign, such as members, do not.
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    refuse_closed(campaign)
    segments = _segments(campaign, material)
    kinds = _kinds(material)
    for system, kind, takes_part in list(_updated_roles(campaign, material)):
        System.objects.filter(pk=system.pk).update(kind=kind, takes_part=takes_part)
    System.objects.filter(campaign=campaign, name__in=kinds).update(taken_from="")
    known = {system.name: system for system in System.objects.filter(campaign=campaign)}
    new = [lines for lines in material.everything() if lines.name not in known]
    replaced = sum(
        replace_outputs(known[lines.name], lines, segments) for lines in material.everything() if lines.name in known
    )
    judged = material.names_taking_part()
    systems = System.objects.bulk_create(
        System(campaign=campaign, name=lines.name, kind=kinds[lines.name], takes_part=lines.name in judged)
        for lines in new
    )
    outputs = _store_outputs(systems, new, segments, progress)
    names = ", ".join(lines.name for lines in material.everything())
    note(campaign, f"uploaded {names} ({outputs} outputs new, {replaced} replaced)")
    what = in_kinds(kinds[lines.name] for lines in new)
    return StoredCounts(len(segments), len(systems), outputs, replaced, what)


def name_accepted(campaign: Campaign, names: Mapping[str, str]) -> None:
    """Keep the names under which submissions were stored, which organisers may have changed on the preview, so that a
    team's next file replaces the outputs of the same system.
    """
    accepted = Submission.objects.filter(team__campaign=campaign).exclude(accepted_as="").only("code", "accepted_as")
    for one in accepted:
        if one.file_name in names:
            one.accepted_as = names[one.file_name]
            one.save(update_fields=["accepted_as"])


def _kinds(material: UploadedMaterial) -> dict[str, str]:
    return {lines.name: kind for kind, members in material.by_kind().items() for lines in members}


def _updated_roles(campaign: Campaign, material: UploadedMaterial) -> Iterator[tuple[System, str, bool]]:
    """The new role of each system; refuse to change roles on which screens depend."""
    kinds, judged, assigned = _kinds(material), material.names_taking_part(), has_screens(campaign)
    for system in System.objects.filter(campaign=campaign):
        same = [name for name in kinds if name.casefold() == system.name.casefold() and name != system.name]
        if same:
            raise Refused(f"There is a system {system.name} already; {same[0]} is too similar. Rename the file.")
        kind = kinds.get(system.name, system.kind)
        if kind == System.Kind.SOURCE != system.kind or system.kind == System.Kind.SOURCE != kind:
            raise Refused(f"{system.name} is a {system.kind} in this campaign and cannot become a {kind}.")
        if kind == System.Kind.SOURCE and system.name not in kinds and kind in kinds.values():
            raise Refused(f"The campaign already has a source, {system.name}; it cannot have a second one.")
        takes_part = system.takes_part or (system.name in judged and not assigned)
        takes_part = takes_part and kind in (System.Kind.SYSTEM, System.Kind.SOURCE)
        if assigned and kind != system.kind:
            raise Refused(
                f"Screens show {system.name} as a {system.kind}; it cannot become a {kind}. Create a new campaign."
            )
        yield system, kind, takes_part


def _segments(campaign: Campaign, material: UploadedMaterial) -> list[int]:
    existing = list(Segment.objects.filter(campaign=campaign).order_by("position").values_list("pk", flat=True))
    if existing:
        return existing
    if material.source is None:
        raise Refused("The campaign has no source sentences yet; upload the source together with the systems.")
    named = list(dict.fromkeys((place.document, place.domain) for place in material.places))
    added = store_rows(Document, ["campaign", "name", "domain"], [(campaign.pk, *names) for names in named])
    documents, keys = dict(zip(named, added, strict=True)), list[int]()
    for start in range(0, len(material.places), SEGMENTS_AT_ONCE):
        stretch = slice(start, start + SEGMENTS_AT_ONCE)
        lines = zip(material.places[stretch], material.source.texts[stretch], strict=True)
        rows = [(campaign.pk, documents[place[1:]], place.position, text) for place, text in lines]
        keys += store_rows(Segment, ["campaign", "document", "position", "text"], rows)
    return keys


def _store_outputs(systems: Sequence[System], new: Sequence[Lines], segments: list[int], progress: Progress) -> int:
    stored, keys = 0, [system.pk for system in systems]
    columns = ["system", "segment", "candidate", "verbatim", "edits"]
    for start in range(0, len(segments) if new else 0, SEGMENTS_AT_ONCE):
        stretch = slice(start, start + SEGMENTS_AT_ONCE)
        here, outputs = segments[stretch], []
        for system, lines in zip(keys, new, strict=True):
            edits = lines.edits[stretch] if lines.edits else [None] * len(here)
            outputs += [
                (system, segment, normalise(text), text, edit)
                for segment, text, edit in zip(here, lines.texts[stretch], edits, strict=True)
                if text is not None
            ]
        candidates = candidates_for((segment, shown) for _, segment, shown, *_ in outputs)
        rows = [
            (system, segment, candidates[segment, shown], None if text == shown else text, edit)
            for system, segment, shown, text, edit in outputs
        ]
        store_rows(SystemOutput, columns, rows)
        stored += len(rows)
        progress(start + len(here), len(segments))
    return stored


MOST_LISTED = 10


def replace_outputs(system: System, lines: Lines, segments: Sequence[int]) -> int:
    """Replace the texts of a system and return the number of changes; refuse if a judge has seen one of them."""
    changed: list[tuple[int, str | None]] = []
    is_complete, keys = True, dict[int, int]()
    for start in range(0, len(segments), SEGMENTS_AT_ONCE):
        stretch = slice(start, start + SEGMENTS_AT_ONCE)
        texts = dict(zip(segments[stretch], lines.texts[stretch], strict=True))
        rows = SystemOutput.objects.filter(system=system, segment__in=texts).order_by("pk")
        stored = list(rows.values_list("pk", "segment", "verbatim", "candidate__text"))
        changed += [
            (pk, texts[at])
            for pk, at, verbatim, shown in stored
            if texts[at] != (shown if verbatim is None else verbatim)
        ]
        is_complete &= len(stored) == len(texts) - list(texts.values()).count(None)
        keys |= {at: pk for pk, at, *_ in stored} if lines.edits else {}
    if changed and system.kind == System.Kind.SOURCE:
        raise Refused("Source sentences cannot be replaced, because all else refers to them; create a new campaign.")
    if not is_complete or any(text is None for _, text in changed):
        raise Refused(f"{system.name}: the new file lacks outputs on other lines; add it under another name.")
    outputs = SystemOutput.objects.select_related("candidate", "segment").in_bulk([pk for pk, _ in changed])
    moved = [(outputs[pk], text or "") for pk, text in changed]
    other = {one.candidate_id: one.segment.position + 1 for one, text in moved if normalise(text) != one.candidate.text}
    slots = Slot.objects.filter(candidate__in=other, screen__assignment__judge__isnull=False)
    if seen := sorted({other[candidate] for candidate in slots.values_list("candidate", flat=True)}):
        listed = ", ".join(map(str, seen[:MOST_LISTED])) + (" ..." if len(seen) > MOST_LISTED else "")
        raise Refused(
            f"{system.name}: judges have seen {len(seen)} of the outputs to replace (lines {listed}). "
            "Add the new version as a separate system, under another name."
        )
    for output, text in moved:
        _replace_output(output, text)
    edits = dict(zip(segments, lines.edits, strict=True)) if lines.edits else {}
    with_edits = [SystemOutput(pk=pk, edits=edits[at]) for at, pk in keys.items()]
    SystemOutput.objects.bulk_update(with_edits, ["edits"], batch_size=500)
    return len(changed)


def _replace_output(output: SystemOutput, text: str) -> None:
    """Move the output to its new candidate; update screens if no other output shares the old one."""
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
            for assignment in Assignment.objects.filter(screen=slot.screen_id):
                order = assignment.order.replace(DIGITS[slot.position], "")
                Assignment.objects.filter(pk=assignment.pk).update(order=order)
            slot.delete()
        else:
            Slot.objects.filter(pk=slot.pk).update(candidate=output.candidate_id)
    Candidate.objects.filter(pk=old).delete()


def candidates_for(texts: Iterable[tuple[int, str]]) -> dict[tuple[int, str], int]:
    """The candidate of each (segment, normalised text), created if needed."""
    marks = {place: fingerprint(place[1]) for place in dict.fromkeys(texts)}
    segments = {segment for segment, _ in marks}
    existing = Candidate.objects.filter(segment__in=segments).values_list("segment", "fingerprint", "pk")
    found = {(segment, mark): pk for segment, mark, pk in existing}
    new = [(segment, text, mark) for (segment, text), mark in marks.items() if (segment, mark) not in found]
    keys = store_rows(Candidate, ["segment", "text", "fingerprint"], new)
    found |= {(segment, mark): key for (segment, _, mark), key in zip(new, keys, strict=True)}
    return {(segment, text): found[segment, mark] for (segment, text), mark in marks.items()}
