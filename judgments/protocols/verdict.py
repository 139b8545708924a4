"""Verdict: whether a marked usage is an error, is fine, or cannot be told."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from django import forms
from django.db.models import F, QuerySet
from django.utils.translation import gettext, gettext_lazy

from judgments.models import Judgment, Slot, Verdict
from judgments.protocols.base import CANNOT_TELL, SKIP_REASONS, AnswerForm, JudgingProtocol, Teaching
from judgments.rules.authored.tutorials import Kind
from judgments.rules.texts.marking import marked, marked_in

FINDINGS = [
    (Verdict.Finding.ERROR.value, gettext_lazy("Error")),
    (Verdict.Finding.OK.value, gettext_lazy("OK")),
    (Verdict.Finding.UNKNOWN.value, gettext_lazy("Unknown")),
]
# So many characters to each side are enough to know a sentence again.
NEAR = 30
SHOULD_BE = {True: Verdict.Finding.ERROR.value, False: Verdict.Finding.OK.value}


class VerdictForm(AnswerForm):
    """One of three findings."""

    skip_reasons: ClassVar = [reason for reason in SKIP_REASONS if reason[0] != CANNOT_TELL]  # which Unknown says

    def add_fields(self, place: int) -> None:
        self.fields[f"finding_{place}"] = forms.ChoiceField(
            label=gettext_lazy("Is the marked usage an error?"),
            choices=FINDINGS,
            widget=forms.RadioSelect,
            error_messages={"required": gettext_lazy("Say whether the marked usage is an error.")},
        )

    def answers(self) -> list[str]:
        return [self.cleaned_data[f"finding_{place}"] for place in range(1, self.specification.places + 1)]


def store(judgment: Judgment, slots: Sequence[Slot], findings: Sequence[str]) -> None:
    """Write the verdict."""
    (finding,) = findings
    Verdict.objects.create(judgment=judgment, finding=finding)


def load(judgment: Judgment, slots: Sequence[Slot]) -> dict[str, str]:
    """The form as it was sent."""
    finding = Verdict.objects.filter(judgment=judgment).values_list("finding", flat=True).first()
    return {"finding_1": finding} if finding else {}


def passed(judgments: QuerySet[Judgment]) -> Iterator[bool]:
    """Whether each found what is known to be right; who cannot tell did not."""
    verdicts = Verdict.objects.filter(judgment__in=judgments).annotate(gold=F("judgment__screen__usage__gold"))
    return (finding == SHOULD_BE.get(gold) for finding, gold in verdicts.values_list("finding", "gold"))


def feedback(judgment: Judgment) -> str:
    """Whether that was right, and if not what would have been."""
    usage = judgment.screen.usage
    verdict = Verdict.objects.filter(judgment=judgment).first()
    if verdict is None or usage is None or usage.gold is None:
        return ""
    right = SHOULD_BE[usage.gold]
    before, marked_text, after = marked(usage.segment.text or "", usage.start, usage.end)
    told = {"usage": f"{before[-NEAR:]}[{marked_text}]{after[:NEAR]}".strip(), "right": tell(right)}
    if verdict.finding == right:
        return gettext("“%(usage)s” was a test, and you were right: %(right)s.") % told
    return gettext("“%(usage)s” was a test, and %(right)s would have been right.") % told


def told(judgments: QuerySet[Judgment]) -> Mapping[int, str]:
    """What each found."""
    found = Verdict.objects.filter(judgment__in=judgments).values_list("judgment", "finding")
    return {judgment: tell(finding) for judgment, finding in found}


def fault(expected: str) -> str | None:
    """Why this is no finding to expect, or None."""
    if re.fullmatch("error|ok|unknown", expected.casefold()):
        return None
    return f"{expected!r} is no verdict; write error: or ok: or unknown:"


def fault_of_source(source: str) -> str | None:
    """Why it is not clear what is asked about, or None."""
    if marked_in(source):
        return None
    return "the usage that is asked about stands in square brackets, once, as in: He likes [the] music ."


def agree(expected: Sequence[str], given: Sequence[str]) -> list[bool]:
    """Whether the finding is the expected one."""
    return [wanted.casefold() == finding for wanted, finding in zip(expected, given, strict=True)]


def tell(finding: str) -> str:
    """A finding in the language of who reads it."""
    return str(dict(FINDINGS)[finding.casefold()])


PROTOCOL = JudgingProtocol(
    form=VerdictForm,
    name="verdict",
    asks=gettext_lazy("Is the marked usage an error?"),
    store=store,
    load=load,
    teaching=Teaching(
        Kind(fault, most=1, fault_of_source=fault_of_source), agree, tell, tell_expected=tell, usage=marked_in
    ),
    passed=passed,
    feedback=feedback,
    told=told,
    has_candidates=False,
    dismisses=True,
    seconds=8.0,
    lacks=frozenset({"screen_size", "automatic_ties", "one_domain_a_day", "category_list", "categories"}),
)
