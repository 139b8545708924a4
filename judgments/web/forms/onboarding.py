"""What judges fill in before the first screen."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext

from judgments.rules.authored.questions import Question


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
