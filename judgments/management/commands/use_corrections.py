"""Use the corrections of one campaign as references of another."""

from argparse import ArgumentParser
from typing import Any

from judgments.exchange.references import use_corrections
from judgments.management.base import PlatformCommand


class Command(PlatformCommand):
    """use_corrections FROM TO"""

    help = """Make the corrections of one campaign references of another, a reference a judge.

Both need the same sentences on the same lines. What came from there before is replaced. Example:

  python manage.py use_corrections mycorrections mytask
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", metavar="FROM", help="the short name of a correction campaign")
        parser.add_argument("target", metavar="TO", help="the short name of the campaign that gets references")

    def handle(self, **options: Any) -> str:
        target = self.campaign(options["target"])
        used = use_corrections(self.campaign(options["source"]), target)
        made = ", ".join(used.references)
        return f"{target.slug}: references {made} on {used.sentences} sentences (data:{used.digest})."
