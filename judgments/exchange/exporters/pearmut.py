"""Campaigns and answers for Pearmut, which shuffles outputs and hides the names of systems itself."""

import json
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import Any, TypeVar

from judgments.exchange.exporters.base import JSON, JSON_LINES, ExportOptions, answers_in, compares_candidates, export
from judgments.models import Assignment, Campaign, Candidate, Rating, Segment, Slot
from judgments.protocols.rows import ROWS_AT_ONCE, judges_of, systems_behind
from judgments.protocols.stream import stream_judgments

R = TypeVar("R")
SENTENCE = ("position", "document__name", "text")
# A task and a document of Pearmut, and a sentence in it.
Shown = tuple[object, object, dict[str, Any]]


@export("pearmut-campaign.json", JSON, fits=compares_candidates, marks_excluded=True)
def pearmut_campaign(campaign: Campaign, options: ExportOptions) -> Iterator[str]:
    """The sentences and outputs as a campaign of Pearmut, with a task for each judge of an assigned batch.

    References and controls are not in it, because Pearmut would show references to judges. It has no judgments, so none
    to mark or leave out.
    """
    is_assigned = Assignment.objects.planned().filter(campaign=campaign).exists()
    info: dict[str, Any] = {"assignment": "task-based" if is_assigned else "single-stream", "protocol": "DA"}
    info |= {} if is_assigned else {"users": campaign.redundancy}
    start = json.dumps({"info": info, "campaign_id": campaign.slug}, ensure_ascii=False)
    yield f'{start.removesuffix("}")}, "data": ['
    tasks = groupby(_shown(campaign, is_assigned), key=lambda shown: shown[0])
    for number, (_, task) in enumerate(tasks):
        documents = [[shown[2] for shown in items] for _, items in groupby(task, key=lambda shown: shown[1])]
        written = json.dumps(documents, ensure_ascii=False)
        yield (",\n" if number else "\n") + (written if is_assigned else written[1:-1])
    yield "\n]}\n"


def _shown(campaign: Campaign, is_assigned: bool) -> Iterator[Shown]:
    """Yield the sentences of each assignment; before there are any, all sentences with all outputs."""
    behind = systems_behind(campaign, system__takes_part=True)
    document = "screen__segment__document" if campaign.document_mode else "pk"
    if is_assigned:
        rows: Any = Assignment.objects.planned().order_by("batch__number", "round", "position")
        columns, prefix = ("batch", "round", document, "screen"), "screen__segment__"
        outputs: Any = Slot.objects.order_by("position").values_list("screen", "candidate", "candidate__text")
    else:
        rows, columns, prefix = Segment.objects.order_by("position"), ("document", "document", "document", "pk"), ""
        outputs = Candidate.objects.order_by("pk").values_list("segment", "pk", "text")
    found = rows.filter(campaign=campaign).values_list(*columns, *(prefix + column for column in SENTENCE))
    for chunk in _chunks(found.iterator(ROWS_AT_ONCE)):
        texts: dict[int, dict[str, str]] = {row[3]: {} for row in chunk}
        for place, candidate, text in outputs.filter(**{f"{'screen' if is_assigned else 'segment'}__in": texts}):
            texts[place] |= dict.fromkeys(behind.get(candidate, ()), text or "")
        for batch, number, part, place, position, name, source in chunk:
            if texts[place]:
                yield (batch, number), part, _item(campaign, position, name, source, texts[place])


@export("pearmut-answers.jsonl", JSON_LINES, fits=answers_in(Rating))
def pearmut_answers(campaign: Campaign, options: ExportOptions) -> Iterator[str]:
    """The scores as answers of Pearmut, one judgment a line; systems with the same output have the same score."""
    names = {pk: judge.pseudonym for pk, judge in judges_of(campaign).items()}
    behind, number = systems_behind(campaign, system__takes_part=True), 0
    for chunk in _chunks(stream_judgments(campaign, options.with_excluded, with_programs=options.with_programs)):
        candidates = {answer.candidate or 0 for _, answers in chunk for answer in answers}
        texts = dict(Candidate.objects.filter(pk__in=candidates).values_list("pk", "text"))
        segments = Segment.objects.filter(campaign=campaign, position__in={head.position for head, _ in chunk})
        sources = dict(segments.values_list("position", "text"))
        for head, answers in chunk:
            given = {name: answer for answer in answers for name in behind.get(answer.candidate or 0, ())}
            shown = {name: texts[answer.candidate or 0] or "" for name, answer in given.items()}
            scores = {
                name: {"score": answer.values[0], "error_spans": [], "textfield": None}
                for name, answer in given.items()
            }
            ended = head.submitted_at.timestamp()
            begun = ended - (head.seconds or 0)
            row = {
                "user_id": names[head.judge or 0],
                "item_i": number,
                "item": [_item(campaign, head.position, head.document, sources[head.position], shown)],
                "annotation": [scores],
                "actions": [{"time": begun, "action": "load"}, {"time": ended, "action": "submit"}],
            }
            number += bool(scores)
            yield json.dumps(row, ensure_ascii=False) + "\n" if scores else ""


def _item(
    campaign: Campaign, position: int, document: str, source: str | None, outputs: dict[str, str]
) -> dict[str, Any]:
    """Identify the sentence as WMT does, by campaign, document and line; Pearmut's statistics need it."""
    return {"item_id": f"{campaign.slug}_#_{document}_#_{position + 1}", "src": source or "", "tgt": outputs}


def _chunks(rows: Iterable[R]) -> Iterator[list[R]]:
    rest = iter(rows)
    while chunk := list(islice(rest, ROWS_AT_ONCE)):
        yield chunk
