"""Export the judges of a campaign as CSV."""

from argparse import ArgumentParser
from typing import Any

from judgments.judges import table
from judgments.management.base import PlatformCommand


class Command(PlatformCommand):
    """export_judges CAMPAIGN"""

    help = """Write the judges of a campaign as CSV: who came from where, how far they are, which codes they were shown.

The column worker is the name that a crowd platform gave, by which you pay or reject there. Example:

  python manage.py export_judges mytask --out judges.csv
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        self.add_out(parser)

    def handle(self, **options: Any) -> str | None:
        return self.write_lines(table.judges_csv(self.campaign(options["campaign"])), options["out"])
