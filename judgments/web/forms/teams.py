"""The form by which teams hand in outputs."""

from django import forms

from judgments.rules.files.names import LONGEST


class HandInForm(forms.Form):
    """The outputs of one system."""

    system = forms.CharField(
        label="Name of the system",
        max_length=LONGEST,
        help_text="Letters, digits and . _ + -. A file for a system that you handed in before replaces the earlier "
        "one. Judges never see names.",
    )
    file = forms.FileField(label="File of its outputs", help_text="UTF-8 text, one sentence per line; at most 10 MB.")
