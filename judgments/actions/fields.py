"""Fields of actions beyond those of Django."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from judgments.judges.rules.guests import pasted_words
from judgments.material.uploads import MOST_BYTES, too_large, too_many
from judgments.rules.files.archives import MOST_FILES


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


class FilesInput(forms.FileInput):
    allow_multiple_selected = True

    def value_from_datadict(self, given: Any, files: Any, name: str) -> Any:
        return files.getlist(name) if hasattr(files, "getlist") else files.get(name, [])


class FilesField(forms.Field):
    """At least one file, and not too many."""

    widget = FilesInput

    def clean(self, value: Sequence[UploadedFile] | None) -> list[UploadedFile]:
        sent = list(value or [])
        if not sent and self.required:
            raise forms.ValidationError(self.error_messages["required"], "required")
        if len(sent) > MOST_FILES:
            raise forms.ValidationError(too_many())
        if sum(file.size or 0 for file in sent) > MOST_BYTES:
            raise forms.ValidationError(too_large())
        return sent
