"""The form of a report's parameters, made from what each parameter says of itself."""

from dataclasses import Field, fields
from math import isinf
from typing import Any

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


class NumbersField(forms.CharField):
    """Numbers separated by commas or spaces."""

    def clean(self, value: str) -> tuple[float, ...] | None:
        try:
            return tuple(map(float, super().clean(value).replace(",", " ").split())) or None
        except ValueError as reason:
            raise forms.ValidationError("Write numbers separated by commas, such as 0.5, 0.75, 0.9, 1.") from reason


def field_for(choice: Field) -> forms.Field:
    """A field that may stay empty, which keeps the value of the preset."""
    known = choice.metadata
    shared: dict[str, Any] = {"required": False, "label": known["label"] or None, "help_text": known["says"]}
    names = [(name, name) for name in known["among"]]
    if choice.type == tuple[str, ...]:
        return forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple, choices=names, **shared)
    if choice.type is str:
        return forms.ChoiceField(choices=[UNCHANGED, *names], **shared)
    if choice.type == tuple[float, ...]:
        return NumbersField(max_length=200, **shared)
    if choice.type is float:
        return forms.FloatField(**shared)  # the parameters' own message says what to choose
    bounds = {"min_value": known["least"], "max_value": known["most"]}
    return forms.IntegerField(**{name: bound for name, bound in bounds.items() if not isinf(bound)}, **shared)


class ReportForm(forms.Form):
    """A preset and changes to it; empty fields keep the preset's values."""

    preset = forms.ChoiceField(required=False, initial=RECOMMENDED)
    replicates = forms.IntegerField(
        required=False,
        min_value=FEWEST_REPLICATES,
        max_value=MOST_REPLICATES,
        help_text="How many bootstrap replicates are drawn; leave blank for 1000.",
    )
    level = forms.FloatField(
        required=False, min_value=0.5, max_value=0.9999, help_text="The level of intervals, such as 0.95 (95%)."
    )
    judged_by = forms.ChoiceField(
        required=False,
        choices=[("", "people"), *((name, name) for name in JUDGED_BY if name != PEOPLE)],
        help_text="Whose judgments count: those of people, of programs, or of everybody.",
    )
    answers = forms.ChoiceField(
        required=False,
        choices=[("", "independent"), *((name, name) for name in ANSWERS if name != INDEPENDENT)],
        help_text="Revised: those that judges changed after feedback replace their first ones. Adjudicated: the "
        "organiser's answers replace those of the judges on the same screens.",
    )
    seed = forms.IntegerField(
        required=False, min_value=0, max_value=LARGEST_SEED, help_text="The same seed gives the same numbers."
    )

    def __init__(self, kind: Any, campaign: Campaign, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.kind, self.campaign = kind, campaign
        choices = {choice.name: choice for choice in fields(kind.parameters)}
        if not protocol_of(campaign).has_sides or "answers" not in choices:
            del self.fields["answers"]
        if kind.needs_programs:  # people and programs are both read
            del self.fields["judged_by"]
        own = {name: field_for(choice) for name, choice in choices.items() if choice.metadata}
        self.fields = {"preset": self.fields["preset"]} | own | self.fields
        self.fields["preset"].choices = [  # type: ignore[attr-defined]
            (name, self.kind.presets_say[name]) for name in self.presets()
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
            given["parameters"] = self.kind.preset_for(self.campaign, given["preset"]).with_changes(**changes)
        except ParametersError as reason:
            raise forms.ValidationError(str(reason)) from reason
        return given
