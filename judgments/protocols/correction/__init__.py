"""Correction: the edits that correct a sentence, or the statement that it has no error."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from judgments.models import Assignment, Campaign, Judgment, Segment, Slot
from judgments.models import Edit as StoredEdit
from judgments.protocols.base import Instrument, Objects, Protocol
from judgments.protocols.correction.form import CorrectionForm
from judgments.protocols.form import FormSpecification
from judgments.protocols.registry import categories_offered
from judgments.protocols.rows import ROWS_AT_ONCE, AnswerRow, Columns, Head, Merit, empty_cells
from judgments.rules.authored.categories import LONGEST_NAME
from judgments.rules.authored.tutorials import Example
from judgments.rules.files.csv_tables import cells
from judgments.rules.files.text_files import lines_of
from judgments.rules.texts.collapsing import normalise
from judgments.rules.texts.edits import LONGEST_REPLACEMENT, MOST_EDITS, Edit, apply_edits, derive_edits, overlaps

WORDS = {
    "no_edits_yet": gettext_lazy("Correct the sentence, or state that there is no error."),
    "edits_made": gettext_lazy("Edits: {count}"),
    "nothing_left": gettext_lazy("Nothing is left of the sentence. If it cannot be corrected, skip it."),
    "fine_said": gettext_lazy("No error."),
    "fine_or_edits": gettext_lazy("There are edits; remove them first if there is no error."),
    "category_lacking": gettext_lazy("An edit has no category yet."),
    "edit_too_long": gettext_lazy("An edit is too long; at most {most} characters are allowed."),
    "too_many_edits": gettext_lazy("There are too many edits; at most {most} are allowed. Join some."),
    "no_line": gettext_lazy("This has a tab, a line break or an invisible character; write a space instead."),
    "category_of": gettext_lazy("Category: {edit}"),
    "proposed_category": gettext_lazy("Proposed category: {edit}"),
    "go_edit": gettext_lazy("Go to: {edit}"),
    "split_edit": gettext_lazy("Split: {edit}"),
    "join_edit": gettext_lazy("Join with the next edit: {edit}"),
    "remove_edit": gettext_lazy("Remove: {edit}"),
}
EDITS = Objects(
    name="EditInput",
    about="The characters from start to end of the source, counted from 0 by code points, and their replacement.",
    fields={
        "start": serializers.IntegerField(min_value=0),
        "end": serializers.IntegerField(min_value=0),
        "replacement": serializers.CharField(allow_blank=True, trim_whitespace=False, max_length=LONGEST_REPLACEMENT),
        "category": serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_NAME),
    },
    most=MOST_EDITS,
)
INPUTS = {
    "edits": EDITS,
    "text": serializers.CharField(
        required=False, trim_whitespace=False, help_text="Correction: the corrected sentence, instead of its edits."
    ),
    "fine": serializers.BooleanField(required=False, help_text="Correction: that there is no error."),
}


class CorrectionProtocol(Protocol):
    name = "correction"
    label = gettext_lazy("Correction (write the edits)")
    explanation = "asks for the edits that correct each sentence"
    task = gettext_lazy("Correct the sentence")
    how = gettext_lazy("Type into the sentence, or tick “No error”.")
    how_by_key = gettext_lazy("Ctrl Enter ticks it.")
    form = CorrectionForm
    answer_model = StoredEdit
    inputs = INPUTS
    words = WORDS
    has_candidates = False
    in_order = True
    context_sentences = 30
    seconds = 60.0
    special_settings = frozenset({"category_list", "categories"})
    # Candidates are not compared, and there are no controls.
    unused_settings = frozenset({
        "sampling", "screen_size", "automatic_ties", "one_domain_a_day", "control_share", "control_pass_share",
        "least_controls", "compact_view", "majority_feedback",
    })  # fmt: skip
    recommended: ClassVar = {"design": "complete", "repeat_share": 0.0, "control_share": 0.0}
    report_kinds = ("corrections",)
    has_alternatives = True

    def specification(self, assignment: Assignment, slots: Sequence[Slot] | None = None) -> FormSpecification:
        return FormSpecification(1, assignment.screen.segment.text or "", categories_offered(assignment.campaign))

    def store(self, judgment: Judgment, slots: Sequence[Slot], answers: Sequence[Edit]) -> None:
        StoredEdit.objects.bulk_create(
            StoredEdit(judgment=judgment, position=position, **edit._asdict()) for position, edit in enumerate(answers)
        )

    def load(self, judgment: Judgment, slots: Sequence[Slot]) -> dict[str, Any]:
        """The fields of the form as submitted; a skip does not state that there is no error."""
        stored = StoredEdit.objects.filter(judgment=judgment).order_by("position")
        edits = [Edit(*row) for row in stored.values_list(*Edit._fields)]
        return {
            "edits_1": [edit._asdict() for edit in edits],
            "text_1": apply_edits(judgment.screen.segment.text or "", edits),
            "fine_1": not edits and not judgment.skipped,
        }

    def fault_of_expected(self, expected: str) -> str | None:
        return None if expected == "as" else f"{expected!r} is not allowed here; write as: and the corrected sentence"

    def differences(self, example: Example, given: Sequence[str]) -> list[str]:
        """The words that differ from those of the nearest expected sentence."""
        (expected,), sentence = example.expected, normalise(given[0])
        nearest = min((derive_edits(sentence, normalise(line)) for line in lines_of(expected)), key=len)
        said = []
        for edit in nearest:
            yours, ours = sentence[edit.start : edit.end].strip(), edit.replacement.strip()
            words = gettext("You have “%(yours)s”; we have “%(ours)s”.")
            if not (yours and ours):
                words = gettext("Only you have “%(yours)s”.") if yours else gettext("Only we have “%(ours)s”.")
            said.append(words % {"yours": yours, "ours": ours})
        return said

    def merits(self, judgments: QuerySet[Judgment]) -> Iterator[Merit]:
        """Whether the judge changed the sentence."""
        changed = set(StoredEdit.objects.filter(judgment__in=judgments).values_list("judgment", flat=True))
        for judgment, segment in judgments.filter(skipped=False).values_list("pk", "screen__segment"):
            yield Merit(judgment, segment, float(judgment in changed))

    def descriptions(self, judgments: QuerySet[Judgment]) -> Mapping[int, str]:
        texts = dict(judgments.filter(skipped=False).values_list("pk", "screen__segment__text"))
        edits: dict[int, list[Edit]] = {judgment: [] for judgment in texts}
        rows = StoredEdit.objects.filter(judgment__in=texts).order_by("judgment", "position")
        for judgment, start, end, replacement in rows.values_list("judgment", "start", "end", "replacement"):
            edits[judgment].append(Edit(start, end, replacement))
        return {
            judgment: apply_edits(text or "", edits[judgment]) if edits[judgment] else gettext("No error")
            for judgment, text in texts.items()
        }

    def columns(self, campaign: Campaign) -> Columns:
        """The start, end, original text and replacement of each edit."""
        segments = Segment.objects.filter(campaign=campaign)
        texts = dict(segments.values_list("position", "text").iterator(ROWS_AT_ONCE))

        def row(head: Head, number: int, answer: AnswerRow) -> str:
            _, start, end, replacement, category = answer.values
            return cells([number, start, end, (texts[head.position] or "")[start:end], replacement, category])

        names = ("edit", "start", "end", "original", "replacement", "category")
        return Columns(names, row, empty_cells(names), frozenset({"original", "replacement"}))

    def fault_of_answers(self, answers: Sequence[Mapping[str, Any]], length: int) -> str | None:
        if any(not edit["start"] <= edit["end"] <= length for edit in answers):
            return "has an edit that does not lie in its sentence"
        if len({edit["position"] for edit in answers}) < len(answers):
            return "has two edits in one position"
        if any(overlaps([Edit(edit["start"], edit["end"], edit["replacement"]) for edit in answers])):
            return "has edits that overlap"
        return None

    def instrument(self, campaign: Campaign) -> Instrument:
        task = "Judges correct the sentence; their edits are stored, each with a category if one is chosen."
        return Instrument("editing", task=task)
