"""Delete a campaign permanently."""

from argparse import ArgumentParser
from typing import Any

from judgments.campaigns import deleting
from judgments.management.base import PlatformCommand


class Command(PlatformCommand):
    """delete_campaign CAMPAIGN --typed CAMPAIGN"""

    help = """Delete a campaign with all its texts, judgments and reports. It cannot be brought back; its bundle can
(export_campaign). Say the short name twice. Example:

  python manage.py delete_campaign mytask --typed mytask
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        parser.add_argument("--typed", default="", metavar="CAMPAIGN", help="the short name once more, to be sure")

    def handle(self, **options: Any) -> str:
        campaign = self.campaign(options["campaign"])
        gone = deleting.contents(campaign)
        deleting.delete_campaign(campaign, options["typed"])
        return f"{options['campaign']} is gone, with {gone.judgments} judgments by {gone.judges} judges."
