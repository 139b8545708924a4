"""The form of a report's parameters."""

from collections.abc import Iterable
from dataclasses import fields
from typing import Any, ClassVar

from django import forms

from judgments.models import Campaign
from judgments.protocols import protocol_of
from ranking.stats.choices import (
    ANSWERS,
    FEWEST_REPLICATES,
    INDEPENDENT,
    JUDGED_BY,
    LARGEST_SEED,
    MOST_REPLICATES,
    PEOPLE,
    RECOMMENDED,
    ParametersError,
)

UNCHANGED = ("", "as in the preset")


def choice_of(names: Iterable[str], help_text: str = "", empty: tuple[str, str] = UNCHANGED) -> forms.ChoiceField:
    """A choice by name; empty keeps the value of the preset."""
    return forms.ChoiceField(
        required=False, choices=[empty, *((str(name), str(name)) for name in names)], help_text=help_text
    )


class ReportForm(forms.Form):
    """A preset and changes to it; empty fields keep the preset's values."""

    preset_labels: ClassVar[dict[str, str]]

    preset = forms.ChoiceField(required=False, initial=RECOMMENDED)
    replicates = forms.IntegerField(
        required=False,
        min_value=FEWEST_REPLICATES,
        max_value=MOST_REPLICATES,
        help_text="The number of replicates; empty: 1000.",
    )
    level = forms.FloatField(
        required=False, min_value=0.5, max_value=0.9999, help_text="The level of intervals, such as 0.95."
    )
    judged_by = choice_of(
        (name for name in JUDGED_BY if name != PEOPLE),
        "Whose judgments count; programs and people are mixed only on request.",
        empty=("", "people"),
    )
    answers = choice_of(
        (name for name in ANSWERS if name != INDEPENDENT),
        "Revised: those that judges changed after feedback replace their first ones. Adjudicated: the organiser's "
        "answers replace those of the judges on the same screens.",
        empty=("", "independent"),
    )
    seed = forms.IntegerField(
        required=False, min_value=0, max_value=LARGEST_SEED, help_text="The same seed gives the same numbers."
    )

    def __init__(self, kind: Any, campaign: Campaign, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.kind, self.campaign = kind, campaign
        if not protocol_of(campaign).has_sides:
            del self.fields["answers"]
        self.fields["preset"].choices = [  # type: ignore[attr-defined]
            (name, self.preset_labels[name]) for name in self.presets()
        ]

    def presets(self) -> list[str]:
        """Those that suit the campaign."""
        return list(self.kind.presets)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if self.errors:
            return given
        given["preset"] = given["preset"] or RECOMMENDED
        names = {field.name for field in fields(self.kind.parameters)}
        changes = {name: value for name, value in given.items() if name in names and value not in (None, "", [])}
        try:
            given["parameters"] = self.kind.preset_for(self.campaign, given["preset"]).changed(**changes)
        except ParametersError as reason:
            raise forms.ValidationError(str(reason)) from reason
        return given
