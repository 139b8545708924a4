"""Verdicts on edits: as M2 by system, as text with the edits in brackets, and as JSON lines."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from judgments.exchange.exporters.appraise_xml import appraise_xml
from judgments.exchange.exporters.base import JSON_LINES, ExportOptions, answers_in, export, export_zip
from judgments.exchange.exporters.corrections import Sentence, correctors, judged_one_by_one, sentences, texts
from judgments.models import Campaign, Candidate, EditVerdicts
from judgments.protocols.rows import AnswerRow, systems_behind
from judgments.rules.authored.edit_verdicts import read_edit_verdicts
from judgments.rules.files.csv_tables import csv_lines
from judgments.rules.texts.bracketed import Notation
from judgments.rules.texts.collapsing import normalise
from judgments.rules.texts.edits import Edit, JudgedEdit, read_judged
from judgments.rules.texts.m2 import EMPTY_CORRECTION, annotation, noop
from judgments.rules.texts.token_edits import TokenEdit, by_tokens

has_edit_verdicts = answers_in(EditVerdicts)
JUDGES = "judges.csv"
# In M2, an error that was marked and not corrected.
UNCORRECTED = "UNK"
UNSAFE = frozenset('/\\:*?"<>|')


class MarkedVersion(NamedTuple):
    """A version that a judge saw."""

    candidate: int
    edits: tuple[JudgedEdit, ...]
    rank: int | None


def marked_versions(answers: Iterable[AnswerRow]) -> list[MarkedVersion]:
    return [MarkedVersion(one.candidate or 0, read_judged(one.values[0]), one.values[1]) for one in answers]


@export("edits.jsonl", JSON_LINES, fits=has_edit_verdicts)
def edits_jsonl(campaign: Campaign, options: ExportOptions) -> Iterator[str]:
    """One JSON object per version that a judge saw, with its edits, their verdicts, its rank and its systems."""
    behind = systems_behind(campaign)
    versions = dict(Candidate.objects.filter(segment__campaign=campaign).values_list("pk", "text"))
    for sentence, judge, (head, answers) in judged_one_by_one(campaign, options):
        for one in marked_versions(answers):
            row = {
                "judge": judge,
                "line": sentence.position + 1,
                "document": sentence.document,
                "source": normalise(sentence.text),
                "version": versions.get(one.candidate),
                "systems": behind.get(one.candidate, ()),
                "edits": [edit._asdict() for edit in one.edits],
                "rank": one.rank,
                "seconds": head.seconds,
            }
            yield json.dumps(row, ensure_ascii=False) + "\n"


@export_zip("edits-m2.zip", fits=has_edit_verdicts)
def edits_m2(campaign: Campaign, options: ExportOptions) -> Iterator[tuple[str, Iterable[str]]]:
    """A system's edits as M2, one file per system: an annotator per judge, verdicts as types, UNK for errors left."""
    judges, behind = correctors(campaign, options), systems_behind(campaign, system__takes_part=True)
    yield JUDGES, csv_lines(("annotator", "judge"), enumerate(judges.values()))
    for system in sorted({name for names in behind.values() for name in names}):
        own = {candidate for candidate, names in behind.items() if system in names}
        yield f"{system}.m2", _m2_lines(sentences(campaign, options), list(judges), own)


def _m2_lines(found: Iterable[Sentence], judges: Sequence[int], own: set[int]) -> Iterator[str]:
    for sentence in found:
        text = normalise(sentence.text)
        yield f"S {text}\n"
        for number, judge in enumerate(judges):
            rows = (one for _, answers in sentence.judgments.get(judge, ()) for one in marked_versions(answers))
            first = next((one for one in rows if one.candidate in own), None)
            if first is None:
                continue
            lines = [
                annotation(*edit[:2], edit.category, edit.correction, number) for edit in _tokens(text, first.edits)
            ]
            yield from (f"{line}\n" for line in lines or [noop(number)])
        yield "\n"


def _tokens(text: str, judged: Sequence[JudgedEdit]) -> list[TokenEdit]:
    """The edits by words, and the errors that are left."""
    made = (Edit(*one.edit[:3], one.verdict) for one in judged if not one.is_missed)
    left = [
        TokenEdit(len(text[: one.start + 1].split()) - 1, len(text[: one.end].split()), EMPTY_CORRECTION, UNCORRECTED)
        for one in judged
        if one.is_missed
    ]
    return sorted([*by_tokens(text, made), *left])


@export_zip("edits.zip", fits=has_edit_verdicts)
def edits_zip(campaign: Campaign, options: ExportOptions) -> Iterator[tuple[str, Iterable[str]]]:
    """Text files, one per judge and sentence, with edits such as [go→goes|True], and the rankings as Appraise's XML."""
    folders = {pk: _folder(name, number) for number, (pk, name) in enumerate(correctors(campaign, options).items())}
    notation, around = Notation(read_edit_verdicts(campaign.edit_verdicts)), _context(campaign)
    for sentence in sentences(campaign, options):
        for judge, folder in folders.items():
            given = [
                marked_versions(answers) for head, answers in sentence.judgments.get(judge, ()) if not head.skipped
            ]
            for number, versions in enumerate(given, 1):
                name = f"{sentence.position + 1}{f'-{number}' if number > 1 else ''}.txt"
                yield f"{folder}/{name}", _text(sentence, versions, notation, around.get(sentence.position, ("", "")))
    if EditVerdicts.objects.filter(judgment__assignment__campaign=campaign, rank__isnull=False).exists():
        yield "rankings.xml", map(str, appraise_xml.write(campaign, options))


def _text(
    sentence: Sentence, versions: Sequence[MarkedVersion], notation: Notation, around: tuple[str, str]
) -> Iterator[str]:
    source = normalise(sentence.text)
    left = dict.fromkeys(edit for one in versions for edit in one.edits if edit.is_missed)
    apart = [edit for edit in left if not any(other.start < edit.end and edit.start < other.end and other != edit
                                              for other in left)]  # fmt: skip
    before, after = around
    yield "<Source with context>\n"
    yield f"{before}\n" if before else ""
    yield f"<t>{notation.write(source, apart)}</t>\n"
    yield f"{after}\n" if after else ""
    yield "\n<Correction>\n"
    for number, one in enumerate(versions, 1):
        shown = [edit for edit in one.edits if not edit.is_missed or edit not in apart]
        yield f"<s{number}>{notation.write(source, shown)}</s{number}>\n"


def _context(campaign: Campaign) -> dict[int, tuple[str, str]]:
    """The sentences before and after each in its document, by position."""
    rows = [("", -1, ""), *((document, position, normalise(text)) for position, document, text in texts(campaign))]
    found: dict[int, tuple[str, str]] = {}
    for (document, position, text), (other, place, following) in pairwise([*rows, ("", -1, "")]):
        is_same = document == other
        found[position] = found.get(position, ("", ""))[0], following if is_same else ""
        found[place] = text if is_same else "", ""
    return found


def _folder(judge: str, number: int) -> str:
    """The name of a judge, unless it cannot name a folder."""
    return f"judge-{number}" if UNSAFE & set(judge) or not judge.strip(". ") else judge
