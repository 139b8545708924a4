"""The form by which screens are planned and assigned."""

from typing import Any

from django import forms
from django.forms.models import fields_for_model, model_to_dict
from django.http import QueryDict

from judgments.assignment.planning import MOST_SCREENS, PLAN_SETTINGS
from judgments.models import Batch, Campaign, System
from judgments.protocols import protocol_of


class PlanForm(forms.Form):
    """The settings of a plan; once screens are assigned, only how many more to assign."""

    screens = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_SCREENS,
        label="Screens",
        help_text="How many to assign if sentences are sampled; leave blank for as many as there are sentences.",
    )
    with_controls = forms.BooleanField(
        required=False,
        label="Make controls",
        help_text="Adds one or two errors to every source sentence; careful judges rank it below the source.",
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
            ].help_text = "How many to assign if they are sampled; leave blank for all that are left."
            label_designs(self)

    def settings(self) -> dict[str, Any]:
        """Return the settings that belong to the campaign."""
        return {name: value for name, value in self.cleaned_data.items() if name in PLAN_SETTINGS}


def label_designs(form: forms.Form) -> None:
    """Label the designs for protocols that compare nothing."""
    if "design" in form.fields:
        form.fields["design"].choices = [  # type: ignore[attr-defined]
            (Campaign.Design.COMPLETE, "everything"),
            (Campaign.Design.SAMPLED, "a random sample of the size given"),
        ]


def _needs_controls(campaign: Campaign) -> bool:
    """Whether there is a source to make controls from, and no control yet."""
    kinds = set(System.objects.filter(campaign=campaign).values_list("kind", flat=True))
    return System.Kind.SOURCE in kinds and System.Kind.CONTROL not in kinds


class AssignForm(PlanForm):
    """The form that carries a plan out; `assigned_before` shows whether the plan is still current."""

    assigned_before = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)
