"""End a program's access."""

from argparse import ArgumentParser
from typing import Any

from judgments.judges import people, programs
from judgments.management.base import PlatformCommand


class Command(PlatformCommand):
    """dismiss_program CAMPAIGN NAME"""

    help = """Give a program no screens any more; what it judged stays. Example:

  python manage.py dismiss_program mytask my-model
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        parser.add_argument("name", metavar="NAME")

    def handle(self, **options: Any) -> str:
        campaign = self.campaign(options["campaign"])
        program = self.named(people.programs(campaign), "program", "pseudonym", options["name"])
        programs.dismiss(program)
        return f"{program.pseudonym} gets no screens any more."
