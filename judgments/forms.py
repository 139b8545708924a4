"""Forms of the pages; those of judging screens belong to the protocols."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext

from judgments.exports import Wishes
from judgments.models import Campaign
from judgments.models.members import MOST_BY_ONE_LINK
from judgments.rules.names import fault_of_pseudonym
from judgments.rules.questions import Question

LONGEST_LINK = 3650


class DaysField(forms.IntegerField):
    """For how long a link is good."""

    def __init__(self) -> None:
        super().__init__(label="Good for so many days", required=False, min_value=1, max_value=LONGEST_LINK)
        self.help_text = "Empty: until you revoke it."


class StateForm(forms.Form):
    """What is to become of a campaign."""

    state = forms.ChoiceField(choices=[(Campaign.State.OPEN, "open"), (Campaign.State.CLOSED, "closed")])


class WishesForm(forms.Form):
    """What an export tells only if asked for."""

    with_names = forms.BooleanField(required=False)
    with_excluded = forms.BooleanField(required=False)

    def wishes(self) -> Wishes:
        """The boxes that are ticked."""
        self.full_clean()
        return Wishes(**self.cleaned_data)


class InvitationForm(forms.Form):
    """Names of judges to invite, one a line."""

    pseudonyms = forms.CharField(
        label="Judges to invite",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="One name a line. Answers are exported under these names, so pseudonyms are best.",
    )
    days = DaysField()

    def clean_pseudonyms(self) -> list[str]:
        """The names, each once."""
        names = list(dict.fromkeys(" ".join(line.split()) for line in self.cleaned_data["pseudonyms"].splitlines()))
        names = [name for name in names if name]
        if faults := [fault for name in names if (fault := fault_of_pseudonym(name))]:
            raise forms.ValidationError(faults)
        return names


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
