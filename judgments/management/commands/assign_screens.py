"""Assign screens and open the campaign."""

from argparse import ArgumentParser
from typing import Any

from judgments.assignment import planning
from judgments.management.assignment import add_settings, settings_of
from judgments.management.base import PlatformCommand
from judgments.models import Screen


class Command(PlatformCommand):
    """assign_screens CAMPAIGN"""

    help = """Assign screens by the campaign's settings and seed, and open it for judging.

Settings given here are stored with the campaign. The same material, settings and seed give the same screens. Examples:

  python manage.py assign_screens mytask
  python manage.py assign_screens mytask --preset grundkiewicz2015 --screens 600
  python manage.py assign_screens mytask --design complete --redundancy 3 --make-controls --control-share 0.1
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        add_settings(parser)
        parser.add_argument("--make-controls", action="store_true", help="make controls from the source sentences")
        parser.add_argument("--keep-closed", action="store_true", help="do not open the campaign yet")

    def handle(self, **options: Any) -> str:
        campaign = self.campaign(options["campaign"])
        assigned = planning.launch(
            campaign,
            settings_of(campaign, options),
            options["screens"],
            options["make_controls"],
            not options["keep_closed"],
            self.bar,
        )
        automatic = (
            f" {assigned.automatic} sampled sentences without a difference count as ties." if assigned.automatic else ""
        )
        total = Screen.objects.filter(campaign=campaign).exclude(batch=None).count()
        more = f" more, {total} in total," if total > assigned.screens else ""
        batches = f"{assigned.batches} batch{'es' * (assigned.batches != 1)}"
        return (
            f"{campaign.slug}: {assigned.screens} screens{more} in {batches}, {assigned.assignments} assignments, "
            f"seed {campaign.seed}.{automatic}"
        )
