"""What an organiser wishes of an export."""

from collections.abc import Iterable
from typing import Any

from django import forms

from judgments.models import Campaign


class ReferencesForm(forms.Form):
    """The campaign whose references corrections become."""

    to = forms.ModelChoiceField(Campaign.objects.none(), label="Campaign", to_field_name="slug", empty_label=None)

    def __init__(self, fitting: Iterable[Campaign], *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.fields["to"].queryset = Campaign.objects.filter(pk__in=[one.pk for one in fitting])  # type: ignore[attr-defined]

    @property
    def has_choice(self) -> bool:
        """Whether there is a campaign to choose."""
        return self.fields["to"].queryset.exists()  # type: ignore[attr-defined]
