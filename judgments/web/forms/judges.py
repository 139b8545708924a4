"""Forms about judges: inviting them, deciding about one of them, and what judges fill in themselves."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from judgments.judges.exclusion import LONGEST_REASON
from judgments.judges.invitations import LONGEST_LINK
from judgments.judges.mailing import LINK, fault_of_text
from judgments.judges.rules.guests import guest_of, pasted_words
from judgments.models.campaign import MOST_BATCHES
from judgments.models.jobs import LONGEST_SUBJECT
from judgments.models.members import MOST_BY_ONE_LINK
from judgments.rules.authored.questions import Question
from judgments.rules.files.names import fault_of_pseudonym


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


class QuestionsForm(forms.Form):
    """The comprehension check: one option a question."""

    def __init__(self, *args: Any, questions: Sequence[Question], **kwargs: Any):
        super().__init__(*args, **kwargs)
        for number, question in enumerate(questions, 1):
            self.fields[f"question_{number}"] = forms.TypedChoiceField(
                label=question.text,
                choices=[(str(place), option.text) for place, option in enumerate(question.options)],
                coerce=int,
                widget=forms.RadioSelect,
                error_messages={"required": gettext("Choose an answer.")},
            )

    def chosen(self) -> list[int]:
        """The place of the chosen option of each question."""
        return [self.cleaned_data[name] for name in self.fields]


class CertainForm(forms.Form):
    """A tick of whoever wants to be forgotten."""

    is_sure = forms.BooleanField(
        label=gettext_lazy("I want to be forgotten, and know that this cannot be undone."),
        error_messages={"required": gettext_lazy("Tick the box if you are sure; nothing was changed.")},
    )


class NameForm(forms.Form):
    """The name of the judge who is to be forgotten, typed out."""

    typed = forms.CharField(max_length=80, label="Name of the judge")
