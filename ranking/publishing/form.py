"""The form of a release."""

from typing import Any

from django import forms

from ranking.publishing.facts import LICENCES, OTHER, ReleaseChoices

OTHER_LABEL = "Another licence, as written below"
LICENCE_CHOICES = (
    *((name, f"{licence.name} ({licence.spdx})") for name, licence in LICENCES.items()),
    (OTHER, OTHER_LABEL),
)


class ReleaseForm(forms.Form):
    """The choices of a release, in the names of `ReleaseChoices`."""

    licence = forms.ChoiceField(
        choices=[("", "Choose a licence"), *LICENCE_CHOICES],
        help_text="The terms under which everybody may use the judgments.",
    )
    own_licence = forms.CharField(
        required=False,
        max_length=20_000,
        label="Text of another licence",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Only if you choose another licence above.",
    )
    with_texts = forms.BooleanField(
        required=False,
        label="Include the source texts and outputs",
        help_text="Source texts may have a licence of their own that forbids this: ask whoever collected them. "
        "Without texts, sentences are known by their numbers alone, and the numbers of a report on corrections cannot "
        "be computed again.",
    )
    title = forms.CharField(
        required=False, max_length=200, help_text="Leave blank for “Judgments of” and the name of the campaign."
    )
    description = forms.CharField(
        required=False,
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="What these data are, in a few sentences of plain text.",
    )
    creators = forms.CharField(
        required=False,
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Whom to cite, one per line: Lovelace, Ada for a person, the plain name for an institution.",
    )
    contact = forms.CharField(
        required=False, max_length=300, help_text="The address of the paper or of a page, or an e-mail address."
    )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not self.errors and (given["licence"] == OTHER) != bool(given["own_licence"]):
            self.add_error("own_licence", f"Write a text here if you choose {OTHER_LABEL!r}, and only then.")
        return given

    def choices(self) -> ReleaseChoices:
        given = self.cleaned_data
        return ReleaseChoices(**given | {"creators": tuple(given["creators"].splitlines())})
