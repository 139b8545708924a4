"""Options of the commands that plan and assign screens."""

from argparse import BooleanOptionalAction
from collections.abc import Mapping
from typing import Any

from judgments.assignment import planning
from judgments.campaigns import settings
from judgments.campaigns.presets import PRESETS
from judgments.management.base import argument
from judgments.models import Campaign

PLAN = (
    argument("--preset", choices=list(PRESETS), help="start from the settings of a published study"),
    argument("--screens", type=int, help="number of screens for a sampled design (default: the maximum)"),
    argument("--design", choices=Campaign.Design.values, help="sample sentences, or show everything"),
    argument("--sampling", choices=Campaign.Sampling.values, help="how a sampled design chooses sentences"),
    argument("--screen-size", type=int, metavar="M", help="maximum number of candidates on one screen"),
    argument("--redundancy", type=int, metavar="K", help="number of judges for each screen"),
    argument("--batch-size", type=int, help="number of screens in one sitting"),
    argument("--repeat-share", type=float, help="share of a batch shown again to the same judge"),
    argument("--control-share", type=float, help="share of screens with a control and its source"),
    argument(
        "--automatic-ties", action=BooleanOptionalAction, help="count sampled sentences with identical outputs as ties"
    ),
    argument("--one-domain-a-day", action=BooleanOptionalAction, help="give each judge one domain per day"),
    argument("--document-mode", action=BooleanOptionalAction, help="keep documents whole and in order"),
    argument("--pilot", choices=Campaign.Pilot.values[1:], help="the first screens are a pilot that counts or not"),
    argument("--seed", type=int, help="the seed (default: the campaign's own)"),
)


def settings_of(campaign: Campaign, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that the preset and the options change; options win."""
    preset = settings.preset(options["preset"], campaign.protocol) if options["preset"] else {}
    return preset | {name: options[name] for name in planning.PLAN_SETTINGS if options[name] is not None}
