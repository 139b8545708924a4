"""Options of the commands that plan and assign screens."""

from collections.abc import Mapping
from typing import Any

from django import forms

from judgments.actions.campaigns import Configure
from judgments.campaigns import settings
from judgments.campaigns.presets import PRESETS
from judgments.management.base import Argument, argument, options_of
from judgments.models import Campaign
from judgments.models.campaign import PLAN_SETTINGS

NUMBERS: dict[type[forms.Field], type] = {forms.IntegerField: int, forms.FloatField: float}


def _option(name: str) -> Argument:
    field = Configure.base_fields[name]
    number = {"type": NUMBERS[type(field)]} if type(field) in NUMBERS else {}
    return argument(f"--{name.replace('_', '-')}", **options_of(field), **number)


PLAN = (
    argument("--preset", choices=list(PRESETS), help="start from the settings of a published study"),
    argument("--screens", type=int, help="number of screens for a sampled design (default: the maximum)"),
    *map(_option, PLAN_SETTINGS),
)


def settings_of(campaign: Campaign, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that the preset and the options change; options win."""
    preset = settings.preset(options["preset"], campaign.protocol) if options["preset"] else {}
    return preset | {name: options[name] for name in PLAN_SETTINGS if options[name] is not None}
