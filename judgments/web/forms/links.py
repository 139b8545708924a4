"""Inviting judges by links, and revoking a link."""

from django import forms

from judgments.judges.invitations import LONGEST_LINK
from judgments.judges.mailing import LINK, fault_of_text
from judgments.judges.rules.guests import guest_of, pasted_words
from judgments.models.jobs import LONGEST_SUBJECT
from judgments.models.members import MOST_BY_ONE_LINK
from judgments.rules.files.names import fault_of_pseudonym


class DaysField(forms.IntegerField):
    """For how long a link is good."""

    def __init__(self) -> None:
        super().__init__(label="Good for so many days", required=False, min_value=1, max_value=LONGEST_LINK)
        self.help_text = "Empty: until you revoke it."


class InvitationForm(forms.Form):
    """Names or mail addresses of judges to invite."""

    pseudonyms = forms.CharField(
        label="Judges to invite",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Names or mail addresses, one a line or separated by commas. Answers are exported under these names, "
        "so pseudonyms are best; of an address it is the part before the @.",
    )
    days = DaysField()

    def clean_pseudonyms(self) -> list[str]:
        """The names, each once."""
        names = pasted_words(self.cleaned_data["pseudonyms"])
        if faults := [fault for name in names if (fault := fault_of_pseudonym(guest_of(name).name))]:
            raise forms.ValidationError(faults)
        return names


class MailForm(forms.Form):
    """What is written to those whose link is sent by mail."""

    subject = forms.CharField(max_length=LONGEST_SUBJECT, initial="Your link for judging")
    text = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 8}),
        initial=f"You are invited to judge corrected sentences. This link is yours alone:\n\n{LINK}\n",
        help_text=f"{LINK} becomes the personal link of whoever gets the mail.",
    )

    def clean_subject(self) -> str:
        """One line."""
        return " ".join(self.cleaned_data["subject"].split())

    def clean_text(self) -> str:
        """With the link in it."""
        text = self.cleaned_data["text"]
        if fault := fault_of_text(text):
            raise forms.ValidationError(fault)
        return text


class SharedLinkForm(forms.Form):
    """How many a shared link lets in."""

    most_judges = forms.IntegerField(
        label="Places",
        min_value=1,
        max_value=MOST_BY_ONE_LINK,
        help_text="One link for all of them, for a mailing list or a crowd platform.",
    )
    days = DaysField()


class RevokeForm(forms.Form):
    """Which link lets nobody in any more."""

    token = forms.CharField(max_length=64)
