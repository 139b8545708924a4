"""Export a campaign as a ZIP from which another installation can import an identical one.

It holds settings, texts, systems, screens, assignments and all judgments with their revisions. Accounts, links, drafts
and crowd platforms' data about workers are left out; judges appear under their pseudonyms. The same campaign gives the
same bytes. Example:

  python manage.py export_campaign mytask --out mytask.zip
"""

from pathlib import Path

from judgments.exchange.exporters import EXPORTS
from judgments.management.base import CAMPAIGN, OUT_FILE, PlatformCommand
from judgments.models import Campaign


class Command(PlatformCommand):
    arguments = (CAMPAIGN, OUT_FILE)

    def run(self, campaign: Campaign, out: Path) -> str:
        return self.write_blocks(EXPORTS["campaign.zip"].blocks(campaign), out)
