"""Open, close or archive a campaign."""

from argparse import ArgumentParser
from typing import Any

from judgments.campaigns import states
from judgments.management.base import PlatformCommand


class Command(PlatformCommand):
    """change_state CAMPAIGN STATE"""

    help = """Let judges in (open), take no more answers (closed), or put a closed campaign away (archived). Example:

  python manage.py change_state mytask closed
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        parser.add_argument("state", choices=list(states.CHANGES))

    def handle(self, **options: Any) -> str:
        campaign = self.campaign(options["campaign"])
        states.CHANGES[options["state"]](campaign)
        campaign.refresh_from_db()
        return f"{campaign.slug} is {campaign.get_state_display()}."
