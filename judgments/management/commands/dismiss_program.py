"""Dismiss a program: it gets no more screens, and its judgments stay. Example:

python manage.py dismiss_program mytask my-model
"""

from judgments.judges import people, programs
from judgments.management.base import CAMPAIGN, PlatformCommand, argument
from judgments.models import Campaign


class Command(PlatformCommand):
    arguments = (CAMPAIGN, argument("name", metavar="NAME"))

    def run(self, campaign: Campaign, name: str) -> str:
        program = self.find(people.programs(campaign), "program", "pseudonym", name)
        programs.dismiss(program)
        return f"{program.pseudonym} was dismissed."
