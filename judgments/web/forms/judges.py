"""What an organiser decides about one judge."""

from django import forms

from judgments.judges.exclusion import LONGEST_REASON
from judgments.models.campaign import MOST_BATCHES


class ReasonForm(forms.Form):
    """Why a judge counts no more, or counts again."""

    reason = forms.CharField(max_length=LONGEST_REASON, error_messages={"required": "Say why, in a few words."})


class ExpertForm(forms.Form):
    """Whether a judge is an expert."""

    is_expert = forms.BooleanField(required=False, label="Expert")


class ProgramForm(forms.Form):
    """How a program that judges is called."""

    name = forms.CharField(
        max_length=80, help_text="Reports and exports call it so. A program that is there already gets a new token."
    )


class QuotaForm(forms.Form):
    """The most batches for one judge; empty for what the campaign says."""

    quota = forms.IntegerField(required=False, min_value=0, max_value=MOST_BATCHES, label="Most batches")
