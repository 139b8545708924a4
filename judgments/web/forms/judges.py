"""Forms about judges: mails with their links, and the forms of judges themselves."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from judgments.actions.links import SendLinks
from judgments.models.members import LONGEST_MESSAGE
from judgments.rules.authored.tutorials import Question


class MessageForm(forms.Form):
    """The message that a judge has read."""

    message = forms.CharField(required=False, max_length=LONGEST_MESSAGE)


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

    def __init__(self, *args: Any, questions: Sequence[Question], chosen: Sequence[int], **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.initial = {f"question_{number}": place for number, place in enumerate(chosen, 1)}
        for number, question in enumerate(questions, 1):
            self.fields[f"question_{number}"] = forms.TypedChoiceField(
                label=question.text,
                choices=[(str(place), option.text) for place, option in enumerate(question.options)],
                coerce=int,
                widget=forms.RadioSelect,
                error_messages={"required": gettext("Choose an answer.")},
            )

    def chosen_options(self) -> list[int]:
        """The index of the chosen option of each question."""
        return [self.cleaned_data[name] for name in self.fields]


class CertainForm(forms.Form):
    """A user's confirmation that their name may be erased."""

    is_sure = forms.BooleanField(
        label=gettext_lazy("I want to be forgotten, and I know that this cannot be undone."),
        error_messages={"required": gettext_lazy("Tick the box if you are sure; nothing was changed.")},
    )
