"""By what screens are assigned."""

from typing import Any

from django import forms
from django.forms.models import fields_for_model, model_to_dict
from django.http import QueryDict

from judgments.assignment.planning import MOST_SCREENS, PLAN_SETTINGS
from judgments.models import Batch, Campaign, System
from judgments.protocols import protocol_of


class PlanForm(forms.Form):
    """The settings of a deal; once screens are dealt only how many more there should be."""

    screens = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_SCREENS,
        label="Screens",
        help_text="How many to deal, where sentences are drawn by chance; empty: as many as there are sentences.",
    )
    with_controls = forms.BooleanField(
        required=False,
        label="Make controls",
        help_text="Every source sentence with one or two errors more; careful judges put it below the source.",
    )

    def __init__(self, campaign: Campaign, given: QueryDict | None = None):
        protocol = protocol_of(campaign)
        plan_settings = [name for name in PLAN_SETTINGS if name not in protocol.lacks]
        super().__init__(given or None, initial=model_to_dict(campaign, plan_settings))
        if not protocol.has_candidates or not _needs_controls(campaign):
            del self.fields["with_controls"]
        if not Batch.objects.filter(campaign=campaign).exists():
            self.fields.update(fields_for_model(Campaign, plan_settings))
        if not protocol.has_candidates:
            self.fields[
                "screens"
            ].help_text = "How many to deal, where they are drawn by chance; empty: all that are left."
            say_designs(self)

    def settings(self) -> dict[str, Any]:
        """What of it belongs to the campaign."""
        return {name: value for name, value in self.cleaned_data.items() if name in PLAN_SETTINGS}


def say_designs(form: forms.Form) -> None:
    """What the designs mean where nothing is compared."""
    if "design" in form.fields:
        form.fields["design"].choices = [  # type: ignore[attr-defined]
            (Campaign.Design.COMPLETE, "everything"),
            (Campaign.Design.SAMPLED, "as many as are asked for, drawn by chance"),
        ]


def _needs_controls(campaign: Campaign) -> bool:
    """Whether there is a source to make controls of, and no control yet."""
    kinds = set(System.objects.filter(campaign=campaign).values_list("kind", flat=True))
    return System.Kind.SOURCE in kinds and System.Kind.CONTROL not in kinds


class AssignForm(PlanForm):
    """The same when it is to be done: what was dealt when it was planned says whether the plan still holds."""

    assigned_before = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)
