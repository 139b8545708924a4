"""Limit the number of batches for a judge; without a number, the campaign's limit applies. Example:

python manage.py set_quota mytask ada 3
"""

from judgments.judges import people
from judgments.management.base import CAMPAIGN, JUDGE, PlatformCommand, argument
from judgments.models import Membership


class Command(PlatformCommand):
    arguments = (CAMPAIGN, JUDGE, argument("batches", nargs="?", type=int, metavar="BATCHES"))

    def run(self, judge: Membership, batches: int | None) -> str:
        people.set_quota(judge, batches)
        quota = "the campaign's limit applies" if batches is None else f"at most {batches} batches"
        return f"{judge.pseudonym}: {quota}."
