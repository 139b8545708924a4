"""Export the journal of a campaign as CSV, newest first. Example:

python manage.py export_journal mytask --out journal.csv
"""

from pathlib import Path

from judgments.management.base import CAMPAIGN, OUT, PlatformCommand
from judgments.models import Campaign, JournalEntry
from judgments.rules.files.csv_tables import csv_lines


class Command(PlatformCommand):
    arguments = (CAMPAIGN, OUT)

    def run(self, campaign: Campaign, out: Path | None) -> str | None:
        entries = JournalEntry.objects.filter(campaign=campaign).iterator()
        rows = ((entry.at.isoformat(), entry.actor, entry.what) for entry in entries)
        return self.write_lines(csv_lines(["at", "actor", "what"], rows), out)
