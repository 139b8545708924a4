"""All rows of a campaign without any key of the database, as `judgments.archive.rules` describes them.

Each row is in the order in which it was made wherever that order says something, so that a campaign made from these
rows gives the same rows again. Links, leases, drafts and accounts stay behind.
"""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from django.db.models import QuerySet

from judgments.archive.rules.layout import Row
from judgments.models import (
    Assignment,
    Batch,
    Campaign,
    Candidate,
    Classification,
    Completion,
    Document,
    Membership,
    Screen,
    Segment,
    StandIn,
    System,
    SystemOutput,
    Usage,
)
from judgments.protocols import protocol_of
from judgments.protocols.rows import ROWS_AT_ONCE, Answer
from judgments.protocols.stream import judged

JUDGE = (
    "pseudonym", "joined_at", "removed_at", "consented_at", "taught_at", "attempts", "passed_at", "excluded_at",
    "exclusion_reason", "excluded_by_rule", "kept_at", "quota", "is_expert",
)  # fmt: skip
COMPLETION = ("screens", "earns_code", "passed", "finished_at")
JUDGMENT = (
    "revision", "current", "skipped", "skip_reason", "comment", "flagged", "wall_seconds", "active_seconds",
)  # fmt: skip


class Numbers:
    """The place of each key among those of its kind, from 1; eight bytes a row."""

    def __init__(self, keys: Iterable[int]):
        self._keys = array("q", keys)

    def of(self, key: int) -> int:
        """The place of a key."""
        return bisect_left(self._keys, key) + 1


@dataclass(frozen=True)
class Carried:
    """A campaign, and the numbers by which rows refer to each other."""

    campaign: Campaign
    candidates: Numbers
    usages: Numbers
    screens: Numbers
    assignments: Numbers
    judges: dict[int, str]

    @classmethod
    def of(cls, campaign: Campaign) -> "Carried":
        """Ask for all numbers."""
        return cls(
            campaign,
            candidates=_numbers(Candidate.objects.filter(segment__campaign=campaign)),
            usages=_numbers(Usage.objects.filter(campaign=campaign)),
            screens=_numbers(Screen.objects.filter(campaign=campaign)),
            assignments=_numbers(_assignments(campaign)),
            judges=dict(Membership.objects.filter(campaign=campaign).values_list("pk", "pseudonym")),
        )


def _numbers(rows: QuerySet) -> Numbers:
    return Numbers(rows.order_by("pk").values_list("pk", flat=True).iterator(ROWS_AT_ONCE))


def _assignments(campaign: Campaign) -> QuerySet[Assignment]:
    """All but those of programs that are not answered: they are made as they are asked for."""
    return Assignment.objects.filter(campaign=campaign).exclude(batch=None, submitted_at=None)


def settings(campaign: Campaign) -> Row:
    """Every field of the campaign itself."""
    fields = (field for field in Campaign._meta.concrete_fields if not field.primary_key)
    return {field.attname: _told(field.value_from_object(campaign)) for field in fields}


def systems(carried: Carried) -> Iterator[Row]:
    """By name; databases sort names in different ways."""
    rows = System.objects.filter(campaign=carried.campaign).values("name", "kind", "takes_part", "taken_from")
    yield from sorted(map(dict, rows), key=lambda row: str(row["name"]))


def documents(carried: Carried) -> Iterator[Row]:
    """In the order in which they were made."""
    rows = Document.objects.filter(campaign=carried.campaign).order_by("pk")
    yield from map(dict, rows.values("name", "domain"))


def segments(carried: Carried) -> Iterator[Row]:
    """Line by line."""
    rows = Segment.objects.filter(campaign=carried.campaign).order_by("position")
    for position, document, text in _stream(rows, "position", "document__name", "text"):
        yield {"line": position + 1, "document": document, "text": text}


def candidates(carried: Carried) -> Iterator[Row]:
    """A fingerprint follows from the text, where there is one."""
    rows = Candidate.objects.filter(segment__campaign=carried.campaign).order_by("pk")
    for number, (position, text, mark) in enumerate(_stream(rows, "segment__position", "text", "fingerprint"), 1):
        known = mark if text is None else None
        yield {"number": number, "segment": position + 1, "text": text, "fingerprint": known}


def outputs(carried: Carried) -> Iterator[Row]:
    """Line by line, by the name of the system."""
    rows = SystemOutput.objects.filter(system__campaign=carried.campaign).order_by("segment__position")
    found = _stream(rows, "segment__position", "system__name", "candidate", "verbatim", "edits")
    for position, group in groupby(found, key=lambda row: row[0]):
        for _, system, candidate, verbatim, edits in sorted(group, key=lambda row: row[1]):
            number = carried.candidates.of(candidate)
            kept = {"candidate": number, "verbatim": verbatim, "edits": edits}
            yield {"segment": position + 1, "system": system, **kept}


def usages(carried: Carried) -> Iterator[Row]:
    """In the order in which they were made."""
    rows = Usage.objects.filter(campaign=carried.campaign).order_by("pk")
    found = _stream(rows, "segment__position", "name", "start", "end", "gold")
    for number, (position, name, start, end, gold) in enumerate(found, 1):
        yield {"number": number, "segment": position + 1, "name": name, "start": start, "end": end, "gold": gold}


def classifications(carried: Carried) -> Iterator[Row]:
    """Usage by usage, by the name of the system."""
    rows = Classification.objects.filter(system__campaign=carried.campaign).order_by("usage")
    found = _stream(rows, "usage", "system__name", "probability")
    for usage, group in groupby(found, key=lambda row: row[0]):
        for _, system, probability in sorted(group, key=lambda row: row[1]):
            yield {"usage": carried.usages.of(usage), "system": system, "probability": probability}


def judges(carried: Carried) -> Iterator[Row]:
    """In the order in which they came."""
    rows = Membership.objects.filter(campaign=carried.campaign).exclude(role=Membership.Role.ORGANISER).order_by("pk")
    for role, *row in _stream(rows, "role", *JUDGE):
        is_program = role == Membership.Role.PROGRAM
        yield dict(zip(JUDGE, map(_told, row), strict=True)) | {"is_program": is_program}


def batches(carried: Carried) -> Iterator[Row]:
    """By number."""
    rows = Batch.objects.filter(campaign=carried.campaign).order_by("number")
    yield from map(dict, rows.values("number", "domain"))


def screens(carried: Carried) -> Iterator[Row]:
    """With the candidate in each slot; a slot that was taken away is empty."""
    rows = Screen.objects.filter(campaign=carried.campaign).order_by("pk", "slot__position")
    names = ("segment__position", "batch__number", "automatic", "has_control", "usage")
    found = _stream(rows, "pk", *names, "slot__position", "slot__candidate")
    for number, (screen, group) in enumerate(groupby(found, key=lambda row: row[:-2]), 1):
        _, position, batch, automatic, has_control, usage = screen
        slots: list[int | None] = []
        for *_, place, candidate in group:
            if candidate is not None:
                slots += [None] * (place - len(slots)) + [carried.candidates.of(candidate)]
        yield {
            "number": number,
            "segment": position + 1,
            "batch": batch,
            "automatic": automatic,
            "has_control": has_control,
            "usage": None if usage is None else carried.usages.of(usage),
            "slots": slots,
        }


def assignments(carried: Carried) -> Iterator[Row]:
    """Those that nobody has submitted from are free: a lease ends on the way."""
    rows = _assignments(carried.campaign).order_by("pk")
    names = ("screen", "batch__number", "round", "position", "order", "repeats", "judge", "claimed_at", "submitted_at")
    for number, row in enumerate(_stream(rows, *names), 1):
        screen, batch, its_round, position, order, repeats, judge, claimed_at, submitted_at = row
        is_done = submitted_at is not None
        yield {
            "number": number,
            "screen": carried.screens.of(screen),
            "batch": batch,
            "round": its_round,
            "position": position,
            "order": order,
            "repeats": None if repeats is None else carried.assignments.of(repeats),
            "judge": carried.judges[judge] if is_done else None,
            "claimed_at": _told(claimed_at) if is_done else None,
            "submitted_at": _told(submitted_at),
        }


def stand_ins(carried: Carried) -> Iterator[Row]:
    """Which assignments stand in for which."""
    rows = StandIn.objects.filter(assignment__campaign=carried.campaign).order_by("assignment")
    for assignment, original in _stream(rows, "assignment", "original"):
        yield {"assignment": carried.assignments.of(assignment), "original": carried.assignments.of(original)}


def judgments(carried: Carried) -> Iterator[Row]:
    """All revisions with their answers, in the order of submission."""
    fields = tuple(protocol_of(carried.campaign).answers.columns)
    for number, (head, answers) in enumerate(judged(carried.campaign, with_revisions=True), 1):
        yield {
            "number": number,
            "assignment": carried.assignments.of(head.assignment),
            "key": str(head.key),
            "submitted_at": _told(head.submitted_at),
            "answers": [_answer(carried, fields, answer) for answer in answers],
            **{name: getattr(head, name) for name in JUDGMENT},
        }


def _answer(carried: Carried, fields: tuple[str, ...], answer: Answer) -> Row:
    said: Row = dict(zip(fields, answer.said, strict=True))
    return said if answer.candidate is None else said | {"candidate": carried.candidates.of(answer.candidate)}


def completions(carried: Carried) -> Iterator[Row]:
    """In the order in which batches were finished."""
    rows = Completion.objects.filter(judge__campaign=carried.campaign).order_by("pk")
    for judge, batch, *row in _stream(rows, "judge", "batch__number", *COMPLETION):
        said = dict(zip(COMPLETION, map(_told, row), strict=True))
        yield {"judge": carried.judges[judge], "batch": batch, **said}


def _stream(rows: QuerySet, *names: str) -> Iterator[tuple]:
    return rows.values_list(*names).iterator(ROWS_AT_ONCE)


def _told(value: Any) -> Any:
    """A moment as text, anything else as it is."""
    return value.isoformat() if isinstance(value, datetime) else value


ROWS: dict[str, Callable[[Carried], Iterator[Row]]] = {
    "systems": systems,
    "documents": documents,
    "segments": segments,
    "candidates": candidates,
    "outputs": outputs,
    "usages": usages,
    "classifications": classifications,
    "judges": judges,
    "batches": batches,
    "screens": screens,
    "assignments": assignments,
    "stand_ins": stand_ins,
    "judgments": judgments,
    "completions": completions,
}
