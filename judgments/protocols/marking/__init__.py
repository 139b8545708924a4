"""Marking: a verdict on each edit of the versions, the errors that they leave, and their ranks."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from judgments.models import Assignment, Campaign, Candidate, EditVerdicts, Judgment, Slot, System, SystemOutput
from judgments.protocols.base import Instrument, Objects, Protocol
from judgments.protocols.form import FormSpecification, letter
from judgments.protocols.marking.form import NO_EDITS, JudgedVersion, MarkingForm, edit_in_words
from judgments.protocols.rows import RANKS, ROWS_AT_ONCE, AnswerRow, Columns, candidate_columns, shown_slots
from judgments.rules.authored.edit_verdicts import read_edit_verdicts
from judgments.rules.authored.tutorials import Example, ExampleVersion
from judgments.rules.files.csv_tables import cells
from judgments.rules.texts.collapsing import normalise
from judgments.rules.texts.edits import (
    LONGEST_REPLACEMENT,
    LONGEST_VERDICT,
    MISSED,
    MOST_EDITS,
    Edit,
    JudgedEdit,
    apply_edits,
    derive_edits,
    lie_within,
    read_judged,
)
from judgments.rules.texts.token_edits import TokenEdit, by_characters

WORDS = {
    "judged": gettext_lazy("{done} of {all} edits judged"),
    "judged_and_ranked": gettext_lazy("{done} of {all} edits judged, {ranked} of {versions} versions ranked"),
    "all_judged": gettext_lazy("All edits are judged. Next come the ranks (Enter); 1 is best."),
    "ranks_next": gettext_lazy("All edits are judged. Next come the ranks; 1 is best."),
    "no_edit_verdict_yet": gettext_lazy("Version {letter} has an edit without a verdict."),
    "no_such_rank": gettext_lazy("The ranks are 1 to {last}."),
    "no_such_change": gettext_lazy("That change is not possible here."),
    "no_rank_yet": gettext_lazy("Version {letter} has no rank yet."),
    "open_edit": gettext_lazy("{edit}: no verdict yet"),
    "judged_edit": gettext_lazy("{edit}: {verdict}"),
    "missed_by": gettext_lazy("“{text}” is an error that these versions leave: {letters}"),
    "missed_by_none": gettext_lazy("Every version changes “{text}”, so none leaves it."),
    "mark_missed": gettext_lazy("Mark a remaining error"),
    "marking_missed": gettext_lazy("Choose words of the source that are still wrong."),
    "marking_missed_by_key": gettext_lazy("Choose words of the source that are still wrong; Esc goes back."),
    "verdicts": gettext_lazy("Verdict on the marked edit"),
    "bounds": gettext_lazy("Where the marked edit begins and ends"),
    "split": gettext_lazy("Split"),
    "join": gettext_lazy("Join with the next"),
    "left": gettext_lazy("Add the word before"),
    "right": gettext_lazy("Add the word after"),
    "reset": gettext_lazy("Reset all edits"),
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


class MarkingProtocol(Protocol):
    name = "marking"
    label = gettext_lazy("Marking (edits right or wrong)")
    explanation = "asks whether each edit of a version is right, and which version is better"
    task = gettext_lazy("Is each edit right?")
    card = ("Mark edits", "Judges say whether each edit is right. Tells what a system does well.")
    how = gettext_lazy("Choose a verdict on the marked edit.")
    how_by_key = gettext_lazy("Or type its digit.")
    form = MarkingForm
    answer_model = EditVerdicts
    inputs: ClassVar = {
        "verdicts": JUDGED_EDITS,
        "rank": serializers.IntegerField(required=False, help_text="Ranking: 1 is best."),
    }
    words = WORDS
    scale = RANKS
    seconds = 90.0
    special_settings = frozenset({"edit_verdicts", "asks_for_ranks", "assistance"})
    unused_settings = frozenset({"automatic_ties", "compact_view", "majority_feedback"})
    report_kinds = ("edits", "comparisons", "programs")

    def specification(self, assignment: Assignment, slots: Sequence[Slot] | None = None) -> FormSpecification:
        """The edits of the versions as their M2 files have them, otherwise by their difference from the source."""
        slots = shown_slots(assignment) if slots is None else slots
        source = normalise(assignment.screen.segment.text or "")
        versions = tuple(slot.candidate.text or "" for slot in slots)
        recorded = _recorded([slot.candidate_id for slot in slots])
        proposed = []
        for slot, version in zip(slots, versions, strict=True):
            fitting = (edits for edits in recorded[slot.candidate_id] if apply_edits(source, edits) == version)
            proposed.append(next(fitting, tuple(derive_edits(source, version))))
        verdicts = read_edit_verdicts(assignment.campaign.edit_verdicts)
        return FormSpecification(
            len(versions), source, versions=versions, proposed=tuple(proposed), verdicts=verdicts,
            asks_for_ranks=assignment.campaign.asks_for_ranks and len(versions) > 1,
        )  # fmt: skip

    def specification_of_example(self, campaign: Campaign, example: Example) -> FormSpecification:
        """The edits of an example; its versions are not ranked."""
        source, versions = normalise(example.source), tuple(normalise(version.text) for version in example.versions)
        proposed = tuple(tuple(derive_edits(source, version)) for version in versions)
        verdicts = read_edit_verdicts(campaign.edit_verdicts)
        return FormSpecification(len(versions), source, versions=versions, proposed=proposed, verdicts=verdicts)

    def store(self, judgment: Judgment, slots: Sequence[Slot], answers: Sequence[JudgedVersion]) -> None:
        rows = ({"edits": [edit._asdict() for edit in one.edits], "rank": one.rank} for one in answers)
        self.store_rows(judgment, slots, rows)

    def load(self, judgment: Judgment, slots: Sequence[Slot]) -> dict[str, Any]:
        given = self.rows_by_place(judgment, slots)
        verdicts: dict[str, Any] = {f"verdicts_{place}": row.edits for place, row in given}
        return verdicts | {f"rank_{place}": row.rank for place, row in given if row.rank is not None}

    def fault_of_expected(self, expected: str) -> str | None:
        if all(part.strip() for part in expected.split(",")):
            return None
        what = "write right, wrong: for a version with two edits, or"
        return f"{expected!r} is not a list of verdicts; {what} {NO_EDITS}:"

    def fault_of_version(self, source: str, version: ExampleVersion) -> str | None:
        """Whether there is a verdict for each edit of a version."""
        edits, given = len(derive_edits(normalise(source), normalise(version.text))), len(_verdicts(version.expected))
        if edits == given:
            return None
        return f"this version has {edits} edits and {given} verdicts; give one for each edit"

    def differences(self, example: Example, given: Sequence[JudgedVersion]) -> list[str]:
        """The edits whose verdicts differ; ? stands where the judge divided them otherwise."""
        source = normalise(example.source)
        said: dict[Edit, str] = {}
        for place, (version, judged) in enumerate(zip(example.versions, given, strict=True), 1):
            verdicts = {one.edit: one.verdict.casefold() for one in judged.edits if not one.is_missed}
            edits = derive_edits(source, normalise(version.text))
            for edit, expected in zip(edits, _verdicts(version.expected), strict=True):
                verdict = verdicts.get(edit, "?")
                if verdict != expected and edit not in said:
                    about = {
                        "edit": edit_in_words(source, edit),
                        "given": gettext(verdict),
                        "expected": gettext(expected),
                    }
                    words = gettext("%(letter)s, %(edit)s: you said %(given)s; we say %(expected)s.")
                    said[edit] = words % (about | {"letter": letter(place)})
        return list(said.values())

    def descriptions(self, judgments: QuerySet[Judgment]) -> Mapping[int, str]:
        """How many edits of a screen have which verdict, each counted once; and the ranks."""
        found: dict[int, set[JudgedEdit]] = defaultdict(set)
        for judgment, edits in EditVerdicts.objects.filter(judgment__in=judgments).values_list("judgment", "edits"):
            found[judgment].update(read_judged(edits))
        ranks = super().descriptions(judgments)
        said = {judgment: _in_words(Counter(one.verdict for one in edits)) for judgment, edits in found.items()}
        return {judgment: "; ".join(filter(None, [words, ranks.get(judgment)])) for judgment, words in said.items()}

    def answers_by_question(self, judgments: QuerySet[Judgment]) -> Mapping[int, Mapping[Any, Any]]:
        """The verdict on each edit of each version."""
        found: dict[int, dict[Any, Any]] = {}
        rows = EditVerdicts.objects.filter(judgment__in=judgments).values_list("judgment", "candidate", "edits")
        for judgment, candidate, edits in rows:
            given = {(candidate, *one[:3]): one.verdict for one in read_judged(edits) if not one.is_missed}
            found.setdefault(judgment, {}).update(given)
        return found

    def describe_program_answer(self, answers: Mapping[str, Any], place: int) -> str:
        """The verdicts on the edits of a version in their order, and its rank."""
        judged = read_judged(answers.get(f"verdicts_{place}", []))
        verdicts = ", ".join(gettext(one.verdict) for one in judged if not one.is_missed) or gettext("no edits")
        rank = answers.get(f"rank_{place}")
        return f"{verdicts}; {gettext('rank %(rank)s') % {'rank': rank}}" if rank else verdicts

    def passed_controls(self, judgments: QuerySet[Judgment]) -> dict[int, bool]:
        """Whether every error planted in the control is rejected."""
        columns = ("judgment", "candidate", "edits", "judgment__assignment__campaign__edit_verdicts")
        rows = list(EditVerdicts.objects.filter(judgment__in=judgments).values_list(*columns))
        controls = SystemOutput.objects.filter(
            candidate__in={candidate for _, candidate, _, _ in rows}, system__kind=System.Kind.CONTROL
        )
        planted = set(controls.values_list("candidate", flat=True))
        accepting = {
            text: {verdict.name for verdict in read_edit_verdicts(text) if verdict.accepts}
            for text in {text for *_, text in rows}
        }
        return {
            judgment: not any(one.verdict in accepting[text] for one in read_judged(edits))
            for judgment, candidate, edits, text in rows
            if candidate in planted
        }

    def columns(self, campaign: Campaign) -> Columns:
        """A row for each edit, and one for a version without any."""
        rows = Candidate.objects.filter(segment__campaign=campaign).values_list("pk", "segment__text")
        sources = {candidate: normalise(text or "") for candidate, text in rows.iterator(ROWS_AT_ONCE)}

        def cells_of(answer: AnswerRow) -> str:
            one, rank = answer.values
            if one is None:
                return cells(["", "", "", "", "", rank])
            original = sources[answer.candidate or 0][one.start : one.end]
            return cells([one.start, one.end, original, one.replacement, one.verdict, rank])

        def parts(answer: AnswerRow) -> Iterator[AnswerRow]:
            edits, rank = answer.values
            yield from (AnswerRow(answer.candidate, (one, rank)) for one in read_judged(edits) or [None])

        names = ("start", "end", "original", *JudgedEdit._fields[2:], "rank")
        of_texts = frozenset({"original", "replacement"})
        return candidate_columns(campaign, names, cells_of)._replace(of_texts=of_texts, parts=parts)

    def fault_of_answers(self, answers: Sequence[Mapping[str, Any]], length: int) -> str | None:
        if any(not lie_within(read_judged(answer["edits"]), length) for answer in answers):
            return "has an edit that does not lie in its sentence"
        return None

    def instrument(self, campaign: Campaign) -> Instrument:
        verdicts = read_edit_verdicts(campaign.edit_verdicts)
        values = ", ".join(verdict.name for verdict in verdicts)
        return Instrument("labelling", "choice", size=len(verdicts), values=values)


def _recorded(candidates: Sequence[int]) -> Mapping[int, list[tuple[Edit, ...]]]:
    """The edits of M2 files behind each candidate; an edit with several corrections made the first."""
    found: dict[int, list[tuple[Edit, ...]]] = defaultdict(list)
    outputs = SystemOutput.objects.filter(candidate__in=candidates, edits__isnull=False).order_by("pk")
    for candidate, text, edits in outputs.values_list("candidate", "segment__text", "edits"):
        by_tokens = [TokenEdit(start, end, (texts or [""])[0], kind) for start, end, texts, kind in edits or ()]
        found[candidate].append(by_characters(normalise(text or ""), by_tokens))
    return found


def _verdicts(text: str) -> list[str]:
    return [] if text.strip() == NO_EDITS else [part.strip().casefold() for part in text.split(",")]


def _in_words(counts: Mapping[str, int]) -> str:
    left = gettext("errors left")
    said = [f"{left if name == MISSED else gettext(name)}: {count}" for name, count in sorted(counts.items())]
    return ", ".join(said) or gettext("no edits")
