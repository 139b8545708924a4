"""Open a campaign to judges, close it to further answers, or archive a closed campaign. Example:

python manage.py change_state mytask closed
"""

from judgments.campaigns import states, steps
from judgments.management.base import CAMPAIGN, PlatformCommand, argument
from judgments.models import Campaign


class Command(PlatformCommand):
    arguments = (CAMPAIGN, argument("state", choices=list(states.CHANGES)))

    def run(self, campaign: Campaign, state: str) -> str:
        states.CHANGES[state](campaign)
        campaign.refresh_from_db()
        idle = steps.idle_rule(campaign) if campaign.is_open else ""
        return f"{campaign.slug} is {campaign.get_state_display()}. {idle}".rstrip()
