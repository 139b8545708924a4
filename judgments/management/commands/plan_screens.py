"""Preview what these settings would assign: screens, assignments, batches, hours, comparisons.

Nothing is stored. The settings are those of assign_screens. Example:

  python manage.py plan_screens mytask --redundancy 3 --screens 600
"""

from argparse import BooleanOptionalAction
from collections.abc import Mapping
from typing import Any

from judgments.assignment import planning
from judgments.campaigns import settings
from judgments.campaigns.presets import PRESETS
from judgments.management.base import CAMPAIGN, PlatformCommand, argument
from judgments.models import Campaign

PLAN = (
    argument("--preset", choices=list(PRESETS), help="begin with the settings of a published study"),
    argument("--screens", type=int, help="number of screens for a sampled design (default: as many as fit)"),
    argument("--design", choices=Campaign.Design.values, help="sample sentences, or show everything"),
    argument("--screen-size", type=int, metavar="M", help="the most candidates on one screen"),
    argument("--redundancy", type=int, metavar="K", help="how many judges see each screen"),
    argument("--batch-size", type=int, help="screens a judge does in one sitting"),
    argument("--repeat-share", type=float, help="share of a batch shown again to the same judge"),
    argument("--control-share", type=float, help="share of screens with a control and its source"),
    argument(
        "--automatic-ties", action=BooleanOptionalAction, help="count sampled sentences without a difference as ties"
    ),
    argument("--one-domain-a-day", action=BooleanOptionalAction, help="keep a judge to one domain a day"),
    argument("--seed", type=int, help="the seed (default: the campaign's own)"),
)


def settings_of(campaign: Campaign, options: Mapping[str, Any]) -> dict[str, Any]:
    """The settings given as options or by the preset; all others stay the campaign's."""
    preset = settings.preset(options["preset"], campaign.protocol) if options["preset"] else {}
    return preset | {name: options[name] for name in planning.PLAN_SETTINGS if options[name] is not None}


class Command(PlatformCommand):
    help = __doc__
    arguments = (CAMPAIGN, *PLAN)

    def run(self, campaign: Campaign, screens: int | None, options: dict[str, Any]) -> str:
        plan, pace = planning.plan(campaign, settings_of(campaign, options), screens), planning.pace(campaign)
        apart = f"\nNever compared: {', '.join(' and '.join(pair) for pair in plan.apart)}." if plan.apart else ""
        automatic = f" and {plan.automatic} automatic ties" if plan.automatic else ""
        return (
            f"{plan.screens} screens{automatic} in {plan.batches} batches, {plan.assignments} assignments, "
            f"{plan.hours:.1f} hours at {pace.seconds:.0f} seconds a screen.\n"
            f"Comparisons of a pair: from {plan.fewest} to {plan.most}, {plan.median:g} in the median.{apart}"
        )
