"""Enrol a program as a judge."""

from argparse import ArgumentParser
from typing import Any

from judgments.judges import programs
from judgments.management.base import PlatformCommand


class Command(PlatformCommand):
    """enrol_program CAMPAIGN NAME"""

    help = """Print the token by which a program of this name judges.

Any that it had is worth nothing from then on. What it does with it is in docs/api.md. Example:

  python manage.py enrol_program mytask my-model
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        parser.add_argument("name", metavar="NAME", help="how reports and exports call it")

    def handle(self, **options: Any) -> str:
        campaign = self.campaign(options["campaign"])
        return programs.enrol(campaign, options["name"])
