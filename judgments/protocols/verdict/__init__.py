"""Verdict: whether a marked usage is an error, is fine, or cannot be decided."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from django.db.models import F, QuerySet
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from judgments.models import Campaign, Judgment, Screen, Slot, Verdict
from judgments.protocols.base import USAGES, Instrument, Protocol
from judgments.protocols.form import CANNOT_TELL, SKIP_REASONS, AnswerForm
from judgments.protocols.rows import ROWS_AT_ONCE, Columns, Merit
from judgments.rules.authored.tutorials import Example
from judgments.rules.files.csv_tables import cells
from judgments.rules.texts.marking import MarkedUsage, find_marked_usage, mark_usage

FINDINGS = [
    (Verdict.Finding.ERROR.value, gettext_lazy("Error")),
    (Verdict.Finding.OK.value, gettext_lazy("OK")),
    (Verdict.Finding.UNKNOWN.value, gettext_lazy("Unknown")),
]
MERITS = {Verdict.Finding.ERROR.value: 1, Verdict.Finding.UNKNOWN.value: 0, Verdict.Finding.OK.value: -1}
SHOULD_BE: dict[bool | None, str] = {True: Verdict.Finding.ERROR.value, False: Verdict.Finding.OK.value}
# So many characters on each side are enough to recognise a sentence.
NEAR = 30


class VerdictForm(AnswerForm):
    skip_reasons: ClassVar = [reason for reason in SKIP_REASONS if reason[0] != CANNOT_TELL]  # "Unknown" replaces it

    def add_fields(self, place: int) -> None:
        self.fields[f"finding_{place}"] = forms.ChoiceField(
            label=gettext_lazy("Is the marked usage an error?"),
            choices=FINDINGS,
            widget=forms.RadioSelect,
            error_messages={"required": gettext_lazy("Choose whether the marked usage is an error.")},
        )


class VerdictProtocol(Protocol):
    name = "verdict"
    label = gettext_lazy("Verdict (error, OK, unknown)")
    explanation = "asks whether a marked usage is an error"
    task = gettext_lazy("Is the marked usage an error?")
    how = gettext_lazy("Choose an answer.")
    how_by_key = gettext_lazy("Or type 1, 2 or 3.")
    form = VerdictForm
    answer_model = Verdict
    inputs: ClassVar = {"finding": serializers.CharField(required=False, help_text="Verdict: error, ok or unknown.")}
    words: ClassVar = {
        "no_verdict_yet": gettext_lazy("Choose whether the marked usage is an error."),
        "verdict": gettext_lazy("{finding}. Enter or {key} goes on."),
        "given": gettext_lazy("“{finding}” is sent; Backspace goes back to it."),
        "at_once": gettext_lazy("One key chooses and submits"),
    }
    material = USAGES
    has_candidates = False
    seconds = 8.0
    stops_failing_judges = True
    special_settings = frozenset({"assistance", "feedback"})
    # Usages are judged one by one, and no candidates are compared.
    unused_settings = frozenset({
        "sampling", "screen_size", "automatic_ties", "one_domain_a_day", "document_mode", "compact_view", "judge_again",
    })  # fmt: skip
    recommended: ClassVar = {"design": "complete", "redundancy": 5, "repeat_share": 0.0, "control_share": 0.1}
    report_kinds = ("verdicts", "programs")
    has_others_kappa = True
    has_experts = True
    most_versions = 1

    def store(self, judgment: Judgment, slots: Sequence[Slot], answers: Sequence[str]) -> None:
        (finding,) = answers
        Verdict.objects.create(judgment=judgment, finding=finding)

    def load(self, judgment: Judgment, slots: Sequence[Slot]) -> dict[str, str]:
        finding = Verdict.objects.filter(judgment=judgment).values_list("finding", flat=True).first()
        return {"finding_1": finding} if finding else {}

    def fault_of_expected(self, expected: str) -> str | None:
        if re.fullmatch("error|ok|unknown", expected.casefold()):
            return None
        return f"{expected!r} is not a verdict; write error: or ok: or unknown:"

    def fault_of_source(self, source: str) -> str | None:
        if find_marked_usage(source):
            return None
        return "mark one usage with square brackets, for example: He likes [the] music ."

    def differences(self, example: Example, given: Sequence[str]) -> list[str]:
        """The verdict, if it differs."""
        (expected,), (finding,) = example.expected, given
        said = {"given": _label(finding), "expected": _label(expected)}
        return [] if finding == expected.casefold() else [gettext("You: %(given)s. We: %(expected)s.") % said]

    def marked_usage(self, source: str) -> MarkedUsage | None:
        return find_marked_usage(source)

    def merits(self, judgments: QuerySet[Judgment]) -> Iterator[Merit]:
        found = Verdict.objects.filter(judgment__in=judgments)
        rows = found.values_list("judgment", "judgment__screen__usage", "finding")
        return (Merit(judgment, usage, MERITS[finding]) for judgment, usage, finding in rows)

    def descriptions(self, judgments: QuerySet[Judgment]) -> Mapping[int, str]:
        found = Verdict.objects.filter(judgment__in=judgments).values_list("judgment", "finding")
        return {judgment: _label(finding) for judgment, finding in found}

    def describe_program_answer(self, answers: Mapping[str, Any], place: int) -> str:
        return _label(answers[f"finding_{place}"]) if f"finding_{place}" in answers else "?"

    def passed_controls(self, judgments: QuerySet[Judgment]) -> dict[int, bool]:
        """`unknown` counts as wrong."""
        verdicts = Verdict.objects.filter(judgment__in=judgments).annotate(gold=F("judgment__screen__usage__gold"))
        found = verdicts.values_list("judgment", "finding", "gold")
        return {judgment: finding == SHOULD_BE.get(gold) for judgment, finding, gold in found}

    def feedback(self, judgment: Judgment) -> str:
        """Whether the finding was right, and otherwise the right one."""
        usage = judgment.screen.usage
        verdict = Verdict.objects.filter(judgment=judgment).first()
        if verdict is None or usage is None or usage.gold is None:
            return ""
        right = SHOULD_BE[usage.gold]
        before, usage_text, after = mark_usage(usage.segment.text or "", usage.start, usage.end)
        near = f"{before[-NEAR:]}[{usage_text}]{after[:NEAR]}".strip()
        texts = {"usage": near, "right": _label(right)}
        if verdict.finding == right:
            return gettext("“%(usage)s” was a test, and you were right: %(right)s.") % texts
        return gettext("“%(usage)s” was a test; the right answer was: %(right)s.") % texts

    def columns(self, campaign: Campaign) -> Columns:
        screens = Screen.objects.filter(campaign=campaign, usage__isnull=False)
        rows = screens.values_list("pk", "usage__name", "usage__gold", "has_control").iterator(ROWS_AT_ONCE)
        usages = {
            screen: cells([name, SHOULD_BE.get(gold, ""), "yes" if control else "no"])
            for screen, name, gold, control in rows
        }
        return Columns(
            ("usage", "gold", "control", "finding"),
            lambda head, number, answer: f"{usages[head.screen]},{answer.values[0]}",
            lambda head: f"{usages[head.screen]},",
        )

    def fault_of_answers(self, answers: Sequence[Mapping[str, Any]], length: int) -> str | None:
        return "has two verdicts" if len(answers) > 1 else None

    def instrument(self, campaign: Campaign) -> Instrument:
        values = ", ".join(str(label) for _, label in FINDINGS)
        return Instrument("labelling", "choice", size=len(FINDINGS), values=values)


def _label(finding: str) -> str:
    return str(dict(FINDINGS)[finding.casefold()])
