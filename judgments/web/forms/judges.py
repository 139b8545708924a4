"""Forms about judges: invitations, decisions about a judge, and the forms of judges themselves."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from judgments.actions.links import SendLinks
from judgments.judges.invitations import LONGEST_LINK
from judgments.judges.rules.guests import guest_of, pasted_words
from judgments.models.members import LONGEST_MESSAGE
from judgments.rules.authored.questions import Question
from judgments.rules.files.names import fault_of_pseudonym


class MessageForm(forms.Form):
    """The message that a judge has read."""

    message = forms.CharField(required=False, max_length=LONGEST_MESSAGE)


class DaysField(forms.IntegerField):
    """The number of days for which a link is valid."""

    def __init__(self) -> None:
        super().__init__(label="Valid for this many days", required=False, min_value=1, max_value=LONGEST_LINK)
        self.help_text = "Leave blank for a link that is valid until you revoke it."


class InvitationForm(forms.Form):
    """Names or mail addresses of judges to invite."""

    pseudonyms = forms.CharField(
        label="Judges to invite",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Names or mail addresses, one a line or separated by commas. Answers are exported under these names, "
        "so pseudonyms are best; an address is exported as its part before the @.",
    )
    days = DaysField()

    def clean_pseudonyms(self) -> list[str]:
        names = pasted_words(self.cleaned_data["pseudonyms"])
        if faults := [fault for name in names if (fault := fault_of_pseudonym(guest_of(name).name))]:
            raise forms.ValidationError(faults)
        return names


class ObserverForm(InvitationForm):
    """Names or mail addresses of observers to invite."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.fields["pseudonyms"].label = "Observers to invite"
        self.fields["pseudonyms"].help_text = "Names or mail addresses, one a line or separated by commas."


class MailForm(SendLinks):
    """Subject and text of the mails with personal links, and what to do with them."""

    PREVIEW, TEST, SEND = "preview", "test", "send"

    test_to = forms.EmailField(
        required=False, label="Send a test to", help_text="Your own address; the link in a test leads nowhere."
    )
    step = forms.ChoiceField(choices=[(step, step) for step in (PREVIEW, TEST, SEND)], required=False)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("step") == self.TEST and not given.get("test_to") and "test_to" not in self.errors:
            self.add_error("test_to", "Enter the address to which the test should go.")
        return given


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
        """The index of the chosen option of each question."""
        return [self.cleaned_data[name] for name in self.fields]


class CertainForm(forms.Form):
    """A user's confirmation that their name may be erased."""

    is_sure = forms.BooleanField(
        label=gettext_lazy("I want to be forgotten, and I know that this cannot be undone."),
        error_messages={"required": gettext_lazy("Tick the box if you are sure; nothing was changed.")},
    )
