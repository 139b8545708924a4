"""Verdict: whether a marked usage is an error, is fine, or cannot be decided."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from django import forms
from django.db.models import F, QuerySet
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from judgments.models import Campaign, Judgment, Screen, Slot, Verdict
from judgments.protocols.base import USAGES, AnswerTable, Instrument, Protocol, Teaching
from judgments.protocols.candidates import Merit
from judgments.protocols.form import CANNOT_TELL, SKIP_REASONS, AnswerForm
from judgments.protocols.rows import ROWS_AT_ONCE, Columns
from judgments.rules.authored.tutorials import Kind
from judgments.rules.files.csv_tables import cells
from judgments.rules.texts.marking import marked, marked_in

FINDINGS = [
    (Verdict.Finding.ERROR.value, gettext_lazy("Error")),
    (Verdict.Finding.OK.value, gettext_lazy("OK")),
    (Verdict.Finding.UNKNOWN.value, gettext_lazy("Unknown")),
]


class VerdictForm(AnswerForm):
    skip_reasons: ClassVar = [reason for reason in SKIP_REASONS if reason[0] != CANNOT_TELL]  # "Unknown" replaces it

    def add_fields(self, place: int) -> None:
        self.fields[f"finding_{place}"] = forms.ChoiceField(
            label=gettext_lazy("Is the marked usage an error?"),
            choices=FINDINGS,
            widget=forms.RadioSelect,
            error_messages={"required": gettext_lazy("Choose whether the marked usage is an error.")},
        )


def describe(finding: str) -> str:
    return str(dict(FINDINGS)[finding.casefold()])


def fault(expected: str) -> str | None:
    if re.fullmatch("error|ok|unknown", expected.casefold()):
        return None
    return f"{expected!r} is not a verdict; write error: or ok: or unknown:"


def fault_of_source(source: str) -> str | None:
    """Why it is unclear which usage is meant, or None."""
    if marked_in(source):
        return None
    return "mark one usage with square brackets, for example: He likes [the] music ."


def agree(expected: Sequence[str], given: Sequence[str]) -> list[bool]:
    return [wanted.casefold() == finding for wanted, finding in zip(expected, given, strict=True)]


# So many characters on each side are enough to recognise a sentence.
NEAR = 30
MARKS = {Verdict.Finding.ERROR.value: 1, Verdict.Finding.UNKNOWN.value: 0, Verdict.Finding.OK.value: -1}
SHOULD_BE: dict[bool | None, str] = {True: Verdict.Finding.ERROR.value, False: Verdict.Finding.OK.value}


def store(judgment: Judgment, slots: Sequence[Slot], findings: Sequence[str]) -> None:
    (finding,) = findings
    Verdict.objects.create(judgment=judgment, finding=finding)


def load(judgment: Judgment, slots: Sequence[Slot]) -> dict[str, str]:
    finding = Verdict.objects.filter(judgment=judgment).values_list("finding", flat=True).first()
    return {"finding_1": finding} if finding else {}


def described(judgments: QuerySet[Judgment]) -> Mapping[int, str]:
    found = Verdict.objects.filter(judgment__in=judgments).values_list("judgment", "finding")
    return {judgment: describe(finding) for judgment, finding in found}


def columns(campaign: Campaign) -> Columns:
    rows = Screen.objects.filter(campaign=campaign, usage__isnull=False)
    usages = rows.values_list("pk", "usage__name", "usage__gold", "has_control").iterator(ROWS_AT_ONCE)
    described_usages = {
        screen: cells([name, SHOULD_BE.get(gold, ""), "yes" if control else "no"])
        for screen, name, gold, control in usages
    }
    return Columns(
        ("usage", "gold", "control", "finding"),
        lambda head, number, answer: f"{described_usages[head.screen]},{answer.values[0]}",
        lambda head: f"{described_usages[head.screen]},",
    )


def passed(judgments: QuerySet[Judgment]) -> dict[int, bool]:
    """`unknown` counts as wrong."""
    verdicts = Verdict.objects.filter(judgment__in=judgments).annotate(gold=F("judgment__screen__usage__gold"))
    found = verdicts.values_list("judgment", "finding", "gold")
    return {judgment: finding == SHOULD_BE.get(gold) for judgment, finding, gold in found}


def marks(judgments: QuerySet[Judgment]) -> Iterator[Merit]:
    found = Verdict.objects.filter(judgment__in=judgments).values_list("judgment", "judgment__screen__usage", "finding")
    return (Merit(judgment, usage, MARKS[finding]) for judgment, usage, finding in found)


def feedback(judgment: Judgment) -> str:
    """Tell the judge whether the finding was right, and otherwise the right one."""
    usage = judgment.screen.usage
    verdict = Verdict.objects.filter(judgment=judgment).first()
    if verdict is None or usage is None or usage.gold is None:
        return ""
    right = SHOULD_BE[usage.gold]
    before, marked_text, after = marked(usage.segment.text or "", usage.start, usage.end)
    texts = {"usage": f"{before[-NEAR:]}[{marked_text}]{after[:NEAR]}".strip(), "right": describe(right)}
    if verdict.finding == right:
        return gettext("“%(usage)s” was a test, and you were right: %(right)s.") % texts
    return gettext("“%(usage)s” was a test; the right answer was: %(right)s.") % texts


# Usages are judged one by one, and no candidates are compared.
WITHOUT = frozenset({
    "sampling", "screen_size", "automatic_ties", "one_domain_a_day", "document_mode", "compact_view", "judge_again",
})  # fmt: skip


def said(answers: Mapping[str, Any], place: int) -> str:
    return describe(answers[f"finding_{place}"]) if f"finding_{place}" in answers else "?"


PROTOCOL = Protocol(
    name="verdict",
    label=gettext_lazy("Verdict (error, OK, unknown)"),
    explanation="asks whether a marked usage is an error",
    task=gettext_lazy("Is the marked usage an error?"),
    form=VerdictForm,
    answers=AnswerTable(Verdict, lambda answers, length: "has two verdicts" if len(answers) > 1 else None),
    store=store,
    load=load,
    inputs={"finding": serializers.CharField(required=False, help_text="Verdict: error, ok or unknown.")},
    teaching=Teaching(Kind(fault, most=1, fault_of_source=fault_of_source), agree, describe, describe, marked_in),
    guidance=Path(__file__).parent / "guidance",
    columns=columns,
    said=said,
    described=described,
    instrument=Instrument(
        "labelling",
        "choice",
        size=lambda campaign: len(FINDINGS),
        values=lambda campaign: ", ".join(str(label) for _, label in FINDINGS),
    ),
    words={
        "no_verdict_yet": gettext_lazy("Choose whether the marked usage is an error: 1, 2 or 3."),
        "verdict": gettext_lazy("{finding}. Press Enter or {key} to continue."),
        "given": gettext_lazy("“{finding}” is sent; Backspace leads back to it."),
        "at_once": gettext_lazy("One key chooses and submits"),
        "two_keys": gettext_lazy("Choose first, then submit"),
    },
    material=USAGES,
    has_candidates=False,
    seconds=8.0,
    marks=marks,
    passed=passed,
    feedback=feedback,
    dismisses=True,
    special=frozenset({"assistance", "feedback"}),
    without=WITHOUT,
    recommended={"design": "complete", "redundancy": 5, "repeat_share": 0.0, "control_share": 0.1},
    report_kinds=("verdicts", "programs"),
    has_others_kappa=True,
    has_experts=True,
)
