"""Delete a campaign with all its texts, judgments and reports.

This cannot be undone; export_campaign first, to be able to import it again. Type the short name twice. Example:

  python manage.py delete_campaign mytask --typed mytask
"""

from judgments.campaigns import deleting
from judgments.management.base import CAMPAIGN, PlatformCommand, argument
from judgments.models import Campaign


class Command(PlatformCommand):
    arguments = (
        CAMPAIGN,
        argument("--typed", default="", metavar="CAMPAIGN", help="the short name again, to confirm"),
    )

    def run(self, campaign: Campaign, typed: str) -> str:
        slug, deleted = campaign.slug, deleting.contents(campaign)
        deleting.delete_campaign(campaign, typed)
        return f"Deleted {slug}, with {deleted.judgments} judgments by {deleted.judges} judges."
