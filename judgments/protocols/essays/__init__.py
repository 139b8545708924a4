"""Whole texts by a rubric: numbers on several scales for each version, and perhaps the errors marked in it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from judgments.models import Campaign, Candidate, EssayRating, Judgment, Slot
from judgments.protocols.base import ESSAYS, AnswerTable, Instrument, Objects, Protocol
from judgments.protocols.candidates import Scale, candidate_columns
from judgments.protocols.essays.form import EssayForm, Said, specification, specification_of_example
from judgments.protocols.essays.teaching import TEACHING
from judgments.protocols.registry import rubric_of
from judgments.protocols.rows import ROWS_AT_ONCE, Answer, Columns
from judgments.rules.errors import Refused
from judgments.rules.files.csv_tables import cells
from judgments.rules.texts.spans import LONGEST_SEVERITY, LONGEST_TEXT, MOST_SPANS, is_within


def store(judgment: Judgment, slots: Sequence[Slot], said: Sequence[Said]) -> None:
    if not all(is_within(one.spans, slot.candidate.text or "") for slot, one in zip(slots, said, strict=True)):
        raise Refused(gettext("A marked error lies outside its text. Reload this page and mark it again."))
    EssayRating.objects.bulk_create(
        EssayRating(
            judgment=judgment,
            screen_id=slot.screen_id,
            candidate_id=slot.candidate_id,
            scores=dict(one.scores),
            spans=[span._asdict() for span in one.spans],
            score=one.score,
        )
        for slot, one in zip(slots, said, strict=True)
    )


def load(judgment: Judgment, slots: Sequence[Slot]) -> dict[str, Any]:
    stored = {one.candidate_id: one for one in EssayRating.objects.filter(judgment=judgment)}
    given = [(place, stored[slot.candidate_id]) for place, slot in enumerate(slots, 1) if slot.candidate_id in stored]
    return {f"scores_{place}": one.scores for place, one in given} | {
        f"spans_{place}": one.spans for place, one in given
    }


def columns(campaign: Campaign) -> Columns:
    """A column for each scale, blank where a judge could not say, and the errors with their characters and words."""
    rubric = rubric_of(campaign)
    texts = _texts(campaign) if rubric.severities else {}
    severities = [severity.name for severity in rubric.severities]
    scales = [scale.name for scale in rubric.scales]

    def written(answer: Answer) -> str:
        scores, reasons, spans, score = answer.values
        text = texts.get(answer.candidate or 0, "")
        marked = [f"{one['severity']} {one['start']}-{one['end']}" for one in spans]
        words = [text[one["start"] : one["end"]] for one in spans]
        counts = [sum(one["severity"] == name for one in spans) for name in severities]
        missing = [f"{name}: {reason}" for name, reason in reasons.items()]
        marks = [*counts, " | ".join(marked), " | ".join(words)] if severities else []
        return cells([score, *(scores.get(name) for name in scales), "; ".join(missing), *marks])

    names = ("score", *scales, "reasons", *severities, *(["errors", "error_words"] if severities else []))
    return candidate_columns(campaign, names, written)._replace(of_texts=frozenset({"error_words"}))


def _texts(campaign: Campaign) -> Mapping[int, str]:
    rows = Candidate.objects.filter(segment__campaign=campaign).values_list("pk", "text")
    return {pk: text or "" for pk, text in rows.iterator(ROWS_AT_ONCE)}


def values(campaign: Campaign) -> str:
    scales = rubric_of(campaign).scales
    return "; ".join(
        f"{scale.name}: {', '.join(f'{value} ({words})' for value, words in scale.words)}" for scale in scales
    )


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

PROTOCOL = Protocol(
    name="essays",
    label=gettext_lazy("Whole texts (scales, marked errors)"),
    explanation="asks how good each version of a whole text is, on several scales",
    task=gettext_lazy("How good is each version?"),
    form=EssayForm,
    answers=AnswerTable(EssayRating),
    store=store,
    load=load,
    specification=specification,
    specification_of_example=specification_of_example,
    inputs={"scores": SCORES, "spans": SPANS},
    teaching=TEACHING,
    guidance=Path(__file__).parent / "guidance",
    scale=Scale("score", ends=(0.0, 100.0)),
    columns=columns,
    instrument=Instrument(
        "direct",
        "choice",
        size=lambda campaign: max(scale.highest - scale.lowest + 1 for scale in rubric_of(campaign).scales),
        values=values,
    ),
    words={
        "scales_left": gettext_lazy("Version {number}: {scales}"),
        "rated": gettext_lazy("{done} of {all} rated"),
        "mark_as": gettext_lazy("Mark as {severity}"),
        "remove_mark": gettext_lazy("Remove the mark"),
        "unmark": gettext_lazy("Remove the mark: {severity}, “{text}”"),
    },
    material=ESSAYS,
    seconds=300.0,
    is_beside=True,
    special=frozenset({"rubric"}),
    without=frozenset({"compact_view", "document_mode"}),
    recommended={"design": "complete", "screen_size": 3, "batch_size": 5, "control_share": 0.1},
    report_kinds=("essays", "comparisons"),
    has_others_kappa=True,
)
