"""A datasheet as JSON, as Markdown, and as the official form of HEDS 3.0 stores it."""

import json
import re
from collections.abc import Iterator
from typing import Any

from judgments.rules.datasheet.sheet import Edition, Entry, Sheet, SheetAnswer, SheetQuestion

PAPERS = {Edition.HEDS_3: "Belz and Thomson 2025", Edition.HEDS_2: "Shimorina and Belz 2022"}
# In the official form, the fields of section 4 are stored for each criterion, by a name that it shows as it is.
CRITERIA, CRITERION = "heds-criteria-criterion", "criterion"
# The languages of the official form, in its order, between "not applicable" and "other".
NO_LANGUAGE, OTHER_LANGUAGE = 1, 185
CODES = (
    "ab aa af ak sq am ar an hy as av ae ay az bm ba eu be bn bi bs br bg my ca ch ce ny zh cu cv kw co cr hr cs da dv "
    "nl dz en eo et ee fo fj fi fr fy ff gd gl lg ka de el kl gn gu ht ha he hz hi ho hu is io ig id ia ie iu ik ga it "
    "ja jv kn kr ks kk km ki rw ky kv kg ko kj ku lo la lv li ln lt lu lb mk mg ms ml mt gv mi mr mh mn na nv nd nr ng "
    "ne no nb nn ii oc oj or om os pi ps fa pl pt pa qu ro rm rn ru se sm sg sa sc sr sn sd si sk sl so st es su sw ss "
    "sv tl ty tg ta tt te th bo ti to ts tn tr tk tw ug uk ur uz ve vi vo wa cy wo xh yi yo za zu"
)
LANGUAGES = dict(zip(CODES.split(), range(NO_LANGUAGE + 1, OTHER_LANGUAGE), strict=True))
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
            {
                "title": part.title,
                "questions": [
                    {
                        "number": entry.number,
                        "key": entry.question.number,
                        "title": entry.question.title,
                        "is_answered": entry.is_answered,
                        "same_as": entry.question.same_as,
                        "platform": (
                            _answer(entry.question, entry.known.answer) | {"origin": entry.known.origin}
                            if entry.known
                            else None
                        ),
                        "organiser": _answer(entry.question, entry.own) if any(entry.own) else None,
                    }
                    for entry in part.entries
                ],
            }
            for part in sheet.parts
        ],
    }


def json_text(name: str, sheet: Sheet) -> str:
    return json.dumps(to_json(name, sheet), ensure_ascii=False, indent=2) + "\n"


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
            lines += [f"### {entry.number} {entry.question.title}", ""]
            if entry.same:
                lines += [f"See {entry.same.number}.", ""]
            if entry.known:
                lines += [f"From {entry.known.origin}:", "", *_quoted(entry.question, entry.known.answer)]
            if any(entry.own):
                if entry.known or entry.same:
                    lines += ["From the organiser:", ""]
                lines += _quoted(entry.question, entry.own)
            if not entry.is_answered:
                lines += ["*No answer yet.*", ""]
    return "\n".join(lines)


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


def to_form(sheet: Sheet) -> dict[str, Any]:
    """The fields of the official form as its *upload json* reads them.

    The labels of ticked options are ours; the form replaces them when it is downloaded again.
    """
    fields: dict[str, Any] = {CRITERIA: {"data": {}, "control": {CRITERION: True}, "text": {}}}
    for entry in sheet.entries:
        number, form, words, ticked = entry.question.number, entry.question.form, entry.whole.words, _ticked(entry)
        if not form:
            continue
        criterion = CRITERION if form.startswith(CRITERIA) else ""
        for place, label in ticked.items():
            fields[f"{form}-{place}"] = {
                "data": {criterion: True}, "control": {}, "text": {criterion: f"{place}. {label}"}, "number": number,
            }  # fmt: skip
        if number == "3.2.1" and entry.known:
            # The form wants a bare number there.
            words = entry.known.answer.words.partition(";")[0]
        if words and (ticked or entry.question.options):
            fields[f"{form}-other_text"] = {"data": {criterion: words}, "control": {}, "number": None}
        elif words:
            fields[form] = {"data": {criterion: words}, "control": {}, "number": number}
    return fields


def _ticked(entry: Entry) -> dict[int, str]:
    """The options that apply, by their places in the official form, where languages are options too."""
    question, (words, chosen) = entry.question, entry.whole
    if words and question.form.endswith("_languages"):
        code = re.search(r"\((\w\w)\b", words)
        is_none = words.startswith("N/A")
        return {NO_LANGUAGE if is_none else LANGUAGES.get(code[1] if code else "", OTHER_LANGUAGE): words}
    return {place: label for place, (name, label) in enumerate(question.options.items(), 1) if name in chosen}


def form_text(name: str, sheet: Sheet) -> str:
    return json.dumps(to_form(sheet), ensure_ascii=False, indent=4) + "\n"
