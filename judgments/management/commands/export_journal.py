"""Export the journal of a campaign."""

from argparse import ArgumentParser
from typing import Any

from judgments.management.base import PlatformCommand
from judgments.models import JournalEntry
from judgments.rules.files.csv_tables import csv_lines


class Command(PlatformCommand):
    """export_journal CAMPAIGN"""

    help = """Write the journal of a campaign, the newest first: when, who, what. Example:

  python manage.py export_journal mytask --out journal.csv
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        self.add_out(parser)

    def handle(self, **options: Any) -> str | None:
        campaign = self.campaign(options["campaign"])
        entries = JournalEntry.objects.filter(campaign=campaign).iterator()
        rows = ({"at": entry.at.isoformat(), "actor": entry.actor, "what": entry.what} for entry in entries)
        return self.write_lines(csv_lines(["at", "actor", "what"], rows), options["out"])
