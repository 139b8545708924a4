"""Find the edits of a campaign's outputs by ERRANT, for judges to mark, before they begin.

Outputs that came with the edits of an M2 file keep them. Needs requirements-errant.txt, and for other languages than
English their parser. Example:

  python manage.py propose_edits mytask
"""

from judgments.management.base import CAMPAIGN, PlatformCommand
from judgments.models import Campaign
from ranking.scores.texts import propose_edits


class Command(PlatformCommand):
    help = __doc__
    arguments = (CAMPAIGN,)

    def run(self, campaign: Campaign) -> str:
        return f"{campaign.slug}: ERRANT found the edits of {propose_edits(campaign, self.bar):,} outputs."
