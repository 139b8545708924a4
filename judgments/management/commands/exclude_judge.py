"""Exclude a judge's answers from reports; they stay stored, and exports mark them. Example:

python manage.py exclude_judge mytask ada --reason "asleep"
"""

from judgments.judges import exclusion
from judgments.management.base import CAMPAIGN, JUDGE, REASON, PlatformCommand
from judgments.models import Membership


class Command(PlatformCommand):
    arguments = (CAMPAIGN, JUDGE, REASON)

    def run(self, judge: Membership, reason: str) -> str:
        exclusion.exclude(judge, reason)
        return f"{judge.pseudonym} was excluded."
