"""Single judgments of a report without names, comments and times, as CSV and JSON lines."""

import csv
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import UTC, date
from typing import NamedTuple

from django.db.models import Max

from judgments.models import Candidate, Judgment, Screen, Segment
from judgments.protocols import protocol_of
from judgments.protocols.base import USAGES
from judgments.protocols.rows import ROWS_AT_ONCE, AnswerRow, Columns, Head, Judged, judges_of
from judgments.protocols.stream import stream_judgments
from judgments.rules.files.csv_tables import cells, undo_defusing
from ranking.models import Report
from ranking.stats.choices import ADJUDICATED, REVISED

Value = str | int | float | None
# Types of columns, as Croissant names them.
INTEGER, FLOAT, TEXT = "sc:Integer", "sc:Float", "sc:Text"
READ: Mapping[str, Callable[[str], Value]] = {INTEGER: int, FLOAT: float, TEXT: str}
EMPTY: Mapping[str, Value] = {INTEGER: None, FLOAT: None, TEXT: ""}


class Column(NamedTuple):
    name: str
    type: str
    about: str


BEFORE = (
    Column("judgment", INTEGER, "number of the judgment; its answers have a row each"),
    Column("judge", TEXT, "who judged, under an anonymous name"),
    Column("document", TEXT, "name of the document"),
    Column("segment", INTEGER, "number of the segment, usually a sentence, among all of the campaign, from 1"),
)
SOURCE = Column("source", TEXT, "text of the segment")
USAGE = Column("usage_text", TEXT, "the stretch of the source that was judged")
OUTPUT = Column("output", TEXT, "text of the version")
AFTER = (
    Column("repeat", TEXT, "whether the judge was shown a screen again: yes or no"),
    Column("skipped", TEXT, "whether the judge gave no answer: yes or no"),
    Column("skip_reason", TEXT, "the reason for that, if one was given"),
    Column("seconds", INTEGER, "time taken: active time if known, otherwise elapsed time"),
    Column("weight", FLOAT, "how much the judgment counts where screens were drawn with unequal probability"),
)
# The columns of answers that are not texts, or that need an explanation.
KNOWN = {
    column.name: column
    for column in (
        Column("systems", TEXT, "the systems with this output, and references, which are not in standings.csv"),
        Column("shown_position", INTEGER, "place of the version on the screen, from 1"),
        Column("rank", INTEGER, "rank of the version, 1 is best; equal ranks are ties"),
        Column("score", FLOAT, "score of the version, more is better"),
        Column("meaning_changed", TEXT, "whether the version changes the meaning: yes or no"),
        Column("usage", TEXT, "name of the usage that was judged"),
        Column("gold", TEXT, "the known answer, if there is one"),
        Column("control", TEXT, "whether the screen checks the judge: yes or no"),
        Column("finding", TEXT, "the verdict: error, ok or unknown"),
        Column("edit", INTEGER, "number of the edit in this judgment, from 1"),
        Column("start", INTEGER, "first character of the edit in the source, from 0"),
        Column("end", INTEGER, "first character after the edit"),
        Column("original", TEXT, "the characters that the edit replaces"),
        Column("replacement", TEXT, "what it replaces them with"),
        Column("category", TEXT, "category of the edit"),
    )
}


class ReleasedJudgments(NamedTuple):
    """The judgments of a report, each with its own values and those of its answers.

    `days` are those of the judgments that were collected here.
    """

    columns: tuple[Column, ...]
    rows: list[tuple[dict[str, Value], list[dict[str, Value]]]]
    days: set[date]

    def csv(self) -> str:
        """A row for each answer, and one for a judgment without."""
        names = [column.name for column in self.columns]
        lines = (
            cells(({**head, **answer}).get(name, "") for name in names)
            for head, answers in self.rows
            for answer in answers or [{}]
        )
        return "".join(f"{line}\n" for line in [cells(names), *lines])

    def jsonl(self) -> str:
        lines = (json.dumps(head | {"answers": answers}, ensure_ascii=False) for head, answers in self.rows)
        return "".join(f"{line}\n" for line in lines)


def judgments_of(report: Report, names: Mapping[str, str], with_texts: bool) -> ReleasedJudgments:
    """Read the judgments that counted in the report, sentence by sentence, under the given names of judges."""
    campaign, protocol = report.campaign, protocol_of(report.campaign)
    exported = protocol.columns(campaign)
    with_outputs, with_usages = protocol.answers_on_candidates, protocol.material == USAGES
    # The key of a candidate in the database is left out.
    kept = [name for name in exported.names if name != "candidate" and (with_texts or name not in exported.of_texts)]
    of_answers = [KNOWN.get(name, Column(name, TEXT, name.replace("_", " "))) for name in kept]
    of_texts = [SOURCE, *([USAGE] if with_usages else [])] if with_texts else []
    sources: dict[int, str | None] = {}
    usages: dict[int, slice] = {}
    texts: dict[int | None, str | None] = {}
    if with_texts:
        segments = Segment.objects.filter(campaign=campaign).values_list("position", "text")
        sources = dict(segments.iterator(ROWS_AT_ONCE))
        screens = Screen.objects.filter(campaign=campaign, usage__isnull=False)
        places = screens.values_list("pk", "usage__start", "usage__end").iterator(ROWS_AT_ONCE)
        usages = {screen: slice(start, end) for screen, start, end in places}
        candidates = Candidate.objects.filter(segment__campaign=campaign).values_list("pk", "text")
        texts = dict(candidates.iterator(ROWS_AT_ONCE))
    judges = {pk: names[judge.pseudonym] for pk, judge in judges_of(campaign).items() if judge.pseudonym in names}
    rows, days = [], set()
    for number, (head, answers) in enumerate(_judgments_in(report, judges.keys()), 1):
        values: dict[str, Value] = {"judgment": number, "judge": judges[head.judge or 0]}
        values |= {"document": head.document, "segment": head.position + 1}
        if with_texts:
            values[SOURCE.name] = source = sources.get(head.position)
            if with_usages:
                values[USAGE.name] = (source or "")[usages[head.screen]] if head.screen in usages else None
        values |= {
            "repeat": "no" if head.repeats is None else "yes",
            "skipped": "yes" if head.skipped else "no",
            "skip_reason": head.skip_reason,
            "seconds": None if head.seconds is None else round(head.seconds),
            "weight": head.weight,
        }
        found = _cells_of(exported, of_answers, head, answers)
        if with_texts and with_outputs:
            for (_, answer), row in zip(exported.in_parts(answers), found, strict=True):
                row[OUTPUT.name] = texts.get(answer.candidate)
        if head.batch is not None:
            days.add(head.submitted_at.astimezone(UTC).date())
        rows.append((values, found))
    outputs = [OUTPUT] if with_texts and with_outputs else []
    return ReleasedJudgments((*BEFORE, *of_texts, *of_answers, *outputs, *AFTER), rows, days)


def _judgments_in(report: Report, judges: Collection[int]) -> Iterator[Judged]:
    """The judgments by these judges as they were when the report was made: it read revisions up to its newest."""
    made = Judgment.objects.filter(assignment__campaign=report.campaign_id, pk__lte=report.newest_judgment)
    if report.answers != REVISED:
        made = made.filter(after_feedback=False)
    if report.answers == ADJUDICATED:
        made = made.adjudicated()
    newest = made.order_by().values("assignment").annotate(newest=Max("pk"))
    counted = set(newest.values_list("newest", flat=True))
    for head, answers in stream_judgments(report.campaign, with_revisions=True, by_sentence=True):
        if head.pk in counted and head.judge in judges:
            yield head, answers


def _cells_of(
    exported: Columns, columns: Iterable[Column], head: Head, answers: list[AnswerRow]
) -> list[dict[str, Value]]:
    """The answers in the columns of the protocol's export; those of a skip, if they say anything."""
    lines = [exported.cells(head, number, part) for number, part in exported.in_parts(answers)]
    found = []
    for line in lines or [exported.nothing(head)]:
        values = dict(zip(exported.names, map(undo_defusing, next(csv.reader([line]))), strict=True))
        if answers or any(values.values()):
            found.append({
                column.name: READ[column.type](values[column.name]) if values[column.name] else EMPTY[column.type]
                for column in columns
            })  # fmt: skip
    return found
