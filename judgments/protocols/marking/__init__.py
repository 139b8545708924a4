"""Marking: a verdict on each edit of the versions, the errors that they leave, and their ranks."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from judgments.models import Campaign, Candidate, EditVerdicts, Judgment, Slot, System, SystemOutput
from judgments.protocols.base import AnswerTable, Instrument, Objects, Protocol, Teaching
from judgments.protocols.candidates import RANKS, candidate_columns
from judgments.protocols.marking.form import (
    NO_EDITS,
    JudgedVersion,
    MarkingForm,
    specification,
    specification_of_example,
)
from judgments.protocols.rows import ROWS_AT_ONCE, Answer, Columns
from judgments.rules.authored.edit_verdicts import read_edit_verdicts
from judgments.rules.authored.tutorials import Kind, Version
from judgments.rules.files.csv_tables import cells
from judgments.rules.texts.collapsing import normalise
from judgments.rules.texts.edits import LONGEST_REPLACEMENT, MOST_EDITS, derived
from judgments.rules.texts.judged_edits import LONGEST_VERDICT, MISSED, JudgedEdit, lie_within, read_judged


def fault(answers: Sequence[Mapping[str, Any]], length: int) -> str | None:
    if any(not lie_within(read_judged(answer["edits"]), length) for answer in answers):
        return "has an edit that does not lie in its sentence"
    return None


def store(judgment: Judgment, slots: Sequence[Slot], versions: Sequence[JudgedVersion]) -> None:
    EditVerdicts.objects.bulk_create(
        EditVerdicts(
            judgment=judgment,
            screen_id=slot.screen_id,
            candidate_id=slot.candidate_id,
            edits=[edit._asdict() for edit in version.edits],
            rank=version.rank,
        )
        for slot, version in zip(slots, versions, strict=True)
    )


def load(judgment: Judgment, slots: Sequence[Slot]) -> dict[str, Any]:
    stored = {row.candidate_id: row for row in EditVerdicts.objects.filter(judgment=judgment)}
    given = [(place, stored[slot.candidate_id]) for place, slot in enumerate(slots, 1) if slot.candidate_id in stored]
    return {f"verdicts_{place}": row.edits for place, row in given} | {
        f"rank_{place}": row.rank for place, row in given if row.rank is not None
    }


def described(judgments: QuerySet[Judgment]) -> Mapping[int, str]:
    """How many edits have which verdict, over all versions of a judgment."""
    found: dict[int, dict[str, int]] = {}
    for judgment, edits in EditVerdicts.objects.filter(judgment__in=judgments).values_list("judgment", "edits"):
        counts = found.setdefault(judgment, {})
        for one in read_judged(edits):
            counts[one.verdict] = counts.get(one.verdict, 0) + 1
    return {judgment: _counted(counts) or gettext("no edits") for judgment, counts in found.items()}


def answered(judgments: QuerySet[Judgment]) -> Mapping[int, Mapping[Any, Any]]:
    """The verdict on each edit of each version."""
    found: dict[int, dict[Any, Any]] = {}
    rows = EditVerdicts.objects.filter(judgment__in=judgments).values_list("judgment", "candidate", "edits")
    for judgment, candidate, edits in rows:
        given = {(candidate, *one[:3]): one.verdict for one in read_judged(edits) if not one.is_missed}
        found.setdefault(judgment, {}).update(given)
    return found


def said(answers: Mapping[str, Any], place: int) -> str:
    """The verdicts on the edits of a version in their order, and its rank."""
    judged = read_judged(answers.get(f"verdicts_{place}", []))
    verdicts = ", ".join(gettext(one.verdict) for one in judged if not one.is_missed) or gettext("no edits")
    rank = answers.get(f"rank_{place}")
    return f"{verdicts}; {gettext('rank %(rank)s') % {'rank': rank}}" if rank else verdicts


def _counted(counts: Mapping[str, int]) -> str:
    named = ((gettext("missed") if name == MISSED else gettext(name), count) for name, count in sorted(counts.items()))
    return ", ".join(f"{name}: {count}" for name, count in named)


def passed(judgments: QuerySet[Judgment]) -> dict[int, bool]:
    """Whether every error planted in the control is rejected."""
    rows = list(
        EditVerdicts.objects.filter(judgment__in=judgments).values_list(
            "judgment", "candidate", "edits", "judgment__assignment__campaign__edit_verdicts"
        )
    )
    controls = SystemOutput.objects.filter(
        candidate__in={candidate for _, candidate, _, _ in rows}, system__kind=System.Kind.CONTROL
    )
    planted = set(controls.values_list("candidate", flat=True))
    accepted = {text: _accepting(text) for *_, text in rows}
    return {
        judgment: not any(one.verdict in accepted[text] for one in read_judged(edits))
        for judgment, candidate, edits, text in rows
        if candidate in planted
    }


def _accepting(verdicts: str) -> set[str]:
    return {verdict.name for verdict in read_edit_verdicts(verdicts) if verdict.accepts}


def columns(campaign: Campaign) -> Columns:
    """A row for each edit, and one for a version without any."""
    rows = Candidate.objects.filter(segment__campaign=campaign).values_list("pk", "segment__text")
    sources = {candidate: normalise(text or "") for candidate, text in rows.iterator(ROWS_AT_ONCE)}

    def cells_of(answer: Answer) -> str:
        one, rank = answer.values
        if one is None:
            return cells(["", "", "", "", "", rank])
        original = sources[answer.candidate or 0][one.start : one.end]
        return cells([one.start, one.end, original, one.replacement, one.verdict, rank])

    names = ("start", "end", "original", *JudgedEdit._fields[2:], "rank")
    return candidate_columns(campaign, names, cells_of)._replace(
        of_texts=frozenset({"original", "replacement"}), parts=parts
    )


def parts(answer: Answer) -> Iterator[Answer]:
    edits, rank = answer.values
    yield from (Answer(answer.candidate, (one, rank)) for one in read_judged(edits) or [None])


def fault_of_expected(expected: str) -> str | None:
    if all(part.strip() for part in expected.split(",")):
        return None
    return f"{expected!r} is not a list of verdicts; write right, wrong: for a version with two edits, or {NO_EDITS}:"


def fault_of_version(source: str, version: Version) -> str | None:
    """Whether there is a verdict for each edit of a version."""
    edits, wanted = len(derived(normalise(source), normalise(version.text))), len(_verdicts(version.expected))
    return None if edits == wanted else f"this version has {edits} edits and {wanted} verdicts; give one for each edit"


def agree(expected: Sequence[str], given: Sequence[str]) -> list[bool]:
    return [_verdicts(wanted) == _verdicts(said) for wanted, said in zip(expected, given, strict=True)]


def describe(verdicts: str) -> str:
    return ", ".join(gettext(verdict) for verdict in _verdicts(verdicts)) or gettext("no edits")


def _verdicts(text: str) -> list[str]:
    return [] if text.strip() == NO_EDITS else [part.strip().casefold() for part in text.split(",")]


WORDS = {
    "judged": gettext_lazy("{done} of {all} edits judged"),
    "judged_and_ranked": gettext_lazy("{done} of {all} edits judged, {ranked} of {versions} sentences ranked"),
    "no_edit_verdict_yet": gettext_lazy("Sentence {number} has an edit without a verdict."),
    "no_rank_yet": gettext_lazy("Sentence {number} has no rank yet."),
    "replaced": gettext_lazy("“{old}” becomes “{now}”"),
    "deleted": gettext_lazy("“{old}” is deleted"),
    "inserted": gettext_lazy("“{now}” is inserted"),
    "open_edit": gettext_lazy("{edit}: no verdict yet"),
    "judged_edit": gettext_lazy("{edit}: {verdict}"),
    "missed_by": gettext_lazy("“{text}” is an error that these sentences leave: {numbers}"),
    "missed_by_none": gettext_lazy("Every sentence changes “{text}”, so no sentence leaves it."),
    "mark_missed": gettext_lazy("Mark errors that are left"),
    "marking_missed": gettext_lazy(
        "Choose words of the source that are still wrong with arrows and Space; Esc leads back."
    ),
    "verdicts": gettext_lazy("Verdict on the marked edit"),
    "bounds": gettext_lazy("Where the marked edit begins and ends"),
    "split_in_parts": gettext_lazy("Split"),
    "join_with_next": gettext_lazy("Join with the next"),
    "widen_left": gettext_lazy("Add the word before"),
    "widen_right": gettext_lazy("Add the word after"),
    "as_proposed": gettext_lazy("Edits as proposed"),
}

JUDGED_EDITS = Objects(
    name="JudgedEditInput",
    about="The characters from start to end of the source, counted from 0 by code points, the text that replaces them, "
    "and the verdict on it. Without a replacement (null), an error that the candidate leaves; its verdict is missed.",
    fields=JudgedEdit(
        serializers.IntegerField(min_value=0),
        serializers.IntegerField(min_value=0),
        serializers.CharField(allow_blank=True, allow_null=True, trim_whitespace=False, max_length=LONGEST_REPLACEMENT),
        serializers.CharField(max_length=LONGEST_VERDICT),
    )._asdict(),
    most=MOST_EDITS,
)

PROTOCOL = Protocol(
    name="marking",
    label=gettext_lazy("Marking (edits right or wrong)"),
    explanation="asks whether each edit of a version is right, and which version is better",
    task=gettext_lazy("Is each edit right?"),
    form=MarkingForm,
    answers=AnswerTable(EditVerdicts, fault),
    store=store,
    load=load,
    specification=specification,
    specification_of_example=specification_of_example,
    inputs={
        "verdicts": JUDGED_EDITS,
        "rank": serializers.IntegerField(required=False, help_text="Ranking: 1 is best."),
    },
    teaching=Teaching(Kind(fault_of_expected, fault_of_version=fault_of_version), agree, describe, describe),
    guidance=Path(__file__).parent / "guidance",
    scale=RANKS,
    columns=columns,
    described=described,
    said=said,
    answered=answered,
    instrument=Instrument(
        "labelling",
        "choice",
        size=lambda campaign: len(read_edit_verdicts(campaign.edit_verdicts)),
        values=lambda campaign: ", ".join(verdict.name for verdict in read_edit_verdicts(campaign.edit_verdicts)),
    ),
    words=WORDS,
    seconds=90.0,
    passed=passed,
    special=frozenset({"edit_verdicts", "asks_for_ranks", "assistance"}),
    without=frozenset({"automatic_ties", "compact_view", "majority_feedback"}),
    report_kinds=("edits", "comparisons", "programs"),
)
