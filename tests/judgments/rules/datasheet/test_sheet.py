"""A datasheet without a campaign: what counts as an answer, what can be stored, and the files."""

import json
import re
from itertools import chain

import pytest
from markdown_it import MarkdownIt

from judgments.rules.datasheet.files import form_text, json_text, to_form, to_markdown
from judgments.rules.datasheet.sheet import (
    LONGEST_ANSWER,
    QUESTIONS,
    SECTIONS,
    By,
    Edition,
    KnownAnswer,
    Sheet,
    SheetAnswer,
    fault_of_answers,
    sheet_of,
    stored_form,
)

HOSTILE = "<script>alert(1)</script> [x](javascript:alert(1))\n# a heading\n- *a* list\n1. `code`\n    more | &lt;b&gt;"
KNOWN = {
    "3.2.1": KnownAnswer(SheetAnswer("8"), "the judgments"),
    "3.3.3.1": KnownAnswer(SheetAnswer("Controls.", ("automatic",)), "the settings"),
}


def answered(number: str, known: dict | None = None, **own: object) -> bool:
    sheet = sheet_of(known or {}, {number: own})
    return next(entry.is_answered for entry in sheet.entries if entry.question.number == number)


def numbers(counts: dict[str, int]) -> list[str]:
    return [f"{part}.{place}" for part, many in counts.items() for place in range(1, many + 1)]


CHECKLIST = ["D1", "D2", "D3", "D4", "D5"]
# How many questions the editions ask in each of their parts.
HEDS_2 = numbers({"1": 3, "2": 5, "3.1": 3, "3.2": 5, "3.3": 8, "4.1": 3, "4.2": 3, "4.3": 11, "5": 4})
PARTS = {
    "1.1": 2, "1.3.1": 3, "1.3.2": 3, "3.1.3": 3, "3.2.2": 4, "3.3.3": 2, "3.3.4": 2, "4.3.1": 2, "4.3.11": 2,
    "4.3.12": 2,
}  # fmt: skip


def test_the_numbers_are_those_of_both_editions_and_of_the_checklist_and_name_what_exists():
    whole = [*numbers({"1": 2, "1.3": 2}), *HEDS_2[3:-4], "4.3.12", *HEDS_2[-4:]]
    parts = (numbers({number: PARTS[number]}) if number in PARTS else [number] for number in whole)
    assert list(QUESTIONS) == [*chain.from_iterable(parts), *CHECKLIST]
    of_edition_2 = dict.fromkeys(question.number_in(Edition.HEDS_2) for question in QUESTIONS.values())
    assert list(of_edition_2) == HEDS_2 + CHECKLIST
    for question in QUESTIONS.values():
        assert question.options or not question.several, question.number
        assert not question.same_as or question.same_as in QUESTIONS
        assert {*question.worded} <= question.options.keys()


def test_an_answer_is_given_once_and_stands_in_both_editions():
    name, address = {"words": "Olga"}, {"words": "olga@example.org"}
    for edition, missing in ((Edition.HEDS_3, "1.3.1.2"), (Edition.HEDS_2, "1.3")):
        sheet = sheet_of(KNOWN, {"1.3.1.1": name, "1.3.1.3": address}, edition=edition)
        assert [entry.own.words for entry in sheet.entries if entry.number.startswith("1.3")][:3] == [
            "Olga", "", "olga@example.org",
        ]  # fmt: skip
        assert missing in sheet.missing_numbers
        assert "3.2.1" not in sheet.missing_numbers
    assert sheet.state == "1 of 50 questions are answered", "all parts of 1.3 are one question"
    assert "### 1.3 Who fills in this sheet: name\n\n> Olga" in to_markdown("A campaign", sheet)
    written = json.loads(json_text("A campaign", sheet))
    assert (written["edition"], written["questions"], len(written["missing"])) == ("2.0", 50, 49)
    rows = [row for section in written["sections"] for row in section["questions"]]
    assert [row["key"] for row in rows] == list(QUESTIONS)


@pytest.mark.parametrize(("number", "own", "expected"), [
    ("1.1.2", {"words": "Table 3"}, True),
    ("1.1.2", {}, False),
    ("1.1.1", {"chosen": ["paper"]}, False),
    ("1.1.1", {"chosen": ["paper"], "words": "https://example.org"}, True),
    ("1.1.1", {"chosen": ["none"]}, True),
    ("3.3.7", {"chosen": ["own"]}, True),
    ("3.3.7", {"words": "at home"}, False),
    ("3.3.7", {"chosen": ["other"]}, False),
    ("3.3.7", {"chosen": ["other"], "words": "on a ship"}, True),
    ("3.2.1", {"words": "eight"}, True),
])  # fmt: skip
def test_words_or_options_answer_a_question_and_some_options_need_words(number, own, expected):
    assert answered(number, **own) is expected


def test_what_the_platform_knows_answers_its_own_questions_and_is_not_chosen_again():
    assert answered("3.2.1", KNOWN)
    assert not answered("3.3.3.1", KNOWN)
    assert answered("3.3.3.1", KNOWN, chosen=["manual"])
    assert answered("3.3.3.1", KNOWN, words="Nothing else was done.")
    entries = {entry.question.number: entry for entry in sheet_of(KNOWN, {}).entries}
    assert "automatic" in QUESTIONS["3.3.3.1"].options
    assert "automatic" not in entries["3.3.3.1"].offered
    assert entries["3.2.1"].offered == {}
    known = {"4.2.3": KnownAnswer(SheetAnswer("", ("intrinsic",)), "the protocol")}
    stored = {"4.2.3": {"chosen": ["extrinsic"], "words": "A remark."}}
    for found, expected in ((known, ()), ({}, ("extrinsic",))):
        (entry,) = [entry for entry in sheet_of(found, stored).entries if entry.question.number == "4.2.3"]
        assert entry.own == SheetAnswer("A remark.", expected)


def test_missing_answers_are_counted_and_one_answers_the_same_question_of_the_checklist():
    sheet = sheet_of(KNOWN, {"1.1.2": {"words": "x"}, "5.1": {"words": "No."}})
    missing = [entry.question.number for entry in sheet.missing]
    assert sheet.state == "4 of 67 questions are answered"
    assert len(missing) == 63
    assert not {"1.1.2", "3.2.1", "5.1", "D4"} & {*missing}
    entries = {entry.question.number: entry for entry in sheet_of({}, {"5.1": {"words": "No."}}).entries}
    assert entries["D4"].is_answered
    assert not entries["D5"].is_answered


@pytest.mark.parametrize(("stored", "fault"), [
    ([], "no JSON object"),
    ({"9.9": {"words": "x"}}, "no such question"),
    ({"1.1.2": "x"}, "1.1.2 must be a JSON object"),
    ({"1.1.2": {"word": "x"}}, "1.1.2 must be a JSON object"),
    ({"1.1.2": {"words": 1}}, "1.1.2 needs a text"),
    ({"1.1.2": {"words": "x" * (LONGEST_ANSWER + 1)}}, "at most 5,000 characters"),
    ({"1.1.2": {"chosen": ["own"]}}, "answer it in words"),
    ({"3.3.7": {"chosen": "own"}}, "needs a list"),
    ({"3.3.7": {"chosen": [["own"]]}}, "needs a list"),
    ({"3.3.7": {"chosen": ["moon"]}}, "choose from own, lab"),
    ({"3.3.7": {"chosen": ["own", "lab"]}}, "needs one option"),
    ({"3.3.3.1": {"chosen": ["native", "native"]}}, "at most once"),
])  # fmt: skip
def test_what_cannot_be_an_answer_is_refused_with_the_number_of_the_question(stored, fault):
    assert fault in (fault_of_answers(stored) or "")


def test_stored_answers_come_back_without_empty_ones():
    answers = {"1.1.2": SheetAnswer("x"), "1.2": SheetAnswer(), "3.3.7": SheetAnswer("", ("own",))}
    stored = stored_form(answers)
    assert stored == {"1.1.2": {"words": "x"}, "3.3.7": {"chosen": ["own"]}}
    assert fault_of_answers(stored) is None
    assert {number: SheetAnswer.of(given) for number, given in stored.items()} == {
        number: answer for number, answer in answers.items() if any(answer)
    }


@pytest.fixture
def full() -> Sheet:
    """Hostile words for every question, every option chosen, and known words as bad."""
    known = {
        number: KnownAnswer(SheetAnswer(HOSTILE), "the settings")
        for number, one in QUESTIONS.items()
        if one.by != By.ORGANISER
    }
    return sheet_of(known, {number: {"words": HOSTILE, "chosen": [*one.options]} for number, one in QUESTIONS.items()})


def test_both_files_hold_every_question_answered_or_not(full):
    for sheet in (full, sheet_of({}, {})):
        written = json.loads(json_text("A campaign", sheet))
        rows = [row for section in written["sections"] for row in section["questions"]]
        assert [row["number"] for row in rows] == list(QUESTIONS)
        assert written["missing"] == [row["number"] for row in rows if not row["is_answered"]]
        markdown = to_markdown("A campaign", sheet)
        assert re.findall(r"^### (\S+) ", markdown, re.MULTILINE) == list(QUESTIONS)
        assert re.findall(r"^## (.+)$", markdown, re.MULTILINE) == list(SECTIONS)
        assert markdown.count("*No answer yet.*") == len(sheet.missing)


def test_json_says_who_answered_and_whence():
    written = json.loads(json_text("A campaign", sheet_of(KNOWN, {"3.3.3.1": {"chosen": ["manual"]}})))
    (row,) = [row for section in written["sections"] for row in section["questions"] if row["number"] == "3.3.3.1"]
    automatic = {"automatic": "answers are checked automatically"}
    assert row["platform"] == {"chosen": automatic, "words": "Controls.", "origin": "the settings"}
    assert row["organiser"] == {"chosen": {"manual": "answers are checked by hand"}, "words": ""}


def test_the_official_form_gets_words_by_field_and_ticks_by_the_place_of_the_option():
    """The ids are those of the form at nlp-heds.github.io; they were tried with a copy of its script for uploads."""
    known = KNOWN | {"4.2.3": KnownAnswer(SheetAnswer("", ("intrinsic",)), "the protocol")}
    stored = {
        "1.3.1.1": {"words": "Olga"}, "3.3.3.1": {"chosen": ["manual"], "words": "Two of us."},
        "4.3.1.1": {"words": "fluency"}, "D1": {"words": "Appendix A"},
    }  # fmt: skip
    fields = json.loads(form_text("A campaign", sheet_of(known, stored)))
    quality = "heds-sample_evaluators_design-experimental_design-quality_assurance-method"
    assert {name: field["data"] for name, field in fields.items()} == {
        "heds-criteria-criterion": {},
        "heds-paper_and_resources-names_and_affiliations-person_completing_this_sheet-name": {"": "Olga"},
        "heds-sample_evaluators_design-evaluators-number_of_evaluators": {"": "8"},
        f"{quality}-2": {"": True}, f"{quality}-3": {"": True},
        f"{quality}-other_text": {"": "Controls.\n\nTwo of us."},
        "heds-criteria-criterion-evaluation_mode-intrinsic_or_extrinsic-1": {"criterion": True},
        "heds-criteria-criterion-response_elicitation-qc_name-participant_criterion_name": {"criterion": "fluency"},
    }  # fmt: skip
    assert fields["heds-criteria-criterion"]["control"] == {"criterion": True}
    assert fields[f"{quality}-2"]["number"] == "3.3.3.1"


@pytest.mark.parametrize(("words", "place"), [
    ("English (en)", 42), ("Brazilian Portuguese (pt-BR)", 130), ("Zulu (zu)", 184), ("tlh", 185), ("N/A", 1),
])  # fmt: skip
def test_the_official_form_ticks_the_language_and_wants_a_bare_number_of_judges(words, place):
    known = {"2.4": KnownAnswer(SheetAnswer(words), ""), "3.2.1": KnownAnswer(SheetAnswer("7; excluded: 1"), "")}
    fields = to_form(sheet_of(known, {"3.2.1": {"words": "A remark."}}))
    assert fields[f"heds-system-input_languages-{place}"]["data"] == {"": True}
    assert fields["heds-sample_evaluators_design-evaluators-number_of_evaluators"]["data"] == {"": "7"}


def test_markdown_shows_words_as_they_were_written(full):
    """Rendered, an answer is a quotation of plain lines: no heading, list, link or tag comes out of it."""
    markdown = to_markdown("# <b>A *campaign*", full)
    html = MarkdownIt("commonmark", {"html": True}).render(markdown)
    assert not re.search("<script|<a |<b>|<em>[^N]|<code|<ol", html)
    titles = ["Datasheet: # &lt;b&gt;A *campaign*"]
    assert re.findall("<h1>(.*)</h1>", html) == titles
    assert html.count("&lt;script&gt;alert(1)&lt;/script&gt; [x](javascript:alert(1))<br") >= len(QUESTIONS)
    for line in ("# a heading", "- *a* list", "1. `code`", "more | &amp;lt;b&amp;gt;"):
        assert re.search(rf"^{re.escape(line)}(<br|</p>)", html, re.MULTILINE), line
