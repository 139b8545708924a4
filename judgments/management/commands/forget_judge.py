"""Erase a judge's name."""

from argparse import ArgumentParser
from typing import Any

from judgments.management.base import PlatformCommand
from judgments.privacy.erasure import TYPE_IT, forget_person
from judgments.privacy.erasure import forget_judge as forget_one
from judgments.privacy.person import Person
from judgments.rules.errors import Refused


class Command(PlatformCommand):
    """forget_judge CAMPAIGN JUDGE --typed JUDGE [--everywhere]"""

    help = """Take the name of a judge out of a campaign: name, addresses, links, what was begun, lines of the journal.

Answers and all numbers stay. With --everywhere the same in all campaigns of the account, which is deleted. Backups keep
the name until they are replaced. Say the name twice. Example:

  python manage.py forget_judge mytask ada --typed ada --everywhere
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        self.add_judge(parser)
        parser.add_argument("--typed", default="", metavar="JUDGE", help="the name once more, to be sure")
        parser.add_argument("--everywhere", action="store_true", help="in all campaigns, and delete the account")

    def handle(self, **options: Any) -> str:
        judge = self.judge(self.campaign(options["campaign"]), options["judge"])
        if not options["everywhere"]:
            return f"The judge is called {forget_one(judge, options['typed'])} now."
        if options["typed"] != judge.pseudonym:
            raise Refused(TYPE_IT.format(name=judge.pseudonym))
        return f"The judge is called {', '.join(forget_person(Person.behind(judge)))} now."
