"""Enrol a program as a judge, and print the token with which it judges.

Any earlier token of the program stops working. docs/api.md describes how a program uses it. Example:

  python manage.py enrol_program mytask my-model
"""

from judgments.judges import programs
from judgments.management.base import CAMPAIGN, PlatformCommand, argument
from judgments.models import Campaign


class Command(PlatformCommand):
    arguments = (CAMPAIGN, argument("name", metavar="NAME", help="its name in reports and exports"))

    def run(self, campaign: Campaign, name: str) -> str:
        return programs.enrol(campaign, name)
