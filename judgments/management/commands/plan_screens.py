"""Preview a plan of assignments."""

from argparse import ArgumentParser
from typing import Any

from judgments.assignment import planning
from judgments.management.assignment import add_settings, settings_of
from judgments.management.base import PlatformCommand


class Command(PlatformCommand):
    """plan_screens CAMPAIGN"""

    help = """Preview what these settings would assign: screens, assignments, batches, hours, comparisons.

Nothing is stored. The settings are those of assign_screens. Example:

  python manage.py plan_screens mytask --redundancy 3 --screens 600
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        add_settings(parser)

    def handle(self, **options: Any) -> str:
        campaign = self.campaign(options["campaign"])
        plan, pace = (
            planning.plan(campaign, settings_of(campaign, options), options["screens"]),
            planning.pace(campaign),
        )
        apart = f"\nNever compared: {', '.join(' and '.join(pair) for pair in plan.apart)}." if plan.apart else ""
        automatic = f" and {plan.automatic} automatic ties" if plan.automatic else ""
        return (
            f"{plan.screens} screens{automatic} in {plan.batches} batches, {plan.assignments} assignments, "
            f"{plan.hours:.1f} hours at {pace.seconds:.0f} seconds a screen.\n"
            f"Comparisons of a pair: from {plan.fewest} to {plan.most}, {plan.median:g} in the median.{apart}"
        )
