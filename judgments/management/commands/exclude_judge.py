"""Exclude a judge."""

from argparse import ArgumentParser
from typing import Any

from judgments.judges import exclusion
from judgments.management.base import PlatformCommand


class Command(PlatformCommand):
    """exclude_judge CAMPAIGN JUDGE --reason WORDS"""

    help = """Let a judge's answers not count; they stay stored, and exports mark them. Example:

  python manage.py exclude_judge mytask ada --reason "asleep"
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        self.add_judge(parser)
        parser.add_argument("--reason", required=True, help="why, in a few words")

    def handle(self, **options: Any) -> str:
        campaign = self.campaign(options["campaign"])
        judge = self.judge(campaign, options["judge"])
        exclusion.exclude(judge, options["reason"])
        return f"{judge.pseudonym} does not count any more."
