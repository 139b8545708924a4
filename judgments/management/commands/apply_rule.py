"""Recompute the statistics of every judge, and exclude by the rule that was fixed before opening.

The platform does so for a judge at the end of each batch. Use this command for judgments that arrived otherwise, and
for answers that changed since. Judges whom an organiser excluded or included by hand stay so. Example:

  python manage.py apply_rule mytask
"""

from judgments.judges import exclusion
from judgments.management.base import CAMPAIGN, PlatformCommand
from judgments.models import Campaign


class Command(PlatformCommand):
    help = __doc__
    arguments = (CAMPAIGN,)

    def run(self, campaign: Campaign) -> str:
        applied = exclusion.apply_rule(campaign)
        return f"{exclusion.rule_of(campaign)}\n{applied.excluded} excluded, {applied.included} included again."
