"""Forms of teams that hand in outputs, and of the organiser who invites them and accepts what they sent."""

from typing import Any

from django import forms

from judgments.judges.rules.guests import pasted_words
from judgments.models import Campaign, Submission
from judgments.rules.files.names import LONGEST


class TeamsForm(forms.Form):
    """Teams to invite, or whose deadline to change."""

    names = forms.CharField(
        label="Teams",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Names, one a line or separated by commas: letters, digits and . _ + -. A team that exists keeps its "
        "link and gets the new deadline.",
    )
    deadline = forms.DateTimeField(widget=forms.DateTimeInput(attrs={"type": "datetime-local"}))

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


class AcceptForm(forms.Form):
    """The submissions that the organiser ticked."""

    def __init__(self, given: Any, campaign: Campaign) -> None:
        super().__init__(given)
        there = Submission.objects.filter(team__campaign=campaign).values_list("pk", flat=True)
        self.fields["chosen"] = forms.TypedMultipleChoiceField(coerce=int, choices=[(pk, pk) for pk in there])
