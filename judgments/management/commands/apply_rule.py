"""Recompute the statistics of every judge, and apply the exclusion rule that was fixed before opening.

The platform does this whenever a judge completes a batch. Use this command after an import, or if answers have changed
since. It does not change judges whom an organiser excluded or included by hand. Example:

  python manage.py apply_rule mytask
"""

from judgments.judges import exclusion
from judgments.management.base import CAMPAIGN, PlatformCommand
from judgments.models import Campaign


class Command(PlatformCommand):
    arguments = (CAMPAIGN,)

    def run(self, campaign: Campaign) -> str:
        applied = exclusion.apply_rule(campaign)
        return f"{exclusion.rule_of(campaign)}\n{applied.excluded} excluded, {applied.included} included again."
