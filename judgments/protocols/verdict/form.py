"""The form of a verdict, and tutorial examples with the expected finding."""

import re
from collections.abc import Sequence
from typing import ClassVar

from django import forms
from django.utils.translation import gettext_lazy

from judgments.models import Verdict
from judgments.protocols.base import Teaching
from judgments.protocols.form import CANNOT_TELL, SKIP_REASONS, AnswerForm
from judgments.rules.authored.tutorials import Kind
from judgments.rules.texts.marking import marked_in

FINDINGS = [
    (Verdict.Finding.ERROR.value, gettext_lazy("Error")),
    (Verdict.Finding.OK.value, gettext_lazy("OK")),
    (Verdict.Finding.UNKNOWN.value, gettext_lazy("Unknown")),
]


class VerdictForm(AnswerForm):
    skip_reasons: ClassVar = [reason for reason in SKIP_REASONS if reason[0] != CANNOT_TELL]  # which Unknown says

    def add_fields(self, place: int) -> None:
        self.fields[f"finding_{place}"] = forms.ChoiceField(
            label=gettext_lazy("Is the marked usage an error?"),
            choices=FINDINGS,
            widget=forms.RadioSelect,
            error_messages={"required": gettext_lazy("Say whether the marked usage is an error.")},
        )


def tell(finding: str) -> str:
    return str(dict(FINDINGS)[finding.casefold()])


def fault(expected: str) -> str | None:
    if re.fullmatch("error|ok|unknown", expected.casefold()):
        return None
    return f"{expected!r} is no verdict; write error: or ok: or unknown:"


def fault_of_source(source: str) -> str | None:
    """Return why it is unclear which usage is meant, or None."""
    if marked_in(source):
        return None
    return "the usage that is asked about stands in square brackets, once, as in: He likes [the] music ."


def agree(expected: Sequence[str], given: Sequence[str]) -> list[bool]:
    return [wanted.casefold() == finding for wanted, finding in zip(expected, given, strict=True)]


TEACHING = Teaching(
    Kind(fault, most=1, fault_of_source=fault_of_source), agree, tell, tell_expected=tell, usage=marked_in
)
