"""Include an excluded judge's answers in reports again, whatever the exclusion rule gives. Example:

python manage.py include_judge mytask ada --reason "explained it"
"""

from judgments.judges import exclusion
from judgments.management.base import CAMPAIGN, JUDGE, REASON, PlatformCommand
from judgments.models import Membership


class Command(PlatformCommand):
    arguments = (CAMPAIGN, JUDGE, REASON)

    def run(self, judge: Membership, reason: str) -> str:
        exclusion.include(judge, reason)
        return f"{judge.pseudonym} was included again."
