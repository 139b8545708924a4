"""Include a judge."""

from argparse import ArgumentParser
from typing import Any

from judgments.judges import exclusion
from judgments.management.base import PlatformCommand


class Command(PlatformCommand):
    """include_judge CAMPAIGN JUDGE --reason WORDS"""

    help = """Count an excluded judge's answers again, whatever the rule says. Example:

  python manage.py include_judge mytask ada --reason "explained it"
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        self.add_judge(parser)
        parser.add_argument("--reason", required=True, help="why, in a few words")

    def handle(self, **options: Any) -> str:
        campaign = self.campaign(options["campaign"])
        judge = self.judge(campaign, options["judge"])
        exclusion.include(judge, options["reason"])
        return f"{judge.pseudonym} counts again."
