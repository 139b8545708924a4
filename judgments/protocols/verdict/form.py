"""The form of a verdict: one of three findings."""

from typing import ClassVar

from django import forms
from django.utils.translation import gettext_lazy

from judgments.models import Verdict
from judgments.protocols.form import CANNOT_TELL, SKIP_REASONS, AnswerForm

FINDINGS = [
    (Verdict.Finding.ERROR.value, gettext_lazy("Error")),
    (Verdict.Finding.OK.value, gettext_lazy("OK")),
    (Verdict.Finding.UNKNOWN.value, gettext_lazy("Unknown")),
]


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


def tell(finding: str) -> str:
    """A finding in the language of who reads it."""
    return str(dict(FINDINGS)[finding.casefold()])
