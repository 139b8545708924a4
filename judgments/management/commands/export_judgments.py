"""Write the judgments of a campaign as CSV."""

from argparse import ArgumentParser
from typing import Any

from judgments import exports
from judgments.management.base import PlatformCommand


class Command(PlatformCommand):
    """export_judgments CAMPAIGN"""

    help = """Write the current judgments of a campaign as CSV, one row a candidate; skips are rows without one.

Judges appear under their pseudonyms; those whose answers do not count are marked as excluded. Example:

  python manage.py export_judgments mytask --out judgments.csv
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        self.add_out(parser)

    def handle(self, **options: Any) -> str | None:
        return self.write_lines(exports.judgments_csv(self.campaign(options["campaign"])), options["out"])
