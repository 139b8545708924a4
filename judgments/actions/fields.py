"""Fields of actions beyond those of Django."""

from typing import Any

from django import forms

from judgments.judges.rules.guests import pasted_words


class WordsField(forms.CharField):
    """Distinct names: one a line or separated by commas on pages; a list in the API and on the command line."""

    widget = forms.Textarea(attrs={"rows": 3})

    def clean(self, value: Any) -> list[str]:
        words = [word.strip() for word in value] if isinstance(value, list) else pasted_words(super().clean(value))
        if self.required and not any(words):
            raise forms.ValidationError(self.error_messages["required"], "required")
        return list(dict.fromkeys(filter(None, words)))


class RowsField(forms.TypedMultipleChoiceField):
    """Rows of the campaign by their numbers; the action sets the choices, which differ by campaign."""

    def __init__(self, **about: Any) -> None:
        super().__init__(coerce=int, **about)
