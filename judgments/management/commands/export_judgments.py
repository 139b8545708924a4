"""Write the judgments of a campaign as CSV."""

from argparse import ArgumentParser
from pathlib import Path
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
        parser.add_argument("--out", type=Path, metavar="FILE", help="where to write (default: the screen)")

    def handle(self, **options: Any) -> str | None:
        lines = exports.judgments_csv(self.campaign(options["campaign"]))
        if options["out"] is None:
            for line in lines:
                self.stdout.write(line, ending="")
            return None
        with options["out"].open("w", encoding="utf-8", newline="") as file:
            count = sum(1 for line in lines if file.write(line))
        return f"{options['out']}: {count - 1} rows."
