"""Single judgments of a report without names, comments and times, as CSV and JSON lines."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date
from enum import StrEnum
from typing import NamedTuple

from django.db.models import Max

from judgments.models import Candidate, Judgment, Screen, Segment
from judgments.protocols import protocol_of
from judgments.protocols.base import USAGES
from judgments.protocols.rows import ROWS_AT_ONCE, Answer, Columns, Head, Judged, judges_of
from judgments.protocols.stream import judged
from judgments.rules.files.csv_tables import cells, undefused
from ranking.models import Report
from ranking.stats.choices import ADJUDICATED, REVISED

Value = str | int | float | None
# A key of the database.
CANDIDATE = "candidate"


class Type(StrEnum):
    """Types of columns, as Croissant names them."""

    INTEGER = "sc:Integer"
    FLOAT = "sc:Float"
    TEXT = "sc:Text"


class Column(NamedTuple):
    name: str
    type: Type
    about: str


BEFORE = (
    Column("judgment", Type.INTEGER, "number of the judgment; its answers have a row each"),
    Column("judge", Type.TEXT, "who judged, under an anonymous name"),
    Column("document", Type.TEXT, "name of the document"),
    Column("segment", Type.INTEGER, "number of the segment, usually a sentence, among all of the campaign, from 1"),
)
SOURCE = Column("source", Type.TEXT, "text of the segment")
USAGE = Column("usage", Type.TEXT, "the stretch of the source that was judged")
OUTPUT = Column("output", Type.TEXT, "text of the version")
AFTER = (
    Column("repeat", Type.TEXT, "whether the judge was shown a screen again: yes or no"),
    Column("skipped", Type.TEXT, "whether the judge gave no answer: yes or no"),
    Column("skip_reason", Type.TEXT, "the reason for that, if one was given"),
    Column("seconds", Type.INTEGER, "time taken: active time if known, otherwise elapsed time"),
    Column("weight", Type.FLOAT, "how much the judgment counts where screens were drawn with unequal probability"),
)
# The columns of answers that are not texts, or that need an explanation.
KNOWN = {
    column.name: column
    for column in (
        Column("systems", Type.TEXT, "the systems with this output, and references, which are not in standings.csv"),
        Column("shown_position", Type.INTEGER, "place of the version on the screen, from 1"),
        Column("rank", Type.INTEGER, "rank of the version, 1 is best; equal ranks are ties"),
        Column("score", Type.FLOAT, "score of the version, more is better"),
        Column("meaning_changed", Type.TEXT, "whether the version changes the meaning: yes or no"),
        Column("instance", Type.TEXT, "name of the usage that was judged"),
        Column("gold", Type.TEXT, "the known answer, if there is one"),
        Column("control", Type.TEXT, "whether the screen checks the judge: yes or no"),
        Column("finding", Type.TEXT, "the verdict: error, ok or unknown"),
        Column("edit", Type.INTEGER, "number of the edit in this judgment, from 1"),
        Column("start", Type.INTEGER, "first character of the edit in the source, from 0"),
        Column("end", Type.INTEGER, "first character after the edit"),
        Column("original", Type.TEXT, "the characters that the edit replaces"),
        Column("replacement", Type.TEXT, "what it replaces them with"),
        Column("category", Type.TEXT, "category of the edit"),
    )
}


class Released(NamedTuple):
    """One judgment: values by column, and answers by the columns of the protocol."""

    head: dict[str, Value]
    answers: list[dict[str, Value]]


class Judgments(NamedTuple):
    """The judgments of a report, the columns of their table, and the days of those that were collected here."""

    of_head: tuple[Column, ...]
    of_answers: tuple[Column, ...]
    rows: list[Released]
    days: set[date]

    @property
    def columns(self) -> tuple[Column, ...]:
        first = len(self.of_head) - len(AFTER)
        return (*self.of_head[:first], *self.of_answers, *self.of_head[first:])

    def csv(self) -> str:
        """A row for each answer, and one for a judgment without."""
        names = [column.name for column in self.columns]
        lines = (
            cells(({**one.head, **answer}).get(name, "") for name in names)
            for one in self.rows
            for answer in one.answers or [{}]
        )
        return "".join(f"{line}\n" for line in [cells(names), *lines])

    def jsonl(self) -> str:
        lines = (json.dumps(one.head | {"answers": one.answers}, ensure_ascii=False) for one in self.rows)
        return "".join(f"{line}\n" for line in lines)


def judgments_of(report: Report, names: Mapping[str, str], with_texts: bool) -> Judgments:
    """Read the judgments that counted in the report, sentence by sentence, under the given names of judges."""
    campaign = report.campaign
    protocol = protocol_of(campaign)
    exported, texts = protocol.exported(campaign), _Texts(report) if with_texts else None
    kept = [name for name in exported.names if name != CANDIDATE and (with_texts or name not in exported.of_texts)]
    of_answers = [KNOWN.get(name, Column(name, Type.TEXT, name.replace("_", " "))) for name in kept]
    of_texts = [SOURCE, *([USAGE] if protocol.material == USAGES else [])] if texts else []
    judges = {pk: judge.pseudonym for pk, judge in judges_of(campaign).items()}
    rows, days = [], set()
    for number, (head, answers) in enumerate(_counted(report, {pk for pk in judges if judges[pk] in names}), 1):
        first: dict[str, Value] = {"judgment": number, "judge": names[judges[head.judge or 0]]}
        first |= {"document": head.document, "segment": head.position + 1}
        first |= texts.of_screen(head, of_texts) if texts else {}
        found = _read(exported, of_answers, head, answers)
        if texts and protocol.answers.of_candidates:
            for (_, answer), row in zip(exported.parted(answers), found, strict=True):
                row[OUTPUT.name] = texts.of_candidates.get(answer.candidate)
        if head.batch is not None:
            days.add(head.submitted_at.astimezone(UTC).date())
        rows.append(Released(first | _after(head), found))
    if texts and protocol.answers.of_candidates:
        of_answers.append(OUTPUT)
    return Judgments((*BEFORE, *of_texts, *AFTER), tuple(of_answers), rows, days)


def _counted(report: Report, judges: set[int]) -> Iterator[Judged]:
    """The judgments by these judges as they were when the report was made: it read revisions up to its newest."""
    made = Judgment.objects.filter(assignment__campaign=report.campaign_id, pk__lte=report.newest_judgment)
    if report.answers != REVISED:
        made = made.filter(after_feedback=False)
    if report.answers == ADJUDICATED:
        made = made.adjudicated()
    newest = made.order_by().values("assignment").annotate(newest=Max("pk"))
    counted = set(newest.values_list("newest", flat=True))
    for head, answers in judged(report.campaign, with_revisions=True, by_sentence=True):
        if head.pk in counted and head.judge in judges:
            yield head, answers


def _read(exported: Columns, columns: Iterable[Column], head: Head, answers: list[Answer]) -> list[dict[str, Value]]:
    """The answers in the columns of the protocol's export; those of a skip, if they say anything."""
    lines = [exported.cells(head, number, part) for number, part in exported.parted(answers)]
    found = []
    for line in lines or [exported.nothing(head)]:
        values = dict(zip(exported.names, map(undefused, next(csv.reader([line]))), strict=True))
        if answers or any(values.values()):
            found.append({column.name: _value(column.type, values[column.name]) for column in columns})
    return found


def _value(type_: Type, text: str) -> Value:
    if not text:
        return None if type_ != Type.TEXT else ""
    return {Type.INTEGER: int, Type.FLOAT: float}.get(type_, str)(text)


def _after(head: Head) -> dict[str, Value]:
    return {
        "repeat": "no" if head.repeats is None else "yes",
        "skipped": "yes" if head.skipped else "no",
        "skip_reason": head.skip_reason,
        "seconds": None if head.seconds is None else round(head.seconds),
        "weight": head.weight,
    }


class _Texts:
    """The texts of a campaign: of segments by position, of candidates by key, and of usages by screen."""

    def __init__(self, report: Report) -> None:
        campaign = report.campaign_id
        segments = Segment.objects.filter(campaign=campaign).values_list("position", "text")
        self.of_segments = dict(segments.iterator(ROWS_AT_ONCE))
        candidates = Candidate.objects.filter(segment__campaign=campaign).values_list("pk", "text")
        self.of_candidates: dict[int | None, str | None] = dict(candidates.iterator(ROWS_AT_ONCE))
        screens = Screen.objects.filter(campaign=campaign, usage__isnull=False)
        usages = screens.values_list("pk", "usage__start", "usage__end")
        self.usages = {screen: slice(start, end) for screen, start, end in usages.iterator(ROWS_AT_ONCE)}

    def of_screen(self, head: Head, columns: Iterable[Column]) -> dict[str, Value]:
        source = self.of_segments.get(head.position)
        usage = (source or "")[self.usages[head.screen]] if head.screen in self.usages else None
        texts = {SOURCE.name: source, USAGE.name: usage}
        return {column.name: texts[column.name] for column in columns}
