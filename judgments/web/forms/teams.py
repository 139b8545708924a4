"""Forms of teams that hand in outputs, and of the organiser who invites them."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils import timezone

from judgments.judges.rules.guests import pasted_words
from judgments.rules.files.names import LONGEST
from judgments.rules.files.text_files import UploadedFile


class TeamsForm(forms.Form):
    """Teams to invite, or whose deadline to change."""

    names = forms.CharField(
        label="Teams",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Names, one a line or separated by commas: letters, digits and . _ + -. A team that is listed above "
        "keeps its link and gets the new deadline.",
    )
    deadline = forms.DateTimeField(widget=forms.DateTimeInput(attrs={"type": "datetime-local"}))

    def __init__(self, given: Any = None) -> None:
        super().__init__(given)
        self.fields["deadline"].help_text = f"Date and time in the time zone {timezone.get_current_timezone_name()}."

    def clean_names(self) -> list[str]:
        return pasted_words(self.cleaned_data["names"])


class HandInForm(forms.Form):
    """The outputs of one system."""

    system = forms.CharField(
        label="Name of the system",
        max_length=LONGEST,
        help_text="Letters, digits and . _ + -. A file for a system that you handed in before replaces the earlier "
        "one. Judges never see names.",
    )
    file = forms.FileField(label="File of its outputs", help_text="UTF-8 text, one sentence a line; at most 10 MB.")

    def sent(self) -> UploadedFile:
        file = self.cleaned_data["file"]
        return UploadedFile(file.name, file.read())


class AcceptForm(forms.Form):
    """The submissions that the organiser ticked."""

    def __init__(self, given: Any, submissions: Iterable[int]) -> None:
        super().__init__(given)
        self.fields["chosen"] = forms.TypedMultipleChoiceField(
            coerce=int,
            choices=[(pk, str(pk)) for pk in submissions],
            error_messages={"required": "Tick the submissions to accept."},
        )
