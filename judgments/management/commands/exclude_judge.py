"""Exclude a judge's answers from reports; they stay stored, and exports mark them. Example:

python manage.py exclude_judge mytask ada --reason "asleep"
"""

from judgments.judges import exclusion
from judgments.management.base import CAMPAIGN, JUDGE, REASON, PlatformCommand, argument
from judgments.models import Membership


class Command(PlatformCommand):
    arguments = (
        CAMPAIGN,
        JUDGE,
        REASON,
        argument("--judge-again", action="store_true", default=None, help="others judge this judge's screens again"),
    )

    def run(self, judge: Membership, reason: str, judge_again: bool | None) -> str:
        exclusion.exclude(judge, reason, judge_again)
        return f"{judge.pseudonym} was excluded."
