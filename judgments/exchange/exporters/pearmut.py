"""Campaigns and answers for Pearmut, which shuffles outputs and hides the names of systems itself."""

import json
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import Any, NamedTuple, TypeVar

from judgments.exchange.exporters.base import JSON, JSON_LINES, ExportOptions, answers_in, compares_candidates, export
from judgments.models import Assignment, Campaign, Candidate, Rating, Segment, Slot, SystemOutput
from judgments.protocols.rows import ROWS_AT_ONCE, Head, judges_of, systems_behind
from judgments.protocols.stream import judged

R = TypeVar("R")
# Pearmut's direct assessment: a score from 0 to 100 for each output.
PROTOCOL = "DA"


class _Shown(NamedTuple):
    """A sentence as an item of Pearmut, with the keys of its task and of its document there."""

    task: object
    document: object
    item: dict[str, Any]


@export("pearmut-campaign.json", JSON, fits=compares_candidates)
def pearmut_campaign(campaign: Campaign, options: ExportOptions) -> Iterator[str]:
    """The sentences and outputs as a campaign of Pearmut, with a task for each judge of an assigned batch.

    References and controls are not in it, because Pearmut would show references to judges.
    """
    is_assigned = Assignment.objects.planned().filter(campaign=campaign).exists()
    info: dict[str, Any] = {"assignment": "task-based" if is_assigned else "single-stream", "protocol": PROTOCOL}
    info |= {} if is_assigned else {"users": campaign.redundancy}
    start = json.dumps({"info": info, "campaign_id": campaign.slug}, ensure_ascii=False)
    yield f'{start.removesuffix("}")}, "data": ['
    shown = _assigned(campaign) if is_assigned else _unassigned(campaign)
    tasks = groupby((one for one in shown if one.item["tgt"]), key=lambda one: one.task)
    for number, (_, task) in enumerate(tasks):
        documents = [[one.item for one in items] for _, items in groupby(task, key=lambda one: one.document)]
        written = json.dumps(documents, ensure_ascii=False)
        yield (",\n" if number else "\n") + (written if is_assigned else written[1:-1])
    yield "\n]}\n"


def _assigned(campaign: Campaign) -> Iterator[_Shown]:
    behind = systems_behind(campaign, system__takes_part=True)
    assignments = Assignment.objects.planned().filter(campaign=campaign).order_by("batch__number", "round", "position")
    columns = ("batch", "round", "pk", "screen", "screen__segment__position", "screen__segment__document__name")
    rows = assignments.values_list(*columns, "screen__segment__text").iterator(ROWS_AT_ONCE)
    for chunk in _chunks(rows):
        shown: dict[int, dict[str, str]] = {}
        slots = Slot.objects.filter(screen__in={row[3] for row in chunk}).order_by("screen", "position")
        for screen, candidate, text in slots.values_list("screen", "candidate", "candidate__text"):
            shown.setdefault(screen, {}).update(dict.fromkeys(behind.get(candidate, ()), text or ""))
        for batch, number, pk, screen, position, document, source in chunk:
            item = _item(campaign, document, position, source, shown.get(screen, {}))
            yield _Shown((batch, number), document if campaign.document_mode else pk, item)


def _unassigned(campaign: Campaign) -> Iterator[_Shown]:
    """Yield every sentence with the outputs of the systems that take part, a task for each document."""
    rows = Segment.objects.filter(campaign=campaign).order_by("position")
    columns = ("pk", "position", "document__name", "text")
    for chunk in _chunks(rows.values_list(*columns).iterator(ROWS_AT_ONCE)):
        outputs: dict[int, dict[str, str]] = {}
        kept = SystemOutput.objects.filter(segment__in=[row[0] for row in chunk], system__takes_part=True)
        for segment, system, text in kept.values_list("segment", "system__name", "candidate__text").order_by("pk"):
            outputs.setdefault(segment, {})[system] = text or ""
        for pk, position, document, source in chunk:
            yield _Shown(document, document, _item(campaign, document, position, source, outputs.get(pk, {})))


@export("pearmut-answers.jsonl", JSON_LINES, fits=answers_in(Rating))
def pearmut_answers(campaign: Campaign, options: ExportOptions) -> Iterator[str]:
    """The scores as answers of Pearmut, one judgment a line; systems with the same output have the same score."""
    names = {pk: judge.pseudonym for pk, judge in judges_of(campaign).items()}
    behind, number = systems_behind(campaign, system__takes_part=True), 0
    for chunk in _chunks(judged(campaign, options.with_excluded, with_programs=options.with_programs)):
        candidates = {answer.candidate or 0 for _, answers in chunk for answer in answers}
        texts = dict(Candidate.objects.filter(pk__in=candidates).values_list("pk", "text"))
        positions = {head.position for head, _ in chunk}
        segments = Segment.objects.filter(campaign=campaign, position__in=positions)
        sources = dict(segments.values_list("position", "text"))
        for head, answers in chunk:
            scores = {name: answer for answer in answers for name in behind.get(answer.candidate or 0, ())}
            if not scores:
                continue
            shown = {name: texts[answer.candidate or 0] or "" for name, answer in scores.items()}
            row = {
                "user_id": names[head.judge or 0],
                "item_i": number,
                "item": [_item(campaign, head.document, head.position, sources[head.position], shown)],
                "annotation": [{name: _annotation(answer.values[0]) for name, answer in scores.items()}],
                "actions": _actions(head),
            }
            number += 1
            yield json.dumps(row, ensure_ascii=False) + "\n"


def _annotation(score: float) -> dict[str, Any]:
    return {"score": score, "error_spans": [], "textfield": None}


def _actions(head: Head) -> list[dict[str, Any]]:
    if head.seconds is None:
        return []
    ended = head.submitted_at.timestamp()
    return [{"time": ended - head.seconds, "action": "load"}, {"time": ended, "action": "submit"}]


def _item(
    campaign: Campaign, document: str, position: int, source: str | None, outputs: dict[str, str]
) -> dict[str, Any]:
    """Identify the sentence as WMT does, by campaign, document and line; Pearmut's statistics need it."""
    return {"item_id": f"{campaign.slug}_#_{document}_#_{position + 1}", "src": source or "", "tgt": outputs}


def _chunks(rows: Iterable[R]) -> Iterator[list[R]]:
    rest = iter(rows)
    while chunk := list(islice(rest, ROWS_AT_ONCE)):
        yield chunk
