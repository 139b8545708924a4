"""A datasheet as JSON and as Markdown."""

import json
import re
from collections.abc import Iterator
from typing import Any

from judgments.rules.datasheet.questions import Edition, SheetQuestion
from judgments.rules.datasheet.sheet import Entry, Sheet, SheetAnswer

PAPERS = {Edition.HEDS_3: "Belz and Thomson 2025", Edition.HEDS_2: "Shimorina and Belz 2022"}
# What Markdown reads as markup anywhere in a line, and at its beginning.
SIGNS = re.compile(r"[\\`*_\[\]<>|&~]")
BEGINNINGS = re.compile(r"^(\d*)([#+=.):-])")


def standard_of(sheet: Sheet) -> str:
    paper = PAPERS[sheet.edition]
    return f"Human Evaluation Datasheet {sheet.edition} ({paper}), and section D of the ACL checklist"


def to_json(name: str, sheet: Sheet) -> dict[str, Any]:
    return {
        "campaign": name,
        "standard": standard_of(sheet),
        "edition": sheet.edition,
        "report": sheet.source._asdict() if sheet.source else None,
        "questions": len(sheet.numbers),
        "missing": sheet.missing_numbers,
        "sections": [
            {"title": part.title, "questions": [_row(entry) for entry in part.entries]} for part in sheet.parts
        ],
    }


def json_text(name: str, sheet: Sheet) -> str:
    return json.dumps(to_json(name, sheet), ensure_ascii=False, indent=2) + "\n"


def _row(entry: Entry) -> dict[str, Any]:
    question, known = entry.question, entry.known
    return {
        "number": entry.number,
        "key": question.number,
        "title": question.title,
        "is_answered": entry.is_answered,
        "same_as": question.same_as,
        "platform": _answer(question, known.answer) | {"origin": known.origin} if known else None,
        "organiser": _answer(question, entry.own) if any(entry.own) else None,
    }


def _answer(question: SheetQuestion, answer: SheetAnswer) -> dict[str, Any]:
    return {"chosen": {name: question.options[name] for name in answer.chosen}, "words": answer.words}


def to_markdown(name: str, sheet: Sheet) -> str:
    lines = [
        f"# Datasheet: {escape_markdown(name)}",
        "",
        f"{standard_of(sheet)}. {sheet.state}. {escape_markdown(sheet.results)}.",
        "",
    ]
    if sheet.missing:
        lines += [f"Missing: {', '.join(sheet.missing_numbers)}.", ""]
    for part in sheet.parts:
        lines += [f"## {part.title}", ""]
        for entry in part.entries:
            lines += [f"### {entry.number} {entry.question.title}", "", *_paragraphs(entry)]
    return "\n".join(lines)


def _paragraphs(entry: Entry) -> Iterator[str]:
    if entry.same:
        yield from (f"See {entry.same.number}.", "")
    if entry.known:
        yield from (f"From {entry.known.origin}:", "", *_quoted(entry.question, entry.known.answer))
    if any(entry.own):
        if entry.known or entry.same:
            yield from ("From the organiser:", "")
        yield from _quoted(entry.question, entry.own)
    if not entry.is_answered:
        yield from ("*No answer yet.*", "")


def _quoted(question: SheetQuestion, answer: SheetAnswer) -> Iterator[str]:
    """The answer as a block quotation, which separates its own lines and lists from the sheet's."""
    yield from (f"> - {question.options[name]}" for name in answer.chosen)
    if answer.chosen and answer.words:
        yield ">"
    yield from (f"> {escape_markdown(line)}  " for line in answer.words.splitlines())
    yield ""


def escape_markdown(line: str) -> str:
    """Text of one line with every sign escaped that Markdown would read as markup."""
    return BEGINNINGS.sub(r"\1\\\2", SIGNS.sub(r"\\\g<0>", line.strip()))
