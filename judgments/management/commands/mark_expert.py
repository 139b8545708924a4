"""Mark a judge as an expert."""

from argparse import ArgumentParser
from typing import Any

from judgments.judges import judge_settings
from judgments.management.base import PlatformCommand


class Command(PlatformCommand):
    """mark_expert CAMPAIGN JUDGE"""

    help = """Say that a judge of verdicts is an expert, against whom the crowd is held, or is none. Examples:

  python manage.py mark_expert mytask ada
  python manage.py mark_expert mytask ada --no-expert
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        self.add_judge(parser)
        parser.add_argument("--no-expert", action="store_true", help="this judge is one of the crowd")

    def handle(self, **options: Any) -> str:
        judge = self.judge(self.campaign(options["campaign"]), options["judge"])
        judge_settings.mark(judge, not options["no_expert"])
        return f"{judge.pseudonym} is {'one of the crowd' if options['no_expert'] else 'an expert'}."
