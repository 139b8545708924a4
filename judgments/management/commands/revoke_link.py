"""Revoke a link."""

from argparse import ArgumentParser
from typing import Any

from judgments.campaigns import access
from judgments.judges import invitations
from judgments.management.base import PlatformCommand


class Command(PlatformCommand):
    """revoke_link CAMPAIGN TOKEN"""

    help = """Let nobody in by a link any more; what was judged by it stays.

TOKEN is the last part of the link. Example:

  python manage.py revoke_link mytask rP2w8fIu0pF7bE2yQ5nC1tXk
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        parser.add_argument("token", metavar="TOKEN", help="the last part of the link")

    def handle(self, **options: Any) -> str:
        campaign = self.campaign(options["campaign"])
        invitations.revoke(access.link_to_revoke(campaign, options["token"]))
        return "The link lets nobody in any more."
