"""Set a judge's quota of batches."""

from argparse import ArgumentParser
from typing import Any

from judgments.judges import judge_settings
from judgments.management.base import PlatformCommand


class Command(PlatformCommand):
    """set_quota CAMPAIGN JUDGE [BATCHES]"""

    help = """Let a judge do so many batches at most.

Without a number the campaign's limit applies. Example:

  python manage.py set_quota mytask ada 3
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        self.add_judge(parser)
        parser.add_argument("batches", nargs="?", type=int, metavar="BATCHES")

    def handle(self, **options: Any) -> str:
        campaign = self.campaign(options["campaign"])
        judge = self.judge(campaign, options["judge"])
        judge_settings.set_quota(judge, options["batches"])
        quota = (
            "as many batches as the campaign allows"
            if options["batches"] is None
            else f"at most {options['batches']} batches"
        )
        return f"{judge.pseudonym} may do {quota}."
