"""Whole texts by a rubric: numbers on several scales for each version, and perhaps the errors marked in it."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from judgments.models import Assignment, Campaign, Candidate, EssayRating, Judgment, Slot
from judgments.protocols.base import ESSAYS, Instrument, Objects, Protocol
from judgments.protocols.essays.form import EssayForm, RatedVersion
from judgments.protocols.form import FormSpecification, differences_from, letter, read_range
from judgments.protocols.registry import rubric_of
from judgments.protocols.rows import ROWS_AT_ONCE, AnswerRow, AnswerScale, Columns, candidate_columns
from judgments.rules.authored.tutorials import Example
from judgments.rules.errors import Refused
from judgments.rules.files.csv_tables import cells
from judgments.rules.texts.marking import LONGEST_SEVERITY, LONGEST_TEXT, MOST_SPANS, is_within

SPANS = Objects(
    name="SpanInput",
    about="The characters from start to end of the candidate are an error; counted from 0 by code points.",
    fields={
        "start": serializers.IntegerField(min_value=0, max_value=LONGEST_TEXT),
        "end": serializers.IntegerField(min_value=1, max_value=LONGEST_TEXT),
        "severity": serializers.CharField(max_length=LONGEST_SEVERITY),
    },
    most=MOST_SPANS,
)
SCORES = serializers.DictField(
    child=serializers.IntegerField(allow_null=True),
    required=False,
    help_text="Essays: a number by the name of each scale; null if you cannot say.",
)


class EssaysProtocol(Protocol):
    """Tutorial examples have the expected numbers in the order of the scales, such as `4, 2-3, 4`."""

    name = "essays"
    label = gettext_lazy("Whole texts (scales, marked errors)")
    explanation = "asks how good each version of a whole text is, on several scales"
    task = gettext_lazy("How good is each version?")
    how = gettext_lazy("Choose a number on each scale.")
    how_by_key = gettext_lazy("Or type it; ] leads to the next version.")
    form = EssayForm
    answer_model = EssayRating
    inputs: ClassVar = {"scores": SCORES, "spans": SPANS}
    words: ClassVar = {
        "scales_left": gettext_lazy("Version {letter} has no number yet: {scales}"),
        "rated": gettext_lazy("{done} of {all} rated"),
        "slider": gettext_lazy("{label}, slider"),
        "not_rated": gettext_lazy("not rated yet"),
        "mark_as": gettext_lazy("Mark as {severity}"),
        "remove_mark": gettext_lazy("Remove the mark"),
        "unmark": gettext_lazy("Remove the mark: {severity}, “{text}”"),
    }
    scale = AnswerScale("score", ends=(0.0, 100.0))
    material = ESSAYS
    seconds = 300.0
    is_beside = True
    special_settings = frozenset({"rubric"})
    unused_settings = frozenset({"compact_view", "document_mode"})
    recommended: ClassVar = {"design": "complete", "screen_size": 3, "batch_size": 5, "control_share": 0.1}
    report_kinds = ("essays", "comparisons")
    has_others_kappa = True

    def specification(self, assignment: Assignment, slots: Sequence[Slot] | None = None) -> FormSpecification:
        return FormSpecification(len(assignment.order), rubric=rubric_of(assignment.campaign))

    def specification_of_example(self, campaign: Campaign, example: Example) -> FormSpecification:
        return FormSpecification(len(example.versions), example.source, rubric=rubric_of(campaign))

    def store(self, judgment: Judgment, slots: Sequence[Slot], answers: Sequence[RatedVersion]) -> None:
        if not all(is_within(one.spans, slot.candidate.text or "") for slot, one in zip(slots, answers, strict=True)):
            raise Refused(gettext("A marked error lies outside its text. Reload this page and mark it again."))
        rows = (
            {"scores": dict(one.scores), "spans": [span._asdict() for span in one.spans], "score": one.score}
            for one in answers
        )
        self.store_rows(judgment, slots, rows)

    def load(self, judgment: Judgment, slots: Sequence[Slot]) -> dict[str, Any]:
        given = self.rows_by_place(judgment, slots)
        scores: dict[str, Any] = {f"scores_{place}": one.scores for place, one in given}
        return scores | {f"spans_{place}": one.spans for place, one in given}

    def fault_of_expected(self, expected: str) -> str | None:
        if all(map(read_range, expected.split(","))):
            return None
        return f"{expected!r} is not allowed here; write the expected number on each scale in turn, as in 4, 2-3, 4:"

    def differences(self, example: Example, given: Sequence[RatedVersion]) -> list[str]:
        """The scales on which a version's number differs, as far as both go."""
        said = []
        for place, (expected, version) in enumerate(zip(example.expected, given, strict=True), 1):
            for wanted, (scale, number) in zip(expected.split(","), version.scores.items(), strict=False):
                said += differences_from(wanted, f"{letter(place)}, {scale}", number)
        return said

    def columns(self, campaign: Campaign) -> Columns:
        """A column for each scale, blank where a judge could not say; errors with their characters and words."""
        rubric = rubric_of(campaign)
        severities = [severity.name for severity in rubric.severities]
        scales = [scale.name for scale in rubric.scales]
        texts: dict[int, str | None] = {}
        if severities:
            candidates = Candidate.objects.filter(segment__campaign=campaign)
            texts = dict(candidates.values_list("pk", "text").iterator(ROWS_AT_ONCE))

        def cells_of(answer: AnswerRow) -> str:
            scores, reasons, spans, score = answer.values
            text = texts.get(answer.candidate or 0) or ""
            marked = [f"{one['severity']} {one['start']}-{one['end']}" for one in spans]
            words = [text[one["start"] : one["end"]] for one in spans]
            counts = [sum(one["severity"] == name for one in spans) for name in severities]
            missing = [f"{name}: {reason}" for name, reason in reasons.items()]
            marks = [*counts, " | ".join(marked), " | ".join(words)] if severities else []
            return cells([score, *(scores.get(name) for name in scales), "; ".join(missing), *marks])

        names = ("score", *scales, "reasons", *severities, *(["errors", "error_words"] if severities else []))
        return candidate_columns(campaign, names, cells_of)._replace(of_texts=frozenset({"error_words"}))

    def instrument(self, campaign: Campaign) -> Instrument:
        scales = rubric_of(campaign).scales
        values = (
            f"{scale.name}: {', '.join(f'{value} ({words})' for value, words in scale.words)}" for scale in scales
        )
        longest = max(scale.highest - scale.lowest + 1 for scale in scales)
        return Instrument("direct", "choice", size=longest, values="; ".join(values))
