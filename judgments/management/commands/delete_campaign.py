"""Delete a campaign with all its texts, judgments and reports.

It cannot be brought back, but its bundle can (export_campaign). Type the short name twice. Example:

  python manage.py delete_campaign mytask --typed mytask
"""

from judgments.campaigns import deleting
from judgments.management.base import CAMPAIGN, PlatformCommand, argument
from judgments.models import Campaign


class Command(PlatformCommand):
    help = __doc__
    arguments = (
        CAMPAIGN,
        argument("--typed", default="", metavar="CAMPAIGN", help="the short name once more, to be sure"),
    )

    def run(self, campaign: Campaign, typed: str) -> str:
        slug, gone = campaign.slug, deleting.contents(campaign)
        deleting.delete_campaign(campaign, typed)
        return f"{slug} is gone, with {gone.judgments} judgments by {gone.judges} judges."
