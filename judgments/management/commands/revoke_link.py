"""Revoke a link, so that nobody can use it again; judgments made through it stay.

TOKEN is the last part of the link. Example:

  python manage.py revoke_link mytask rP2w8fIu0pF7bE2yQ5nC1tXk
"""

from judgments.campaigns import access
from judgments.judges import invitations
from judgments.management.base import CAMPAIGN, PlatformCommand, argument
from judgments.models import Campaign


class Command(PlatformCommand):
    arguments = (CAMPAIGN, argument("token", metavar="TOKEN", help="the last part of the link"))

    def run(self, campaign: Campaign, token: str) -> str:
        invitations.revoke(access.link_to_revoke(campaign, token))
        return "The link was revoked."
