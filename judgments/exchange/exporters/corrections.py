"""Corrections by sentence: as M2, JSON lines, parallel text and references."""

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from judgments.exchange.exporters.base import JSON_LINES, PLAIN, ExportOptions, answers_in, export, export_zip
from judgments.exchange.importers.rules.corrections import JUDGES, LEFT_OUT, SOURCE, file_of
from judgments.models import Campaign, Judgment, Segment
from judgments.models import Edit as StoredEdit
from judgments.protocols.rows import ROWS_AT_ONCE, AnswerRow, Judged, judges_of
from judgments.protocols.stream import stream_judgments
from judgments.rules.files.csv_tables import csv_lines
from judgments.rules.texts.edits import Edit, apply_edits
from judgments.rules.texts.m2 import annotation, noop
from judgments.rules.texts.token_edits import by_tokens

has_corrections = answers_in(StoredEdit)


class Sentence(NamedTuple):
    """A sentence, and its judgments by judge, repeats last."""

    position: int
    document: str
    text: str
    judgments: dict[int, list[Judged]]

    def edits(self, judge: int) -> list[Edit] | None:
        """Return a judge's edits, from the first answer if there are repeats; None without an answer."""
        for head, answers in self.judgments.get(judge, ()):
            if not head.skipped:
                return edits_of(answers)
        return None


def edits_of(answers: Iterable[AnswerRow]) -> list[Edit]:
    return [Edit(*answer.values[1:]) for answer in answers]


def correctors(campaign: Campaign, options: ExportOptions) -> dict[int, str]:
    """Return the names of the judges who corrected at least one sentence, by id and in the order of ids."""
    judgments = Judgment.objects.current().filter(assignment__campaign=campaign, skipped=False)
    active = set(judgments.order_by().values_list("assignment__judge", flat=True).distinct())
    return {
        pk: judge.pseudonym
        for pk, judge in sorted(judges_of(campaign).items())
        if pk in active
        and (options.with_excluded or not judge.is_excluded)
        and (options.with_programs or not judge.is_program)
    }


def sentences(campaign: Campaign, options: ExportOptions, judge: int | None = None) -> Iterator[Sentence]:
    """Yield all sentences with a text, judged or not, in the order of the text."""
    rows = stream_judgments(
        campaign, options.with_excluded, with_programs=options.with_programs, by_sentence=True, judge=judge
    )
    groups = groupby(rows, key=lambda row: row[0].position)
    here, group = next(groups, (None, iter(())))
    for position, document, text in texts(campaign):
        while here is not None and here < position:
            here, group = next(groups, (None, iter(())))
        by_judge: dict[int, list[Judged]] = {}
        for head, answers in sorted(group if here == position else (), key=lambda one: one[0].turn):
            if head.judge is not None:
                by_judge.setdefault(head.judge, []).append((head, answers))
        yield Sentence(position, document, text, by_judge)


def judged_one_by_one(campaign: Campaign, options: ExportOptions) -> Iterator[tuple[Sentence, str, Judged]]:
    """Yield each judgment with its sentence and the name of its judge, by sentence and name."""
    names = {pk: judge.pseudonym for pk, judge in judges_of(campaign).items()}
    for sentence in sentences(campaign, options):
        for judge in sorted(sentence.judgments, key=names.__getitem__):
            for judgment in sentence.judgments[judge]:
                yield sentence, names[judge], judgment


def texts(campaign: Campaign) -> Iterator[tuple[int, str, str]]:
    """Yield position, document and text of every sentence with a text, in the order of the text."""
    rows = Segment.objects.filter(campaign=campaign, text__isnull=False).order_by("position")
    for position, document, text in rows.values_list("position", "document__name", "text").iterator(ROWS_AT_ONCE):
        yield position, document, text or ""


@export("corrections.m2", PLAIN, fits=has_corrections)
def corrections_m2(campaign: Campaign, options: ExportOptions) -> Iterator[str]:
    """The corrections as M2 for scorers, with one annotator per judge.

    A judge who found no error has a noop.
    """
    judges = list(correctors(campaign, options))
    for sentence in sentences(campaign, options):
        yield f"S {' '.join(sentence.text.split())}\n"
        for number, judge in enumerate(judges):
            edits = sentence.edits(judge)
            if edits is None:
                continue
            token_edits = by_tokens(sentence.text, edits)
            for start, end, correction, category in token_edits:
                yield annotation(start, end, category, correction, number) + "\n"
            if not token_edits:
                yield noop(number) + "\n"
        yield "\n"


@export("corrections.jsonl", JSON_LINES, fits=has_corrections)
def corrections_jsonl(campaign: Campaign, options: ExportOptions) -> Iterator[str]:
    """One JSON object per judgment, with its edits by characters and by words.

    A skip has its reason as a label instead of a correction.
    """
    for sentence, judge, (head, answers) in judged_one_by_one(campaign, options):
        edits = edits_of(answers)
        row = {
            "judge": judge,
            "line": sentence.position + 1,
            "document": sentence.document,
            "source": sentence.text,
            "corrected": None if head.skipped else apply_edits(sentence.text, edits),
            "edits": [edit._asdict() for edit in edits],
            "token_edits": [edit._asdict() for edit in by_tokens(sentence.text, edits)],
            "label": head.skip_reason,
            "seconds": head.seconds,
        }
        yield json.dumps(row, ensure_ascii=False) + "\n"


@export_zip("corrections.zip", fits=has_corrections)
def corrections_zip(campaign: Campaign, options: ExportOptions) -> Iterator[tuple[str, Iterable[str]]]:
    """The corrected sentences as parallel text: the source, and one file per judge.

    Tools need one line per sentence, so a sentence that a judge did not correct keeps its source and is listed in a
    table; an empty line would mean a correction that deletes everything.
    """
    judges = correctors(campaign, options)
    names = ((file_of(number), name) for number, name in enumerate(judges.values()))
    yield JUDGES.name, csv_lines(JUDGES.columns, names)
    yield SOURCE, (f"{text}\n" for _, _, text in texts(campaign))
    left_out: list[tuple[str, int, str]] = []
    for number, judge in enumerate(judges):
        yield file_of(number), _lines(file_of(number), judge, sentences(campaign, options, judge), left_out)
    yield LEFT_OUT.name, csv_lines(LEFT_OUT.columns, left_out)


def _lines(name: str, judge: int, found: Iterable[Sentence], left_out: list[tuple[str, int, str]]) -> Iterator[str]:
    for line, sentence in enumerate(found, 1):
        edits = sentence.edits(judge)
        if edits is None:
            reasons = [head.skip_reason for head, _ in sentence.judgments.get(judge, ())]
            left_out.append((name, line, reasons[0] if reasons else ""))
        yield apply_edits(sentence.text, edits or ()) + "\n"
